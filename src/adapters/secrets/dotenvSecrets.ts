import fs from 'node:fs';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { secrets } from '../../core/secrets/secrets';
import { isDotenv, secretsOfDotenv } from '../../core/secrets/secretValues';
import { couldChangeUnseen, FolderStamps, isSame, stampOf, type FolderStamp } from '../storage/folderStamps';

const most = 256 * 1024;
const mostFolders = 20_000;
/** How many folders are read before other work gets a turn. */
const atOnce = 500;
/**
 * Packages and the innards of version control hold what others published, and there is a great deal of it. What Git
 * ignores is looked at: `.env` files usually are ignored.
 */
const passedOver = new Set(['node_modules', 'site-packages', '.git', '.hg', '.svn']);

/** When each file was read, by what the system says about it. */
const known = new Map<string, string>();

/**
 * What is known of the folders below one: the stamp of each, so that only those that changed are looked
 * into again. Undefined: look again anyway.
 */
interface Tree {
  readonly changed: Map<string, FolderStamp | undefined>;
  readonly files: Set<string>;
}
const trees = new Map<string, Tree>();

/**
 * Learns the values of the `.env` files of these folders, so that whatever prints
 * them is masked. They are told to nobody.
 */
export function learnDotenv(folders: Iterable<string>): void {
  for (const folder of new Set(folders)) {
    let names: string[];
    try {
      names = fs.readdirSync(folder);
    } catch {
      continue;
    }
    for (const name of names) if (isDotenvName(name)) learnFile(path.join(folder, name));
  }
}

/**
 * The same at any depth below them. The first time every folder is looked into, later those that changed
 * since. Gives the stamps that it asked for.
 */
export async function learnDotenvBelow(folders: Iterable<string>): Promise<FolderStamps> {
  let stamps = new FolderStamps();
  for (const folder of new Set(folders)) {
    // Callers that arrive while a folder is being read wait for it: until then not all secrets are known.
    const mine = (looking.get(folder) ?? Promise.resolve()).then(async () => {
      stamps = new FolderStamps();
      const steps = lookBelow(folder, stamps);
      while (!steps.next().done) await turn();
    });
    looking.set(folder, mine);
    await mine;
  }
  return stamps;
}

const looking = new Map<string, Promise<void>>();

/**
 * Looks around a workspace before and after each command, since both it and others may write `.env` files at any time.
 */
export class DotenvAround {
  #stamps: FolderStamps | undefined;

  constructor(private readonly workspace: string) {}

  /** Stamps of folders from after the last command, where nothing that it began could have changed them since. */
  get stamps(): FolderStamps | undefined {
    return this.#stamps;
  }

  /** `folder`: where the shell is, which may lie outside of the workspace. */
  async before(folder: string): Promise<void> {
    this.#stamps = undefined;
    await this.#learn(folder);
  }

  /** `alone`: nothing runs any more that could change a folder. */
  async after(folder: string, alone: boolean): Promise<void> {
    const stamps = await this.#learn(folder);
    this.#stamps = alone ? stamps : undefined;
  }

  async #learn(folder: string): Promise<FolderStamps> {
    const stamps = await learnDotenvBelow([this.workspace]);
    const isBelow = trees.get(this.workspace)?.changed.has(folder) === true;
    if (!isBelow) learnDotenv([folder]);
    return stamps;
  }
}

/** The same as `learnDotenvBelow` in one go. */
export function learnDotenvBelowAtOnce(folders: Iterable<string>): void {
  for (const folder of new Set(folders)) for (const steps = lookBelow(folder, new FolderStamps()); !steps.next().done;);
}

/** Yields whenever other work may go on. */
function* lookBelow(root: string, stamps: FolderStamps): Generator<undefined> {
  const tree = trees.get(root) ?? { changed: new Map<string, FolderStamp | undefined>(), files: new Set<string>() };
  trees.set(root, tree);
  // A file whose text changed leaves its folder as it was.
  for (const file of tree.files) learnFile(file);
  const waiting = [...new Set([root, ...tree.changed.keys()])];
  for (let looked = 1; waiting.length > 0; looked++) {
    if (looked % atOnce === 0) yield;
    const folder = waiting.pop()!;
    // The workspace itself may be named by a link.
    const stamp = folder === root ? stampOf(root, true) : stamps.of(folder);
    const known = tree.changed.get(folder);
    if (stamp === undefined) tree.changed.delete(folder);
    if (stamp === undefined || (known && isSame(stamp, known))) continue;
    for (const below of lookInto(folder, tree)) {
      if (!tree.changed.has(below) && tree.changed.size + waiting.length < mostFolders) waiting.push(below);
    }
    tree.changed.set(folder, couldChangeUnseen(stamp.modifiedMs) ? undefined : stamp);
  }
}

/**
 * Learns from the files of a folder; answers with the folders in it. Links are not followed: they lead
 * to what is looked at anyway, or out of it.
 */
function lookInto(folder: string, { files }: Tree): string[] {
  let entries: fs.Dirent[];
  try {
    entries = fs.readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
  for (const { name } of entries) {
    if (!isDotenvName(name)) continue;
    files.add(path.join(folder, name));
    learnFile(path.join(folder, name));
  }
  return entries
    .filter((entry) => entry.isDirectory() && !passedOver.has(entry.name))
    .map(({ name }) => path.join(folder, name));
}

const isDotenvName = (name: string): boolean => name.startsWith('.') && isDotenv(name);

function learnFile(file: string): void {
  try {
    const stats = fs.statSync(file);
    const { ctimeMs, mtimeMs, size, ino } = stats;
    const state = `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
    if (size > most || known.get(file) === state || !stats.isFile()) return;
    secrets.learn(...secretsOfDotenv(fs.readFileSync(file, 'utf8')));
    known.set(file, state);
  } catch {
    /* it cannot be read here; what reads it elsewhere is masked by shape */
  }
}
