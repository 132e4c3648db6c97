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
interface Found {
  readonly absolute: string;
  readonly depth: number;
  readonly rules: readonly Rules[];
  readonly kind: DirectoryEntry['kind'];
}

export interface ListingParts {
  readonly display: (absolute: string) => string;
  readonly isUnlisted: (absolute: string) => boolean;
  readonly holding: Holding;
}

/**
 * Lists entries below a folder in tree order, folders first. Reads level by level, so that a limit cuts depth before
 * breadth. Links are listed but never followed, so loops are impossible. Unreadable folders are skipped.
 */
export async function listFolder(
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

  const leftOut = agentIgnoring();
  const found: Found[] = [];
  const top = readFolder(place.folder, place.absolute, holding, place.display);
  if (!top) return { entries: [{ path: place.display, kind: 'file' }], truncated: false };
  let rules: readonly Rules[] = [];
  for (const above of foldersAbove(place))
    rules = rulesIn(above, fs.readdirSync(above, { withFileTypes: true }), rules);
  const queue: { absolute: string; depth: number; rules: readonly Rules[] }[] = [
    { absolute: place.absolute, depth: 0, rules },
  ];
  for (let next = queue.shift(); next; next = queue.shift()) {
    const listed = next.depth === 0 ? top : tryRead(place.folder, next.absolute, holding);
    const inner = rulesIn(next.absolute, listed, next.rules);
    for (const entry of listed.sort(byName)) {
      const absolute = path.join(next.absolute, entry.name);
      const kind = entryKind(entry);
      if (
        entry.name === '.git' ||
        isUnlisted(absolute) ||
        isIgnored(absolute, kind === 'folder', inner) ||
        leftOut({ folder: place.folder, absolute }, kind === 'folder')
      )
        continue;
      if (found.length === limit) return { entries: inTreeOrder(found, place.absolute, display), truncated: true };
      found.push({ absolute, depth: next.depth + 1, rules: inner, kind });
      if (kind === 'folder' && next.depth + 1 < depth) queue.push({ absolute, depth: next.depth + 1, rules: inner });
    }
  }
  return { entries: inTreeOrder(found, place.absolute, display), truncated: false };
}

/** Returns undefined if the path is a file. */
function readFolder(folder: string, absolute: string, holding: Holding, shown: string): fs.Dirent[] | undefined {
  try {
    if (fs.lstatSync(absolute).isFile()) return undefined;
    const held = holdFolder(folder, absolute, holding);
    try {
      const listed = fs.readdirSync(held.at('.'), { withFileTypes: true });
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

function tryRead(folder: string, absolute: string, holding: Holding): fs.Dirent[] {
  try {
    return readFolder(folder, absolute, holding, absolute) ?? [];
  } catch {
    return [];
  }
}

function foldersAbove({ folder, absolute }: WorkspacePath): string[] {
  const names = path.relative(folder, absolute).split(path.sep).filter(Boolean);
  return names.map((_, index) => path.join(folder, ...names.slice(0, index)));
}

function isIgnored(absolute: string, folder: boolean, rules: readonly Rules[]): boolean {
  let ignored = false;
  for (const { folder: base, ignores } of rules) {
    const relative = withSlashes(path.relative(base, absolute)) + (folder ? '/' : '');
    const verdict = ignores.test(relative);
    if (verdict.ignored) ignored = true;
    else if (verdict.unignored) ignored = false;
  }
  return ignored;
}

function inTreeOrder(found: readonly Found[], top: string, display: (absolute: string) => string): DirectoryEntry[] {
  const key = ({ absolute, kind }: Found): string => {
    const names = path.relative(top, absolute).split(path.sep);
    return names
      .map((name, index) => (index < names.length - 1 || kind === 'folder' ? '\u0001' : '\u0002') + name)
      .join('\u0000');
  };
  return found
    .map((entry) => ({ entry, sort: key(entry) }))
    .sort((a, b) => compareTexts(a.sort, b.sort))
    .map(({ entry }) => ({ path: display(entry.absolute), kind: entry.kind }));
}

function entryKind(entry: fs.Dirent): DirectoryEntry['kind'] {
  if (entry.isDirectory()) return 'folder';
  if (entry.isFile()) return 'file';
  return entry.isSymbolicLink() ? 'link' : 'other';
}

/** Folders first, so that a limit keeps the shape of the tree. */
function byName(a: fs.Dirent, b: fs.Dirent): number {
  return Number(b.isDirectory()) - Number(a.isDirectory()) || (a.name < b.name ? -1 : 1);
}
