import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { GitTexts, type CommittedFile } from '../git/gitTexts';

/** What was changed in a copy, as relative paths. */
export interface Rewound {
  readonly commit: string;
  /** Files restored from the commit: they were changed or deleted since. */
  readonly restored: readonly string[];
  /** Files deleted from the copy: they were created since. */
  readonly leftOut: readonly string[];
}

export interface RewindTo {
  readonly commit: string;
  /** When the run began, in ms since 1970: files not touched since are unchanged, committed or not. */
  readonly since: number;
  /** Files known to have been created by the run. */
  readonly made: ReadonlySet<string>;
}

/**
 * Resets a copy of `source` to a commit: restores files that were touched since and deletes those created since. Runs
 * no program that the repository names, and follows no link of the copy. Returns undefined if the folder is not in a
 * repository that contains the commit.
 */
export async function rewind(
  copy: string,
  source: string,
  { commit, since, made }: RewindTo,
): Promise<Rewound | undefined> {
  const git = /^[0-9a-f]{40,64}$/.test(commit) ? await GitTexts.of(source) : undefined;
  const then = await git?.files(commit);
  if (!git || !then) return undefined;
  const touched = [...then].filter(
    ([name, file]) =>
      isSafe(name) && isTouched(path.join(source, name), since) && !isUnchanged(path.join(source, name), file),
  );
  const contents = await git.contents(
    commit,
    touched.map(([name]) => name),
  );
  if (!contents) return undefined;
  const restored = touched.flatMap(([name, { mode }]) => {
    const bytes = contents.get(name);
    if (!bytes) return [];
    writeCommitted(copy, name, bytes, mode);
    return [name];
  });
  const committedSince =
    (await git.head()) === commit
      ? new Map<string, CommittedFile>()
      : ((await git.files('HEAD')) ?? new Map<string, CommittedFile>());
  const leftOut = [...new Set([...committedSince.keys(), ...(await git.others())])].filter((name) => {
    if (then.has(name) || !isSafe(name)) return false;
    const stat = fs.lstatSync(path.join(source, name), { throwIfNoEntry: false });
    const isNew =
      stat !== undefined &&
      stat.mtimeMs > since &&
      (committedSince.has(name) || made.has(name) || stat.birthtimeMs > since);
    return isNew && removeCommitted(copy, name);
  });
  if (fs.existsSync(path.join(copy, '.git')) && (await git.head()) !== commit)
    await (await GitTexts.of(copy))?.pointTo(commit);
  return { commit, restored: restored.sort(), leftOut: leftOut.sort() };
}

/** A tree that was crafted by hand can contain any name. */
const isSafe = (name: string): boolean =>
  !path.isAbsolute(name) && name.split('/').every((part) => part !== '' && !/^\.{1,2}$|^\.git$|[\\:]/i.test(part));

function isTouched(file: string, since: number): boolean {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false });
  return stat === undefined || stat.mtimeMs > since;
}

function isUnchanged(file: string, { mode, hash }: CommittedFile): boolean {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false });
  if (!stat || stat.isSymbolicLink() !== (mode === '120000') || !(stat.isFile() || stat.isSymbolicLink())) return false;
  const bytes = stat.isFile() ? fs.readFileSync(file) : Buffer.from(fs.readlinkSync(file));
  return (
    createHash(hash.length === 64 ? 'sha256' : 'sha1')
      .update(`blob ${bytes.length}\0`)
      .update(bytes)
      .digest('hex') === hash
  );
}

function writeCommitted(copy: string, name: string, bytes: Buffer, mode: string): void {
  let folder = copy;
  for (const part of name.split('/').slice(0, -1)) {
    folder = path.join(folder, part);
    if (fs.lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) continue;
    clear(folder);
    fs.mkdirSync(folder);
  }
  const file = path.join(copy, name);
  clear(file);
  if (mode === '120000') fs.symlinkSync(bytes.toString('utf8'), file);
  else fs.writeFileSync(file, bytes, { flag: 'wx', mode: mode === '100755' ? 0o755 : 0o644 });
}

/** Removes a link, not its target. */
function clear(place: string): void {
  const stat = fs.lstatSync(place, { throwIfNoEntry: false });
  if (stat?.isDirectory()) fs.rmSync(place, { recursive: true });
  else if (stat) fs.unlinkSync(place);
}

/** Returns false if there is a link in the path. */
function removeCommitted(copy: string, name: string): boolean {
  const folders = name
    .split('/')
    .slice(0, -1)
    .map((_part, at, all) => path.join(copy, ...all.slice(0, at + 1)));
  if (!folders.every((folder) => fs.lstatSync(folder, { throwIfNoEntry: false })?.isDirectory())) return false;
  if (fs.lstatSync(path.join(copy, name), { throwIfNoEntry: false })?.isDirectory() !== false) return false;
  fs.unlinkSync(path.join(copy, name));
  for (const folder of folders.reverse())
    try {
      fs.rmdirSync(folder);
    } catch {
      break; /* not empty */
    }
  return true;
}
