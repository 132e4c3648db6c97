import fs from 'node:fs/promises';
import path from 'node:path';
import type { LossIfDeleted, DeletedPath } from '../../core/ports/scripts';
import { matchingRules, secretReads } from '../../core/risk/pathRules';
import { readPlain, listFolder } from '../storage/lenientReads';
import { git, withoutFilters } from './safeGit';
import { textVersion } from '../files/textVersion';
import { withoutLosses } from '../storage/skippedFolders';

/** Maximum number of entries, and of folders inside each other, that are searched in ignored content. */
const maxEntries = 5_000;
const maxDepth = 3;

/**
 * Returns what would be lost with each of the paths, in their order. Paths are relative to `folder`. Git is called once
 * for all of them and runs nothing that the repository names. `made`: the version of each file that the session
 * created. `isCreatedHere`: returns whether a command of the session created the file at an absolute path.
 */
export async function lossesIfDeleted(
  folder: string,
  deleted: readonly DeletedPath[],
  { made, isCreatedHere }: MadeFiles,
): Promise<readonly LossIfDeleted[]> {
  const entries = await listNotIgnored(folder, deleted);
  const losses = await Promise.all(deleted.map((one) => lossOf(folder, one, entries, made)));
  for (const [nth, { path: name, pattern }] of deleted.entries()) {
    const isUncertain = ['untracked', 'unknown', 'ignored'].includes(losses[nth]!);
    if (isUncertain && !pattern && (await isCreatedHere?.(path.resolve(folder, name)))) losses[nth] = 'made';
  }
  return losses;
}

/** What is known about files that the session created itself. */
export interface MadeFiles {
  /** The version that the session left of each file, by absolute path. */
  readonly made: ReadonlyMap<string, string>;
  /** Returns whether a command of the session created a file, and nobody has changed it since. */
  isCreatedHere?(absolute: string): Promise<boolean>;
}

/** A tracked or untracked path. Ends in a slash if the whole folder is untracked. */
interface Entry {
  readonly path: string;
  readonly status: 'tracked' | 'changed' | 'untracked';
}

/** Lists everything at the paths that Git does not ignore. Returns undefined without a repository or an answer. */
async function listNotIgnored(folder: string, deleted: readonly DeletedPath[]): Promise<readonly Entry[] | undefined> {
  // In a Git pattern, "*" matches slashes, so "**/" would require a folder in between.
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
  const output = await git(folder, [...(await withoutFilters(folder)), ...wanted]);
  return output
    ?.toString('utf8')
    .split('\0')
    .filter(Boolean)
    .map((line) => ({ path: line.slice(2), status: statusOfTag(line[0]!) }));
}

/** Returns what a tag of `git ls-files -t` means. */
function statusOfTag(tag: string): Entry['status'] {
  if (tag === '?') return 'untracked';
  return tag === 'C' ? 'changed' : 'tracked';
}

async function lossOf(
  folder: string,
  deleted: DeletedPath,
  entries: readonly Entry[] | undefined,
  made: ReadonlyMap<string, string>,
): Promise<LossIfDeleted> {
  const absolute = path.resolve(folder, deleted.path);
  const stat = deleted.pattern ? undefined : await fs.lstat(absolute).catch(() => 'missing' as const);
  if (stat === 'missing') return 'nothing';
  if (stat?.isFile() && (await isAsMade(absolute, made.get(deleted.path)))) return 'made';
  if (entries === undefined) return 'unknown';
  const statuses = new Set(entries.filter((entry) => concerns(entry.path, deleted)).map(({ status }) => status));
  const worst = (['changed', 'untracked', 'tracked'] as const).find((status) => statuses.has(status));
  return worst ?? (await lossOfIgnored(folder, deleted));
}

async function isAsMade(absolute: string, version: string | undefined): Promise<boolean> {
  if (version === undefined) return false;
  const text = await readPlain(absolute, 1024 * 1024);
  return text !== undefined && textVersion(text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n')) === version;
}

/** True if the entry is the path, is below it, or is a folder around it. */
function concerns(entry: string, { path: name, pattern }: DeletedPath): boolean {
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

/** The constant prefix of all names that match a pattern. */
const fixedPart = (pattern: string): string => pattern.replace(/[*?[{].*/s, '').replace(/(?<!\/)\/+$/, '');

/** The folder that contains all matches of a pattern: `build` for `build/*`, and `.` for `build*`. */
function folderOfPattern(pattern: string): string {
  const fixed = pattern.replace(/[*?[{].*/s, '');
  return fixed.slice(0, Math.max(0, fixed.lastIndexOf('/'))) || '.';
}

const isSecret = (relative: string): boolean =>
  matchingRules(relative, secretReads).some(({ level }) => level === 'high');

/** Looks for ignored content that must not be deleted without asking. Checks a limited number of entries. */
async function lossOfIgnored(folder: string, { path: deletedPath, pattern }: DeletedPath): Promise<LossIfDeleted> {
  const start = pattern ? folderOfPattern(deletedPath) : deletedPath;
  if (start.split('/').some((name) => withoutLosses.has(name))) return 'ignored';
  const queue = [{ relative: start, depth: 0 }];
  let entriesRead = 0;
  for (let next = queue.shift(); next !== undefined && entriesRead < maxEntries; next = queue.shift()) {
    if (isSecret(next.relative)) return 'secrets';
    for (const entry of await listFolder(path.join(folder, next.relative))) {
      entriesRead++;
      const relative = path.posix.join(next.relative, entry.name);
      if (entry.name === '.git' && !pattern) return 'repository';
      if (!entry.isDirectory() && isSecret(relative)) return 'secrets';
      if (entry.isDirectory() && next.depth < maxDepth && !withoutLosses.has(entry.name))
        queue.push({ relative, depth: next.depth + 1 });
    }
  }
  return 'ignored';
}
