import fs from 'node:fs/promises';
import path from 'node:path';
import { createHash } from 'node:crypto';
import { decidesWhatRuns, type LaunchFingerprint } from '../../core/mcp/approval';
import { interpolator } from '../../core/mcp/interpolation';
import type { McpServer, StdioServer } from '../../core/mcp/server';
import { relativeTo } from '../../core/text/relativeTo';
import { hashOfFile, programsBehind, isCode } from '../scripts/programsBehind';
import { machineLookups } from './machineLookups';
import { isWithin, withSlashes } from '../storage/diskPaths';
import { byName } from '../../core/text/order';

/**
 * Returns what a server would currently run from the workspace, and the values of this machine that affect it. Its
 * command, arguments and variables are filled in as at its start.
 */
export async function serverFingerprint(server: McpServer): Promise<LaunchFingerprint> {
  if (server.kind === 'http') return { files: {}, decided: {}, hasUnknownPrograms: false };
  const fill = interpolator(
    server.folder,
    machineLookups(() => undefined),
  );
  // Inputs and unset variables are not known yet.
  const fillOrUndefined = (text: string): string | undefined => {
    try {
      return fill(text);
    } catch {
      return undefined;
    }
  };
  const env = Object.fromEntries(
    Object.entries(server.env).flatMap(([name, value]) => {
      const filledIn = fillOrUndefined(value);
      return filledIn === undefined ? [] : [[name, filledIn] as const];
    }),
  );
  const decided = Object.fromEntries(
    Object.entries(env).filter(
      ([name]) => decidesWhatRuns(name) || fromMachine(server.env[name]!).some(decidesWhatRuns),
    ),
  );
  const late = [
    server.command,
    ...server.args,
    server.cwd ?? '',
    ...Object.entries(server.env).flatMap(([name, value]) => (decidesWhatRuns(name) ? [value] : [])),
  ].some((text) => fillOrUndefined(text) === undefined);
  if (server.folder === '') return { files: {}, decided, hasUnknownPrograms: late };
  const root = await fs.realpath(server.folder).catch(() => server.folder);
  const cwd = path.resolve(root, fillOrUndefined(server.cwd ?? '.') ?? '.');
  const folder = await fs.realpath(cwd).catch(() => cwd);
  const programs = await programsBehind(
    [{ command: lineOf(server, fillOrUndefined, root), context: { folder: relativeTo(root, folder), variables: env } }],
    root,
  );
  const named = await filesIn(env, root, [folder, root]);
  const files = { ...named.files, ...Object.fromEntries([...programs.byName].map(([name, { hash }]) => [name, hash])) };
  return { files, decided, hasUnknownPrograms: late || programs.hasUnknownPrograms || named.hasUnknownPrograms };
}

const fromMachine = (value: string): string[] =>
  [...value.matchAll(/\$\{(?:env:)?([A-Za-z_]\w*)/g)].map(([, name]) => name!);

/** Formats the command as a shell line; unknown values are variables in it. */
function lineOf(
  { command, args, folder }: StdioServer,
  filled: (text: string) => string | undefined,
  root: string,
): string {
  const textForRoot = (text: string): string => {
    const real = folder === root ? text : text.replaceAll(folder, root);
    return process.platform === 'win32' ? real.replaceAll('\\', '/') : real;
  };
  return [command, ...args]
    .map((word) => {
      const text = filled(word);
      return text === undefined ? '"$NOT_KNOWN_YET"' : `'${textForRoot(text).replaceAll("'", "'\\''")}'`;
    })
    .join(' ');
}

/**
 * Data files that a server writes. Not fingerprinted, or every run would ask again. Programs and configuration files do
 * not count.
 */
const isData = (name: string, file: string): boolean =>
  /\.(?:jsonl|ndjson|db|sqlite3?|log|csv|tsv|txt|md)$/i.test(file) ||
  (/(?:^|_)(?:memory|data|storage|state|cache|logs?|output|history)(?:_|$)/i.test(name) && /\.json$/i.test(file));

/**
 * Fingerprints what the values of variables name in the workspace: files, and folders with the programs in them, or
 * with all their files if the variable decides what runs.
 */
async function filesIn(
  env: Readonly<Record<string, string>>,
  root: string,
  from: readonly string[],
): Promise<{ files: Record<string, string>; hasUnknownPrograms: boolean }> {
  const files: Record<string, string> = {};
  let hasUnknownPrograms = false;
  for (const [name, value] of Object.entries(env)) {
    const named = pathsIn(value).flatMap((text) => from.map((folder) => path.resolve(folder, text)));
    for (const place of named) {
      const found = await fingerprint(place, root, name);
      if (found === undefined) continue;
      if (found.hash === undefined) hasUnknownPrograms = true;
      else files[found.below] = found.hash;
    }
  }
  return { files, hasUnknownPrograms };
}

/**
 * Returns the hash of a file or folder that a variable names, and its path from the root. Undefined if it is not
 * fingerprinted. The hash is absent for a folder that cannot be hashed.
 */
async function fingerprint(
  place: string,
  root: string,
  name: string,
): Promise<{ readonly below: string; readonly hash: string | undefined } | undefined> {
  const real = await fs.realpath(place).catch(() => undefined);
  if (real === undefined || !isWithin(real, root)) return undefined;
  const stat = await fs.stat(real);
  const below = withSlashes(path.relative(root, real));
  const decides = decidesWhatRuns(name);
  if (stat.isFile()) return decides || !isData(name, below) ? { below, hash: await hashOfFile(real) } : undefined;
  // Many servers receive the path of the workspace, but run nothing in it.
  if (!stat.isDirectory() || (real === root && !decides)) return undefined;
  return { below: `${below || '.'}/`, hash: await hashOfFolder(real, decides ? 'all' : 'code') };
}

/** Maximum number of files of a folder to hash, and of their bytes. */
const hashLimits = { files: 3000, bytes: 64 << 20 };

/**
 * SHA-256 of the names and contents of all files of a folder, or only of the programs among them. Links count as their
 * targets. Returns undefined if there is too much or something cannot be read.
 */
async function hashOfFolder(folder: string, which: 'all' | 'code'): Promise<string | undefined> {
  const hash = createHash('sha256');
  const left = { ...hashLimits };
  /** Hashes a file. Returns false if that is too much. */
  const addFile = async (file: string, link: string, size: number): Promise<boolean> => {
    if ((left.bytes -= size) < 0) return false;
    hash.update(JSON.stringify([path.relative(folder, file), link, await hashOfFile(file)]));
    return true;
  };
  const visit = async (subfolder: string): Promise<boolean> => {
    for (const entry of (await fs.readdir(subfolder, { withFileTypes: true })).sort(byName)) {
      if (left.files-- <= 0) return false;
      const file = path.join(subfolder, entry.name);
      if (entry.isDirectory()) {
        if (entry.name !== '.git' && !(await visit(file))) return false;
        continue;
      }
      if (!entry.isFile() && !entry.isSymbolicLink()) continue;
      const link = entry.isSymbolicLink() ? await fs.readlink(file) : '';
      const stat = await fs.stat(file).catch(() => undefined);
      if (stat?.isDirectory()) return false;
      if (!stat?.isFile() || (which === 'code' && !(await isCode(file)))) continue;
      if (!(await addFile(file, link, stat.size))) return false;
    }
    return true;
  };
  return (await visit(folder).catch(() => false)) ? hash.digest('hex') : undefined;
}

/**
 * Returns everything in a value that may be a path: the whole value, elements of lists, words, and values of options;
 * also without an ending, as programs accept them.
 */
function pathsIn(value: string): string[] {
  const parts = [
    value,
    ...value.split(path.delimiter),
    ...value.split(/[\s"'=,;:]+/),
    ...value.split(/[\s"',;]+/),
    ...value.split(/["'=]+/),
  ]
    .map((part) => part.trim().replace(/^file:\/\//, ''))
    .filter((part) => part !== '' && part.length < 4096 && !part.includes('\0'));
  return [...new Set(parts)].flatMap((part) => [
    part,
    ...(/[/\\]/.test(part) ? ['.js', '.cjs', '.mjs', '.ts', '.py'].map((ending) => part + ending) : []),
  ]);
}
