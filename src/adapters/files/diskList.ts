import fs from 'node:fs';
import path from 'node:path';
import type { Ignore } from 'ignore';
import { agentIgnoring } from './agentIgnore';
import { FileProblem, type DirectoryEntry } from '../../core/ports/files';
import { errorCode, fileProblemOf } from './fileProblems';
import { holdFolder, type Holding } from './heldFolder';
import type { WorkspacePath } from './workspacePaths';
import { withSlashes } from '../storage/diskPaths';
import { compareTexts } from '../../core/text/order';

/** A .gitignore file and the folder it applies to. */
interface Rules {
  readonly folder: string;
  readonly ignores: Ignore;
}

/** An entry to list. */
interface ListedEntry {
  readonly absolute: string;
  readonly kind: DirectoryEntry['kind'];
}

interface ListingParts {
  readonly display: (absolute: string) => string;
  readonly isUnlisted: (absolute: string) => boolean;
  readonly holding: Holding;
}

/**
 * Lists entries below a folder in tree order, folders first. Reads level by level, so that a limit cuts depth before
 * breadth. Links are listed but never followed, so loops are impossible. Unreadable folders are skipped.
 */
export async function listTree(
  place: WorkspacePath,
  { depth, limit }: { depth: number; limit: number },
  { display, isUnlisted, holding }: ListingParts,
): Promise<{ entries: DirectoryEntry[]; truncated: boolean }> {
  const { default: ignore } = await import('ignore');
  const rulesIn = (folder: string, listed: readonly fs.Dirent[], inherited: readonly Rules[]): readonly Rules[] => {
    if (!listed.some((entry) => entry.name === '.gitignore' && entry.isFile())) return inherited;
    try {
      return [
        ...inherited,
        { folder, ignores: ignore().add(fs.readFileSync(path.join(folder, '.gitignore'), 'utf8')) },
      ];
    } catch {
      return inherited;
    }
  };

  const isLeftOut = agentIgnoring();
  const entries: ListedEntry[] = [];
  const top = readFolder(place.folder, place.absolute, holding, place.display);
  if (!top) return { entries: [{ path: place.display, kind: 'file' }], truncated: false };
  let rules: readonly Rules[] = [];
  for (const above of foldersAbove(place))
    rules = rulesIn(above, fs.readdirSync(above, { withFileTypes: true }), rules);
  const queue: { absolute: string; depth: number; rules: readonly Rules[] }[] = [
    { absolute: place.absolute, depth: 0, rules },
  ];
  for (let next = queue.shift(); next; next = queue.shift()) {
    const listed = next.depth === 0 ? top : readFolderOrNothing(place.folder, next.absolute, holding);
    const rulesInside = rulesIn(next.absolute, listed, next.rules);
    for (const entry of listed.sort(foldersFirst)) {
      const absolute = path.join(next.absolute, entry.name);
      const kind = entryKind(entry);
      const isFolder = kind === 'folder';
      if (
        entry.name === '.git' ||
        isUnlisted(absolute) ||
        isIgnored(absolute, rulesInside, { isFolder }) ||
        isLeftOut({ folder: place.folder, absolute }, isFolder)
      )
        continue;
      if (entries.length === limit) return { entries: inTreeOrder(entries, place.absolute, display), truncated: true };
      entries.push({ absolute, kind });
      if (isFolder && next.depth + 1 < depth) queue.push({ absolute, depth: next.depth + 1, rules: rulesInside });
    }
  }
  return { entries: inTreeOrder(entries, place.absolute, display), truncated: false };
}

/**
 * Returns the entries of a folder, or undefined if the path is a file. `shown`: the path for people. Throws a
 * `FileProblem` if it cannot be read.
 */
function readFolder(folder: string, absolute: string, holding: Holding, shown: string): fs.Dirent[] | undefined {
  try {
    if (fs.lstatSync(absolute).isFile()) return undefined;
    const held = holdFolder(folder, absolute, holding);
    try {
      const listed = fs.readdirSync(held.pathOf('.'), { withFileTypes: true });
      held.verify();
      return listed;
    } finally {
      held.close();
    }
  } catch (thrown) {
    if (errorCode(thrown) !== 'ENOENT') throw fileProblemOf(thrown, shown);
    const words = shown === '.' ? 'The workspace folder no longer exists.' : `There is no folder ${shown}.`;
    throw new FileProblem('missing', words);
  }
}

function readFolderOrNothing(folder: string, absolute: string, holding: Holding): fs.Dirent[] {
  try {
    return readFolder(folder, absolute, holding, absolute) ?? [];
  } catch {
    return [];
  }
}

/** Returns the workspace folder and all folders between it and the path, outermost first. */
function foldersAbove({ folder, absolute }: WorkspacePath): string[] {
  const names = path.relative(folder, absolute).split(path.sep).filter(Boolean);
  return names.map((_, index) => path.join(folder, ...names.slice(0, index)));
}

/** Applies the rules of .gitignore files; deeper files take precedence. */
function isIgnored(absolute: string, rules: readonly Rules[], { isFolder }: { readonly isFolder: boolean }): boolean {
  let ignored = false;
  for (const { folder: base, ignores } of rules) {
    const relative = withSlashes(path.relative(base, absolute)) + (isFolder ? '/' : '');
    const verdict = ignores.test(relative);
    if (verdict.ignored) ignored = true;
    else if (verdict.unignored) ignored = false;
  }
  return ignored;
}

/** Sorts entries like a printed tree: a folder is followed by its content, and in each folder, folders come first. */
function inTreeOrder(
  entries: readonly ListedEntry[],
  top: string,
  display: (absolute: string) => string,
): DirectoryEntry[] {
  const sortKey = ({ absolute, kind }: ListedEntry): string => {
    const names = path.relative(top, absolute).split(path.sep);
    return names
      .map((name, index) => (index < names.length - 1 || kind === 'folder' ? '\u0001' : '\u0002') + name)
      .join('\u0000');
  };
  return entries
    .map((entry) => ({ entry, key: sortKey(entry) }))
    .sort((a, b) => compareTexts(a.key, b.key))
    .map(({ entry }) => ({ path: display(entry.absolute), kind: entry.kind }));
}

function entryKind(entry: fs.Dirent): DirectoryEntry['kind'] {
  if (entry.isDirectory()) return 'folder';
  if (entry.isFile()) return 'file';
  return entry.isSymbolicLink() ? 'link' : 'other';
}

/** Sorts folders before other entries, so that a limit keeps the shape of the tree, and each of them by name. */
function foldersFirst(a: fs.Dirent, b: fs.Dirent): number {
  return Number(b.isDirectory()) - Number(a.isDirectory()) || (a.name < b.name ? -1 : 1);
}
