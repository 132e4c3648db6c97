import { anyOf, exactlyOneOf } from '../../text/alternatives';
import { classifyWords, type Claim, type Claims } from '../calls/claims';
import type { Family, Manual, Prints } from '../calls/manual';
import type { SimpleCommand } from '../effects/effect';
import type { Flow, Scope } from '../effects/scope';
import type { Value } from '../syntax/value';
import { dataVersionsFamily } from './documents/dataVersions';
import { documentsFamily } from './documents/documents';
import { mediaFamily } from './documents/media';
import { protocolsFamily } from './documents/protocols';
import { fileFamilies } from './files/families';
import { gitFamily } from './git/git';
import { javascriptFamilies } from './javascript/families';
import { languageFamilies } from './languages/families';
import { pythonFamilies } from './python/families';
import { serviceFamilies } from './services/families';
import { builtinsFamily } from './shell/builtins';
import { shellsFamily } from './shell/shells';
import { wrappersFamily } from './shell/wrappers';
import { lookingFamily } from './system/looking';
import { systemPackagesFamily } from './system/packages';
import { servicesFamily } from './system/services';

/**
 * ★ Programs that Waymark knows, by family. The largest folders have lists of their own. Each program is in only one
 * family.
 */
export const families: readonly Family[] = [
  dataVersionsFamily,
  documentsFamily,
  mediaFamily,
  protocolsFamily,
  ...fileFamilies,
  gitFamily,
  ...javascriptFamilies,
  ...languageFamilies,
  ...pythonFamilies,
  ...serviceFamilies,
  builtinsFamily,
  shellsFamily,
  wrappersFamily,
  lookingFamily,
  systemPackagesFamily,
  servicesFamily,
];

const manuals = new Map<string, Manual>(families.flatMap(({ programs }) => Object.entries(programs)));
const takingData = new Set(families.flatMap(({ takesData = [] }) => takesData));
const prints = new Map<string, Prints>(families.flatMap((family) => Object.entries(family.prints ?? {})));
const claims = new Map<string, Claims>(families.flatMap((family) => Object.entries(family.claims ?? {})));

/** Cross compilers and their tools (`arm-none-eabi-size`). */
const forMachine = anyOf([
  /^(?:llvm|(?:[a-z0-9_]+-){1,3}(?:elf|eabi|eabihf|gnu|gnueabihf|musl|uclibc|mingw32|w64))-/,
  /^(?:avr|riscv64|xtensa-esp32\w*-elf)-/,
]);
/** Programs that toolchains for another machine contain. Others only end like a usual one: `llvm-cat`, `llvm-link`. */
const toolsForMachine = exactlyOneOf([
  'addr2line c++ c++filt cc clang clang++ dwarfdump g++ gcc gcov gdb lcov ld nm objcopy objdump pkg-config ranlib',
  'readelf readobj size strings strip',
]);
/** Programs with a version suffix (`clang-18`, `python3.12`). */
const version =
  /(?<=^(?:gcc|g\+\+|clang|clang\+\+|clang-format|clang-tidy|gcov|lldb|gdb|php|ruby|perl|node|java|go))-?\d+(?:\.\d+)*$/;

/** Returns the manual of a program, or undefined if it is unknown. */
export function programNamed(name: string): Manual | undefined {
  const tool = name.replace(forMachine, '').replace(version, '');
  return manuals.get(name) ?? manuals.get(toolsForMachine.test(tool) ? tool : name.replace(version, ''));
}

export const programNames = (): string[] => [...manuals.keys()];

/** Returns whether a file named by an option of the program is data, and never settings or code. */
export const takesData = (program: string): boolean => takingData.has(program);

/** Returns the paths that a command prints, if its words determine them: `find src -name '*.ts'`, `git ls-files`. */
export function pathsPrinted(
  name: string,
  words: readonly Value[],
  before: Flow,
  scope: Scope,
): readonly Value[] | undefined {
  if (words.some(({ kind }) => kind === 'unknown')) return undefined;
  return prints.get(name)?.({ words, before, scope });
}

/** Returns the claim about a dangerous command, if there is one. */
export const claimOf = ({ name, words }: Pick<SimpleCommand, 'name' | 'words'>): Claim | undefined =>
  claimWithin(name, words.map(shown), 0);

/** Maximum nesting of wrapped commands. `sudo sudo sudo …` may continue for thousands of words. */
const maxNesting = 8;

/** `depth` is the number of commands that wrap this one, as in `sudo COMMAND`. */
function claimWithin(name: string, words: readonly string[], depth: number): Claim | undefined {
  if (depth > maxNesting) return undefined;
  const program = programOf(name);
  return claims.get(program)?.(classifyWords(program, words), ([inner = '', ...rest]) =>
    claimWithin(inner, rest, depth + 1),
  );
}

const programOf = (name: string): string =>
  name
    .replace(/^.*[/\\]/, '')
    .replace(/\.(exe|cmd)$/i, '')
    .toLowerCase();

/** A value known only at run time is shown as written. */
const shown = ({ kind, text, source }: Value): string => (kind === 'unknown' ? source : text);
