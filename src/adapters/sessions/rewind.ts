import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { GitTexts, type CommittedFile } from '../git/gitTexts';

/** What was done to a copy, by paths below it. */
export interface Rewound {
  readonly commit: string;
  /** As they are in the commit: they were changed or removed since. */
  readonly restored: readonly string[];
  /** They were made since, so the copy is without them. */
  readonly leftOut: readonly string[];
}

export interface RewindTo {
  readonly commit: string;
  /** When the run began, in milliseconds since 1970: what was not touched since is as it was then, committed or not. */
  readonly since: number;
  /** Files that the run is known to have made. */
  readonly made: ReadonlySet<string>;
}

/**
 * Puts a copy of `source` back to a commit: files that were touched since are as they are in it, and those made since
 * are gone. No program that the repository names is run, and no link of the copy is followed. Undefined where the
 * folder is in no repository that holds the commit.
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
      isSafe(name) && isTouched(path.join(source, name), since) && !isSame(path.join(source, name), file),
  );
  const contents = await git.contents(
    commit,
    touched.map(([name]) => name),
  );
  if (!contents) return undefined;
  const restored = touched.flatMap(([name, { mode }]) => {
    const bytes = contents.get(name);
    if (!bytes) return [];
    put(copy, name, bytes, mode);
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
    return isNew && remove(copy, name);
  });
  if (fs.existsSync(path.join(copy, '.git')) && (await git.head()) !== commit)
    await (await GitTexts.of(copy))?.pointTo(commit);
  return { commit, restored: restored.sort(), leftOut: leftOut.sort() };
}

/** A tree that somebody made by hand can hold any name. */
const isSafe = (name: string): boolean =>
  !path.isAbsolute(name) && name.split('/').every((part) => part !== '' && !/^\.{1,2}$|^\.git$|[\\:]/i.test(part));

function isTouched(file: string, since: number): boolean {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false });
  return stat === undefined || stat.mtimeMs > since;
}

function isSame(file: string, { mode, hash }: CommittedFile): boolean {
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

function put(copy: string, name: string, bytes: Buffer, mode: string): void {
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

/** A link goes, not what it leads to. */
function clear(place: string): void {
  const stat = fs.lstatSync(place, { throwIfNoEntry: false });
  if (stat?.isDirectory()) fs.rmSync(place, { recursive: true });
  else if (stat) fs.unlinkSync(place);
}

/** False where a link is on the way. */
function remove(copy: string, name: string): boolean {
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
      break; /* it holds something */
    }
  return true;
}
