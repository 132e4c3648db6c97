import fs from 'node:fs';
import path from 'node:path';
import { secrets } from '../../core/secrets/secrets';
import { Slices } from '../../core/text/slices';
import { isDotenv, secretsOfDotenv, secretsOfEnvironment } from '../../core/secrets/secretValues';
import {
  couldChangeUnnoticed,
  FolderStamps,
  isSameStamp,
  folderStamp,
  type FolderStamp,
} from '../storage/folderStamps';
import { withoutEnvironmentFiles } from '../storage/skippedFolders';
import type { History } from '../../core/log/projection';

const maxFileBytes = 256 * 1024;
const maxFolders = 20_000;

/** The stat of each file when it was last read. */
const lastStats = new Map<string, string>();

/**
 * The folders below a root, each with its stamp, so that only changed ones are read again. An undefined stamp forces a
 * new read.
 */
interface Tree {
  readonly changed: Map<string, FolderStamp | undefined>;
  readonly files: Set<string>;
}
const trees = new Map<string, Tree>();

/**
 * Learns the values of the `.env` files of these folders, so that they are masked in all output. Reveals them to
 * nobody.
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
 * Same as `learnDotenv`, at any depth below the folders. The first call reads every folder, later ones only those that
 * changed. Returns the stamps that it took.
 */
export async function learnDotenvBelow(folders: Iterable<string>): Promise<FolderStamps> {
  let stamps = new FolderStamps();
  for (const folder of new Set(folders)) {
    // Callers that arrive while a folder is being read wait for it: until then not all secrets are known.
    const mine = (looking.get(folder) ?? Promise.resolve()).then(() => {
      stamps = new FolderStamps();
      return scanFolders(folder, stamps);
    });
    looking.set(folder, mine);
    await mine;
  }
  return stamps;
}

const looking = new Map<string, Promise<void>>();

/** Scans a workspace before and after each command, since the command or others may write `.env` files at any time. */
export class DotenvAround {
  #stamps: FolderStamps | undefined;

  constructor(private readonly workspace: string) {}

  /** Folder stamps from after the last command, if nothing that it started could have changed the folders since. */
  get stamps(): FolderStamps | undefined {
    return this.#stamps;
  }

  /** `folder`: the shell's working directory, which may be outside the workspace. */
  async beforeCommand(folder: string): Promise<void> {
    this.#stamps = undefined;
    await this.#learn(folder);
  }

  /** `alone`: nothing is running that could change a folder. */
  async afterCommand(folder: string, alone: boolean): Promise<void> {
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

async function scanFolders(root: string, stamps: FolderStamps): Promise<void> {
  const tree = trees.get(root) ?? { changed: new Map<string, FolderStamp | undefined>(), files: new Set<string>() };
  trees.set(root, tree);
  // Changing a file's text leaves its folder unchanged.
  for (const file of tree.files) learnFile(file);
  await stamps.ahead(tree.changed.keys());
  const waiting = [...new Set([root, ...tree.changed.keys()])];
  const slices = new Slices();
  while (waiting.length > 0) {
    if (slices.isOver) await slices.rest();
    const folder = waiting.pop()!;
    // The workspace itself may be a link.
    const stamp = folder === root ? folderStamp(root, { follows: true }) : stamps.of(folder);
    const known = tree.changed.get(folder);
    if (stamp === undefined) tree.changed.delete(folder);
    if (stamp === undefined || (known && isSameStamp(stamp, known))) continue;
    for (const below of scanFolder(folder, tree)) {
      if (!tree.changed.has(below) && tree.changed.size + waiting.length < maxFolders) waiting.push(below);
    }
    tree.changed.set(folder, couldChangeUnnoticed(stamp.modifiedMs) ? undefined : stamp);
  }
}

/**
 * Learns from the files of a folder; returns its subfolders. Does not follow links: they lead to what is read anyway,
 * or out of the workspace.
 */
function scanFolder(folder: string, { files }: Tree): string[] {
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
    .filter((entry) => entry.isDirectory() && !withoutEnvironmentFiles.has(entry.name))
    .map(({ name }) => path.join(folder, name));
}

const isDotenvName = (name: string): boolean => name.startsWith('.') && isDotenv(name);

function learnFile(file: string): void {
  try {
    const stats = fs.statSync(file);
    const { ctimeMs, mtimeMs, size, ino } = stats;
    const state = `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
    if (size > maxFileBytes || lastStats.get(file) === state || !stats.isFile()) return;
    secrets.learn(...secretsOfDotenv(fs.readFileSync(file, 'utf8')));
    lastStats.set(file, state);
  } catch {
    /* not readable here; if it is read elsewhere, its values are masked by pattern */
  }
}

/**
 * Learns the secrets of the place where a run happened and of this one, from the environment and from the `.env` files
 * at any depth of its folder and `folders`, so that they are masked when the run is exported.
 */
export async function registerSecrets(history: History, folders: readonly string[]): Promise<void> {
  const cwd = history.find((event) => event.type === 'task_started')?.cwd;
  secrets.learn(...secretsOfEnvironment(process.env).filter((value) => !fs.existsSync(value)));
  await learnDotenvBelow([...folders, ...(cwd && path.isAbsolute(cwd) ? [cwd] : [])]);
}
