import fs from 'node:fs';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { secrets } from '../core/security/secrets';
import { isDotenv, secretsOfDotenv } from '../core/security/secretValues';

const most = 256 * 1024;
const mostFolders = 20_000;
/** Folders looked at between two turns in which other work goes on. */
const atOnce = 500;
/** Milliseconds within which a file system may give two changes of a folder one time. */
const sameTime = 100;
/**
 * Packages and the innards of version control hold what others published, and there is a great deal of it. What Git ignores is looked
 * at: `.env` files usually are ignored.
 */
const passedOver = new Set(['node_modules', 'site-packages', '.git', '.hg', '.svn']);

/** When each file was read, by what the system says about it. */
const known = new Map<string, string>();

/** What is known of the folders below one: when each last changed, so that only those that did are looked into again. */
interface Tree { readonly changed: Map<string, number>; readonly files: Set<string> }
const trees = new Map<string, Tree>();

/** Learns the values of the `.env` files of these folders, so that whatever prints them is masked. They are told to nobody. */
export function learnDotenv(folders: Iterable<string>): void {
  for (const folder of new Set(folders)) {
    let names: string[];
    try { names = fs.readdirSync(folder); } catch { continue; }
    for (const name of names) if (isDotenvName(name)) learnFile(path.join(folder, name));
  }
}

/** The same at any depth below them. The first time every folder is looked into, later those that changed since. */
export async function learnDotenvBelow(folders: Iterable<string>): Promise<void> {
  for (const folder of new Set(folders)) {
    // Whoever comes while a folder is looked into waits for that: what is known by then is not yet all.
    const mine = (looking.get(folder) ?? Promise.resolve()).then(async () => {
      const steps = lookBelow(folder);
      while (!steps.next().done) await turn();
    });
    looking.set(folder, mine);
    await mine;
  }
}

const looking = new Map<string, Promise<void>>();

/** Those at any depth below the workspace folder, and those of the folder where a shell is, which may lie outside of it. */
export async function learnDotenvAround(workspace: string, folder: string): Promise<void> {
  learnDotenv([folder]);
  await learnDotenvBelow([workspace]);
}

/** The same as `learnDotenvBelow` in one go. */
export function learnDotenvBelowAtOnce(folders: Iterable<string>): void {
  for (const folder of new Set(folders)) for (const steps = lookBelow(folder); !steps.next().done;);
}

/** Yields whenever other work may go on. */
function* lookBelow(root: string): Generator<undefined> {
  const tree = trees.get(root) ?? { changed: new Map<string, number>(), files: new Set<string>() };
  trees.set(root, tree);
  // A file whose text changed leaves its folder as it was.
  for (const file of tree.files) learnFile(file);
  const waiting = [...new Set([root, ...tree.changed.keys()])];
  for (let looked = 1; waiting.length > 0; looked++) {
    if (looked % atOnce === 0) yield;
    const folder = waiting.pop()!;
    const time = changeOf(folder);
    if (time === undefined) tree.changed.delete(folder);
    if (time === undefined || tree.changed.get(folder) === time) continue;
    for (const below of lookInto(folder, tree)) {
      if (!tree.changed.has(below) && tree.changed.size + waiting.length < mostFolders) waiting.push(below);
    }
    // One that changed just now may change once more without another time.
    tree.changed.set(folder, Date.now() - time < sameTime ? 0 : time);
  }
}

/** Learns from the files of a folder; answers with the folders in it. Links are not followed: they lead to what is looked at anyway, or out of it. */
function lookInto(folder: string, { files }: Tree): string[] {
  let entries: fs.Dirent[];
  try { entries = fs.readdirSync(folder, { withFileTypes: true }); } catch { return []; }
  for (const { name } of entries) {
    if (!isDotenvName(name)) continue;
    files.add(path.join(folder, name));
    learnFile(path.join(folder, name));
  }
  return entries.filter(entry => entry.isDirectory() && !passedOver.has(entry.name)).map(({ name }) => path.join(folder, name));
}

const isDotenvName = (name: string): boolean => name.startsWith('.') && isDotenv(name);

function changeOf(folder: string): number | undefined {
  try {
    return fs.statSync(folder, { throwIfNoEntry: false })?.mtimeMs;
  } catch {
    return undefined;
  }
}

function learnFile(file: string): void {
  try {
    const { mtimeMs, size, ino } = fs.statSync(file);
    const state = `${ino} ${size} ${mtimeMs}`;
    if (size > most || known.get(file) === state || !fs.statSync(file).isFile()) return;
    secrets.learn(...secretsOfDotenv(fs.readFileSync(file, 'utf8')));
    known.set(file, state);
  } catch { /* it cannot be read here; what reads it elsewhere is masked by shape */ }
}
