import fs from 'node:fs';
import path from 'node:path';
import type { FileChanges } from '../../../core/changes/changesOf';
import type { Move } from '../../../core/changes/journalEntry';
import type { FileDelta, FileState } from '../../../core/changes/snapshot';
import { isLeft, type UndoPlan } from '../../../core/changes/undoPlan';
import { namesIn } from '../../storage/lenientReads';
import { cacheTag, isLeftOut, isTaggedCache } from '../coverage';
import { changing } from './openedFolders';
import type { RunFolders } from '../runFolders';

/*
 * A restore writes copies. What has none, such as `node_modules` or a large file, can still be undone if the run only
 * moved it: it is moved back.
 */

/** Returns a plan that also moves back what has no copy. `moved`: what the run moved, in its order. */
export function withMovesBack(plan: UndoPlan, changes: readonly FileChanges[], moved: readonly Move[]): UndoPlan {
  if (moved.length === 0) return plan;
  const files = filesToMove(plan, changes, moved);
  const settled = new Set(files.flatMap(({ from, to }) => [from, to]));
  return {
    ...plan,
    problems: plan.problems.filter((problem) => !isLeft(problem) || !settled.has(problem.path)),
    moves: [...files, ...foldersToMove(plan, moved)],
  };
}

/** Returns where something was before the moves. */
function placeBefore(place: string, moved: readonly Move[]): string {
  const earlier = moved.reduceRight((at, { from, to }) => (isAtOrIn(to, at) ? from + at.slice(to.length) : at), place);
  // What is here may be newer than the moves, or what was moved here may have been moved on.
  return placeAfter(earlier, moved) === place ? earlier : place;
}

/** Returns where something from before the moves is after them. */
const placeAfter = (place: string, moved: readonly Move[]): string =>
  moved.reduce((at, { from, to }) => (isAtOrIn(from, at) ? to + at.slice(from.length) : at), place);

const isAtOrIn = (folder: string, place: string): boolean => place === folder || place.startsWith(folder + path.sep);

/** Files without copies that are the same as before, at another path. */
function filesToMove({ problems }: UndoPlan, changes: readonly FileChanges[], moved: readonly Move[]): Move[] {
  const left = new Set(problems.filter(isLeft).map((problem) => problem.path));
  const reviews = new Map(changes.flatMap((change) => change.reviews.map((review) => [review.path, review])));
  return [...left].flatMap((from) => {
    const to = placeBefore(from, moved);
    const here = reviews.get(from);
    const there = reviews.get(to);
    if (to === from || !left.has(to) || here?.base.state !== null || there?.current.state !== null) return [];
    return isSameFile(here.current.state, there.base.state) ? [{ from, to }] : [];
  });
}

/** A stamp consists of the times of modification and of the last change, and the inode. Only a move changes the second. */
const stampParts = /^(-?[\d.]+)-(-?[\d.]+)-(\d+)$/;

function isSameFile(a: FileState, b: FileState): boolean {
  if (a?.kind !== 'file' || b?.kind !== 'file' || a.hash !== undefined || b.hash !== undefined) return false;
  const [, aModified, , aInode] = stampParts.exec(a.stamp ?? '') ?? [];
  const [, bModified, , bInode] = stampParts.exec(b.stamp ?? '') ?? [];
  return a.size === b.size && a.mode === b.mode && aInode !== undefined && aInode === bInode && aModified === bModified;
}

/** Folders that are never scanned, in folders that the plan creates again under their earlier names. */
function foldersToMove({ restores }: UndoPlan, moved: readonly Move[]): Move[] {
  const created = new Set(restores.filter(({ after }) => after.state?.kind === 'folder').map((each) => each.path));
  const deleted = new Set(restores.filter(({ after }) => after.state === null).map((each) => each.path));
  return restores.flatMap(({ path: folder, before, after }) => {
    if (before.state?.kind !== 'folder' || after.state !== null) return [];
    const earlier = placeBefore(folder, moved);
    if (earlier === folder || !created.has(earlier)) return [];
    return namesIn(folder)
      .filter((name) => !deleted.has(path.join(folder, name)) && isUnscannedFolder(path.join(folder, name)))
      .map((name) => ({ from: path.join(folder, name), to: path.join(earlier, name) }));
  });
}

function isUnscannedFolder(place: string): boolean {
  if (!fs.lstatSync(place, { throwIfNoEntry: false })?.isDirectory()) return false;
  return isLeftOut(path.basename(place), true) || isTaggedCache(path.join(place, cacheTag));
}

/** The changes of files that moves make, with their states before the run. */
export function deltasOfMoves(moves: readonly Move[], changes: readonly FileChanges[]): FileDelta[] {
  const reviews = new Map(changes.flatMap((change) => change.reviews.map((review) => [review.path, review])));
  return moves.flatMap(({ from, to }): FileDelta[] => {
    const [here, there] = [reviews.get(from)?.current.state, reviews.get(to)?.base.state];
    if (here?.kind !== 'file' || there?.kind !== 'file') return [];
    return [
      { path: from, before: here, after: null },
      { path: to, before: null, after: there },
    ];
  });
}

/**
 * Moves what is left after a restore, and then deletes those of the folders that are empty. What cannot be moved stays:
 * something else may be there now.
 */
export function moveBack(moves: readonly Move[], emptied: readonly string[], folders: RunFolders): void {
  for (const { from, to } of moves)
    quietly(() =>
      folders.withPath(from, (source) =>
        changing(to, folders, (target) => {
          if (fs.lstatSync(target, { throwIfNoEntry: false }) === undefined) fs.renameSync(source, target);
        }),
      ),
    );
  if (moves.length === 0) return;
  for (const folder of [...emptied].sort((a, b) => b.length - a.length))
    quietly(() => changing(folder, folders, (place) => fs.rmdirSync(place)));
}

function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // It is gone, or something else is in its place.
  }
}
