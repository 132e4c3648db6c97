import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { TookTooLong } from '../../core/ports/cutOff';
import type { MayRun } from '../../core/security/scripts/mayRun';
import type { CommandContext } from '../../core/shell/effects/context';
import { anyOf } from '../../core/text/alternatives';
import { slowWorkCutOff } from '../processes/cutOff';
import { diskScripts } from './diskScripts';
import { readPlain } from '../storage/plainFile';

/** A command line, and what is known of where it will run. */
export interface CommandLine {
  readonly command: string;
  readonly context?: Omit<CommandContext, 'workspace'>;
}

/** What command lines run of a folder, by the paths in it. */
export interface Programs {
  readonly found: ReadonlyMap<string, Program>;
  /** Of one of the lines it cannot be told which program runs. */
  readonly untold: boolean;
}

/** What a command line runs of a folder. */
export interface Program {
  /** SHA-256 of it, hexadecimal. */
  readonly hash: string;
  /** Undefined where it is no text that anybody reads. */
  readonly text?: string;
}

/** Bytes; what is larger is no script that anybody reads. */
const largest = 1024 * 1024;

/** What is run and not only read, by its name. */
const code = anyOf(
  [
    /\.([cm]?[jt]sx?|py|rb|pl|php|lua|awk|sh|bash|zsh|fish|psm?1|cmd|bat|exe|jar|r|go|rs|wasm|toml|env)$/,
    /(^|\/)(\.env(\.[^/]*)?|package\.json)$/,
  ],
  'i',
);

/** What can be said of a line whose scripts take too long to read. */
function notToldInTime(thrown: unknown): MayRun {
  if (!(thrown instanceof TookTooLong)) throw thrown;
  return { scripts: [], named: [], declared: {}, undetermined: true };
}

/**
 * The programs of a folder that command lines run, by their paths in it, and what its manifests declare of them
 * ("package.json#lint"). Who changes one of them changes what is run. Programs outside of the folder, links that lead
 * out of it and what is not there are none.
 */
export async function programsBehind(
  lines: readonly CommandLine[],
  root: string,
  cutOff = slowWorkCutOff(),
): Promise<Programs> {
  const { mayRun } = await import('../../core/security/scripts/mayRun');
  const base = await fs.realpath(root).catch(() => root);
  const scripts = diskScripts(base, largest);
  const found = new Map<string, Program>();
  let untold = false;
  const workspace = base.split(path.sep).join('/');
  for (const { command, context } of lines) {
    const {
      scripts: run,
      named,
      declared,
      undetermined: unclear,
    } = await mayRun(command, { ...context, workspace, cutOff }, scripts).catch(notToldInTime);
    untold ||= unclear;
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
  return { found: new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1))), untold };
}

async function programAt(file: string, base: string, certain: boolean): Promise<Program | undefined> {
  const real = await fs.realpath(file).catch(() => undefined);
  if (!real?.startsWith(base + path.sep)) return undefined;
  if (!(await fs.stat(real)).isFile() || !(certain || (await isCode(file)))) return undefined;
  const text = await readPlain(real, largest);
  return text === undefined ? { hash: await hashOfFile(real) } : { hash: sha256(text), text };
}

/** Whether it is run and not only read: by its name, or because it may be executed, or says which program reads it. */
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
  return (await readPlain(real, largest))?.startsWith('#!') ?? false;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** SHA-256 of what a file holds, hexadecimal. */
export async function hashOfFile(real: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of createReadStream(real)) hash.update(part as Buffer);
  return hash.digest('hex');
}
