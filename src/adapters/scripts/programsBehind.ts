import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { TookTooLong } from '../../core/ports/cutOff';
import { loadCommandAnalysis } from '../../core/security/commandAnalysis';
import type { MayRun } from '../../core/security/scripts/mayRun';
import type { CommandContext } from '../../core/shell/effects/context';
import { anyOf } from '../../core/text/alternatives';
import { slowWorkCutOff } from '../processes/cutOff';
import { diskScripts } from './diskScripts';
import { readPlain } from '../storage/lenientReads';
import { isWithin, withSlashes } from '../storage/diskPaths';
import { compareTexts } from '../../core/text/order';

/** A command line, and what is known about where it will run. */
interface CommandLine {
  readonly command: string;
  readonly context?: Omit<CommandContext, 'workspace'>;
}

/** What command lines run from a folder, by relative path. */
interface Programs {
  readonly byName: ReadonlyMap<string, Program>;
  /** True if the program that one of the lines runs cannot be determined. */
  readonly hasUnknownPrograms: boolean;
}

/** Something in a folder that a command line runs. */
interface Program {
  /** Its SHA-256, in hexadecimal. */
  readonly hash: string;
  /** Undefined if it is not readable text. */
  readonly text?: string;
}

/** In bytes; anything larger is not a human-readable script. */
const maxScriptBytes = 1024 * 1024;

/** Names of files that are executed, not only read. */
const code = anyOf(
  [
    /\.([cm]?[jt]sx?|py|rb|pl|php|lua|awk|sh|bash|zsh|fish|psm?1|cmd|bat|com|exe|vbs|wsf|jar|r|go|rs|wasm|toml|env)$/,
    /(^|\/)(\.env(\.[^/]*)?|package\.json)$/,
  ],
  'i',
);

/** The result for a line whose scripts take too long to read. */
function timedOutResult(thrown: unknown): MayRun {
  if (!(thrown instanceof TookTooLong)) throw thrown;
  return { scripts: [], named: [], declared: {}, undetermined: true };
}

/**
 * Returns the programs in a folder that command lines run, by relative path, and what its manifests declare of them
 * ("package.json#lint"). Changing one of them changes what is run. Excludes programs outside the folder, links that
 * lead out of it and files that do not exist.
 */
export async function programsBehind(
  lines: readonly CommandLine[],
  root: string,
  cutOff = slowWorkCutOff(),
): Promise<Programs> {
  await loadCommandAnalysis();
  const { mayRun } = await import('../../core/security/scripts/mayRun');
  const base = await fs.realpath(root).catch(() => root);
  const scripts = diskScripts(base, { most: maxScriptBytes });
  const found = new Map<string, Program>();
  let hasUnknownPrograms = false;
  const workspace = withSlashes(base);
  for (const { command, context } of lines) {
    const {
      scripts: run,
      named,
      declared,
      undetermined: unclear,
    } = await mayRun(command, { ...context, workspace, cutOff }, scripts).catch(timedOutResult);
    hasUnknownPrograms ||= unclear;
    for (const [name, text] of Object.entries(declared)) found.set(name, { hash: sha256(text), text });
    for (const [names, certain] of [
      [run, true],
      [named, false],
    ] as const) {
      for (const name of names) {
        const program = found.has(name) ? undefined : await programAt(path.resolve(base, name), base, certain);
        if (program) found.set(name, program);
      }
    }
  }
  return { byName: new Map([...found].sort(([a], [b]) => compareTexts(a, b))), hasUnknownPrograms };
}

async function programAt(file: string, base: string, certain: boolean): Promise<Program | undefined> {
  const real = await fs.realpath(file).catch(() => undefined);
  if (real === undefined || !isWithin(real, base)) return undefined;
  if (!(await fs.stat(real)).isFile() || !(certain || (await isCode(file)))) return undefined;
  const text = await readPlain(real, maxScriptBytes);
  return text === undefined ? { hash: await hashOfFile(real) } : { hash: sha256(text), text };
}

/** Returns whether a file is executed and not only read: by its name, its executable bit or its shebang. */
export async function isCode(real: string): Promise<boolean> {
  if (code.test(real)) return true;
  if (
    process.platform !== 'win32' &&
    (await fs.access(real, constants.X_OK).then(
      () => true,
      () => false,
    ))
  )
    return true;
  return (await readPlain(real, maxScriptBytes))?.startsWith('#!') ?? false;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Returns the SHA-256 of a file's content, in hexadecimal. */
export async function hashOfFile(real: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of createReadStream(real)) hash.update(part as Buffer);
  return hash.digest('hex');
}
