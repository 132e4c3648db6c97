import type { Dirent } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { GitStanding, Deleted } from '../../core/ports/environment';
import { rulesFor, secretReads } from '../../core/risk/pathRules';
import { readPlain } from '../storage/plainFile';
import { git, withoutFilters } from './safeGit';
import { textVersion } from '../files/textVersion';

const mostEntries = 5_000;
const mostDepth = 3;
/** Packages that were fetched hold keys for their own tests. */
const fetched = /(^|\/)(node_modules|__pycache__|vendor)(\/|$)/;

/**
 * What would be lost with each of the paths, which are relative to `folder`, in their order. Git is
 * asked once for all of them, and runs nothing that the repository names. `made`: the version of each
 * file that the session made, as it left it.
 */
export async function gitStandings(
  folder: string,
  deleted: readonly Deleted[],
  made: ReadonlyMap<string, string>,
): Promise<readonly GitStanding[]> {
  const entries = await keptOrUnknown(folder, deleted);
  return Promise.all(deleted.map((one) => standingOf(folder, one, entries, made)));
}

/** A path that Git keeps or does not know. Ends in a slash where all of a folder is unknown to it. */
interface Entry {
  readonly path: string;
  readonly standing: 'tracked' | 'changed' | 'untracked';
}

/** Everything at the paths that Git is not told to leave out; undefined without a repository or an answer. */
async function keptOrUnknown(folder: string, deleted: readonly Deleted[]): Promise<readonly Entry[] | undefined> {
  // To Git a star goes through slashes, so that two of them would ask for a folder between.
  const paths = deleted.map((one) => (one.pattern ? `./${one.path.replaceAll('**/', '')}` : `:(literal)${one.path}`));
  const wanted = [
    'ls-files',
    '-z',
    '-t',
    '--cached',
    '--modified',
    '--others',
    '--exclude-standard',
    '--directory',
    '--',
    ...paths,
  ];
  const told = await git(folder, [...(await withoutFilters(folder)), ...wanted]);
  return told
    ?.toString('utf8')
    .split('\0')
    .filter(Boolean)
    .map((line) => ({ path: line.slice(2), standing: meaning(line[0]!) }));
}

function meaning(tag: string): Entry['standing'] {
  if (tag === '?') return 'untracked';
  return tag === 'C' ? 'changed' : 'tracked';
}

async function standingOf(
  folder: string,
  deleted: Deleted,
  entries: readonly Entry[] | undefined,
  made: ReadonlyMap<string, string>,
): Promise<GitStanding> {
  const absolute = path.resolve(folder, deleted.path);
  const stat = deleted.pattern ? undefined : await fs.lstat(absolute).catch(() => 'missing' as const);
  if (stat === 'missing') return 'nothing';
  if (stat?.isFile() && (await isAsMade(absolute, made.get(deleted.path)))) return 'made';
  if (entries === undefined) return 'unknown';
  const found = new Set(entries.filter((entry) => concerns(entry.path, deleted)).map(({ standing }) => standing));
  const worst = (['changed', 'untracked', 'tracked'] as const).find((standing) => found.has(standing));
  return worst ?? (await ignoredThere(folder, deleted));
}

async function isAsMade(absolute: string, version: string | undefined): Promise<boolean> {
  if (version === undefined) return false;
  const text = await readPlain(absolute, 1024 * 1024);
  return text !== undefined && textVersion(text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n')) === version;
}

/** An entry is the path, something below it, or a folder around it. */
function concerns(entry: string, { path: name, pattern }: Deleted): boolean {
  const plain = entry.replace(/\/$/, '');
  const wanted = pattern ? fixedPart(name) : name.replace(/(?<!\/)\/+$/, '');
  if (wanted === '.' || wanted === '') return true;
  return (
    plain === wanted ||
    plain.startsWith(`${wanted}/`) ||
    wanted.startsWith(`${plain}/`) ||
    (pattern && wanted !== name && plain.startsWith(wanted))
  );
}

/** The part of a pattern that is the same in every name that fits it. */
const fixedPart = (pattern: string): string => pattern.replace(/[*?[{].*/s, '').replace(/(?<!\/)\/+$/, '');

/** The folder below which every name that fits a pattern is: `build` of `build/*`, and `.` of `build*`. */
function folderOfPattern(pattern: string): string {
  const fixed = pattern.replace(/[*?[{].*/s, '');
  return fixed.slice(0, Math.max(0, fixed.lastIndexOf('/'))) || '.';
}

/** What may not go unasked although Git leaves it out; looked for in so many places at most. */
async function ignoredThere(folder: string, { path: name, pattern }: Deleted): Promise<GitStanding> {
  const start = pattern ? folderOfPattern(name) : name;
  if (fetched.test(start)) return 'ignored';
  const queue = [{ relative: start, depth: 0 }];
  let seen = 0;
  for (let next = queue.shift(); next !== undefined && seen < mostEntries; next = queue.shift()) {
    if (rulesFor(next.relative, secretReads).some(({ level }) => level === 'high')) return 'secrets';
    for (const entry of await entriesOf(path.join(folder, next.relative))) {
      seen++;
      const relative = path.posix.join(next.relative, entry.name);
      if (entry.name === '.git' && !pattern) return 'repository';
      if (!entry.isDirectory() && rulesFor(relative, secretReads).some(({ level }) => level === 'high'))
        return 'secrets';
      if (entry.isDirectory() && next.depth < mostDepth && !fetched.test(relative))
        queue.push({ relative, depth: next.depth + 1 });
    }
  }
  return 'ignored';
}

const entriesOf = (folder: string): Promise<Dirent[]> => fs.readdir(folder, { withFileTypes: true }).catch(() => []);
