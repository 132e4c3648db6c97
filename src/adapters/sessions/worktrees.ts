import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { shownChanges, wholeRun, type ChangeScope, type FileChanges } from '../../core/changes/changesOf';
import { startedActions } from '../../core/log/openActions';
import { checkpointStore } from '../checkpoints/checkpointStore';
import { heldEditsOf } from '../checkpoints/heldEdits/heldEditsFile';
import { journalOf, readJournal } from '../checkpoints/journal';
import { RunChanges } from '../checkpoints/restoring/runChanges';
import { git } from '../git/safeGit';
import { readEventLog } from '../log/eventLog';
import { makeFolder, writeDurably } from '../storage/durableFile';
import { isAlive, isLocked, thisProcess } from '../storage/fileLock';
import { worktreesFolder } from '../storage/stateFolder';
import { isWithin } from '../storage/diskPaths';

/**
 * The worktrees of all runs of one user, no matter which program started them: a folder each, with a note about its
 * owner. The note is written first, so that leftovers of a killed program can be identified.
 */

const Note = z.object({
  session: z.string(),
  log: z.string(),
  task: z.string(),
  /** The workspace folder. */
  of: z.string(),
  /** Identifies runs on the same task that are compared with each other. */
  group: z.string().optional(),
  made: z.number(),
  owner: z.object({ pid: z.number(), start: z.string(), place: z.string().optional() }),
  /** Folder in which the session works; absent while the worktree is being created. */
  root: z.string().optional(),
  commit: z.string().optional(),
  uncommitted: z.boolean().optional(),
  /** True once a session has started to work in it. */
  begun: z.boolean().optional(),
});
type Note = z.infer<typeof Note>;

/** An existing worktree. */
export interface KnownWorktree extends Note {
  readonly id: string;
  /** The folder that contains only this worktree. */
  readonly folder: string;
  readonly root: string;
  /** True if a program is working in it right now. */
  readonly isInUse: boolean;
}

const noteName = 'worktree.json';
const dayMs = 24 * 60 * 60_000;
/** How long a worktree without pending changes is kept, in case its session continues. */
const retentionMs = 7 * dayMs;
/** Minimum age of a folder without a readable note before it is deleted. */
const unknownMs = dayMs;

interface WorktreePlace {
  readonly id: string;
  readonly folder: string;
  readonly note: Note;
}

/** Records that a worktree is about to be created. `id`: its folder, named after the session. */
export function beginWorktree({
  session,
  log,
  task,
  of,
  group,
}: Pick<Note, 'session' | 'log' | 'task' | 'of' | 'group'>): WorktreePlace {
  const id = `${session.replace(/[^\w.-]/g, '_').slice(0, 60)}-${crypto.randomUUID().slice(0, 4)}`;
  const folder = path.join(fs.realpathSync(madeFolder(worktreesFolder())), id);
  fs.mkdirSync(folder, { mode: 0o700 });
  const note: Note = {
    session,
    log: path.resolve(log),
    task,
    of,
    ...(group !== undefined && { group }),
    made: Date.now(),
    owner: thisProcess(),
  };
  writeDurably(path.join(folder, noteName), [JSON.stringify(note)]);
  return { id, folder, note };
}

function madeFolder(folder: string): string {
  makeFolder(folder);
  return folder;
}

/** Records that it was created. */
export function readyWorktree(
  { folder, note }: WorktreePlace,
  created: { readonly root: string; readonly commit: string; readonly uncommitted: boolean },
): void {
  const { root, commit, uncommitted } = created;
  writeDurably(path.join(folder, noteName), [JSON.stringify({ ...note, root, commit, uncommitted })]);
}

/** Records that a session starts to work in it: from then on it may contain the only copy of something. */
export function useWorktree(id: string): void {
  const folder = path.join(worktreesFolder(), id);
  const note = noteIn(folder);
  if (note) writeDurably(path.join(folder, noteName), [JSON.stringify({ ...note, begun: true })]);
}

/** Returns the completed worktrees, oldest first. */
export function listWorktrees(): KnownWorktree[] {
  return entries().flatMap(({ id, folder, note }) => {
    if (note?.root === undefined) return [];
    return [{ ...note, id, folder, root: note.root, isInUse: isLocked(`${note.log}.lock`) }];
  });
}

/** Returns the worktree whose `root` is this folder. */
export const worktreeAt = (root: string): KnownWorktree | undefined =>
  listWorktrees().find((each) => each.root === root);

/** Returns the worktree that contains a folder, or is it. */
export const worktreeAround = (folder: string): KnownWorktree | undefined =>
  listWorktrees().find(({ root }) => isWithin(folder, root));

function entries(): { readonly id: string; readonly folder: string; readonly note: Note | undefined }[] {
  const all = worktreesFolder();
  const names = fs.existsSync(all) ? fs.readdirSync(all).sort() : [];
  return names.map((id) => ({ id, folder: path.join(all, id), note: noteIn(path.join(all, id)) }));
}

function noteIn(folder: string): Note | undefined {
  try {
    return Note.safeParse(JSON.parse(fs.readFileSync(path.join(folder, noteName), 'utf8'))).data;
  } catch {
    return undefined;
  }
}

/**
 * Deletes a worktree with all its content. The note is deleted last: the next sweep completes an interrupted deletion.
 */
export function removeWorktree(id: string): void {
  const folder = path.join(worktreesFolder(), path.basename(id));
  if (!fs.existsSync(folder)) return;
  for (const name of fs.readdirSync(folder)) if (name !== noteName) removeAll(path.join(folder, name));
  removeAll(folder);
}

/** Also deletes what a command made read-only. */
function removeAll(place: string): void {
  try {
    fs.rmSync(place, { recursive: true, force: true });
  } catch (error) {
    if (!['EACCES', 'EPERM', 'ENOTEMPTY'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    makeWritable(place);
    fs.rmSync(place, { recursive: true, force: true });
  }
}

function makeWritable(folder: string): void {
  if (!fs.lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  fs.chmodSync(folder, 0o700);
  for (const entry of fs.readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) makeWritable(path.join(folder, entry.name));
}

type Changed = readonly FileChanges[] | undefined;

/**
 * Returns the changes of a worktree that were not brought back. Undefined if that is unknown: deleting it may then lose
 * something.
 */
export const changesToBringBack = (worktree: Pick<KnownWorktree, 'log' | 'root'>): Promise<Changed> =>
  changesIn(worktree, wholeRun);

/** Returns all changes of its session in a worktree, including those brought back. Undefined if that is unknown. */
export const allChangesIn = (worktree: Pick<KnownWorktree, 'log' | 'root'>): Promise<Changed> =>
  changesIn(worktree, { ...wholeRun, respectsKept: false });

async function changesIn({ log, root }: Pick<KnownWorktree, 'log' | 'root'>, scope: ChangeScope): Promise<Changed> {
  // Edits held for approval are not in any file yet.
  if (fs.existsSync(heldEditsOf(log))) return undefined;
  const opened = readJournal(journalOf(log)).entries.find((entry) => entry.type === 'opened');
  if (opened?.type !== 'opened') return isKnownToBeUnchanged(log) ? [] : undefined;
  const changes = new RunChanges(log, checkpointStore(opened.store), (file) => path.relative(root, file));
  await changes.refresh();
  if (changes.record.cleaned || changes.record.problems.length > 0) return undefined;
  const files = shownChanges(await changes.changes(scope));
  const isUnsure = changes.record.uncovered.length > 0 || changes.record.hasOpenAction;
  return files.length === 0 && isUnsure ? undefined : files;
}

/**
 * Returns whether the checked-out commit differs from the initial one: a commit of the session exists in no other
 * folder.
 */
export async function hasOtherCommit({ root, commit }: Pick<KnownWorktree, 'root' | 'commit'>): Promise<boolean> {
  if (!fs.existsSync(root)) return false;
  const head = await git(root, ['rev-parse', '--verify', '--quiet', 'HEAD']);
  return head?.toString('utf8').trim() !== commit;
}

/**
 * Returns whether a worktree without pending changes has a commit that exists nowhere else, and no change of it was
 * brought back. Deleting the worktree would lose that commit.
 */
export async function hasOnlyCommits(worktree: Pick<KnownWorktree, 'log' | 'root' | 'commit'>): Promise<boolean> {
  const isBroughtBack = ((await allChangesIn(worktree))?.length ?? 0) > 0;
  return !isBroughtBack && (await hasOtherCommit(worktree));
}

/**
 * Without a journal no action changed a file, unless one was interrupted or copies could not be made, which logs a
 * warning.
 */
function isKnownToBeUnchanged(log: string): boolean {
  if (!fs.existsSync(log)) return false;
  const { events, problem } = readEventLog(log);
  if (problem !== undefined) return false;
  const hasWarning = events.some(
    (event) => event.type === 'notice' && event.level === 'warning' && event.about !== 'sandbox_limited',
  );
  return !hasWarning && startedActions(events).length === 0;
}

/**
 * Deletes incomplete worktrees of killed programs, and those without pending changes that were not used for a week.
 * Returns their ids. Never deletes one with changes that were not brought back, even if they are only commits.
 */
export async function sweepWorktrees(now = Date.now()): Promise<string[]> {
  const swept: string[] = [];
  for (const { id, folder, note } of entries()) {
    if (!(await isLeft(folder, note, now))) continue;
    removeWorktree(id);
    swept.push(id);
  }
  return swept;
}

async function isLeft(folder: string, note: Note | undefined, now: number): Promise<boolean> {
  // Killed before it wrote its note, or while it deleted the folder.
  if (!note) return isEmptyFolder(folder) && lastUsed(folder) < now - unknownMs;
  if (note.root === undefined) return isAlive(note.owner) === false;
  if (isLocked(`${note.log}.lock`) || isAlive(note.owner) === undefined) return false;
  // Killed before its session began: nobody worked in it.
  if (!note.begun) return isAlive(note.owner) === false;
  if (Math.max(lastUsed(note.log), note.made) > now - retentionMs) return false;
  const worktree = { ...note, root: note.root };
  const waiting = await changesToBringBack(worktree);
  return waiting?.length === 0 && !(await hasOnlyCommits(worktree));
}

const isEmptyFolder = (folder: string): boolean =>
  fs.statSync(folder).isDirectory() && fs.readdirSync(folder).length === 0;

const lastUsed = (place: string): number => fs.statSync(place, { throwIfNoEntry: false })?.mtimeMs ?? 0;
