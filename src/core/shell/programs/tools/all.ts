import type { Manual } from '../../calls/manual';
import { binaryTools } from './binaries';
import { cloudTools } from './clouds';
import { dataTools } from './data';
import { ecosystemTools } from './ecosystems';
import { embeddedTools } from './embedded';
import { fileTools } from './files';
import { gitTools } from './git';
import { javascriptTools } from './javascript';
import { jvmTools } from './jvm';
import { languageTools } from './languages';
import { lookerTools } from './lookers';
import { builtinTools } from './shellBuiltins';
import { systemTools } from './system';
import { textTools } from './text';

/** Of two entries with one name, the later one counts. */
const tables = [
  textTools,
  fileTools,
  gitTools,
  javascriptTools,
  languageTools,
  systemTools,
  cloudTools,
  dataTools,
  ecosystemTools,
  lookerTools,
  builtinTools,
  binaryTools,
  embeddedTools,
  jvmTools,
];
const registry = new Map<string, Manual>(tables.flatMap((table) => Object.entries(table)));

/** Compilers and their tools for another machine (`arm-none-eabi-size`), or of one version (`clang-18`, `python3.12`). */
const forMachine =
  /^(?:llvm|(?:[a-z0-9_]+-){1,3}(?:elf|eabi|eabihf|gnu|gnueabihf|musl|uclibc|mingw32|w64))-(?=[a-z+]+$)|^(?:avr|riscv64|xtensa-esp32\w*-elf)-(?=[a-z+]+$)/;
const version =
  /(?<=^(?:gcc|g\+\+|clang|clang\+\+|clang-format|clang-tidy|gcov|lldb|gdb|php|ruby|perl|node|java|go))-?\d+(?:\.\d+)*$/;

/** ★ The tables of `tools/`, by the name of the program. */
export const programNamed = (name: string): Manual | undefined =>
  registry.get(name) ?? registry.get(name.replace(forMachine, '').replace(version, ''));
export const programNames = (): string[] => [...registry.keys()];
