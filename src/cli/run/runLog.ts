import fs from 'node:fs';
import path from 'node:path';
import { checkpointStore } from '../../adapters/checkpoints/checkpointStore';
import { errorCode } from '../../adapters/files/fileProblems';
import { openEventLog, readEventLog, readHeader, type EventLog, sessionName } from '../../adapters/log/eventLog';
import type { TornEnd } from '../../adapters/log/readLog';
import { makeFolders } from '../../adapters/storage/durableFile';
import type { MadeWorktree } from '../../adapters/sessions/worktree';
import {
  hasOtherCommit,
  removeWorktree,
  sweepWorktrees,
  useWorktree,
  changesToBringBack,
  worktreeAt,
} from '../../adapters/sessions/worktrees';
import { isSubmitted, waitsForPerson } from '../../core/log/status';
import { settingsOf } from '../../core/log/runSettings';
import type { History } from '../../core/log/projection';
import type { Event, Worktree } from '../../protocol/events/event';
import { needTrust } from '../consent/folderTrust';
import { storedHookConsent } from '../consent/hookConsent';
import { printMaskedToStderr } from '../output/masked';
import { decidesByName } from './begin';
import { commandFor } from './continueCommand';
import { folderAt } from './folderAt';
import { logToContinue } from '../../adapters/sessions/namedSession';
import type { RunOptions } from './runOptions';
import { checkpointFolder, storedSessions } from './workplace';
import { changedFileCount } from '../../core/text/amounts';
import { withCommas } from '../../core/text/withCommas';

/** The log of a run, open for writing. */
export interface RunLog {
  readonly file: string;
  /** Existing events; empty for a new session. */
  readonly events: readonly Event[];
  readonly store: EventLog;
  /** The folder of the session. */
  readonly root: string;
  /** Set if the session begins in its own worktree. */
  readonly worktree?: Worktree;
  /** True if the log continues another one. */
  readonly forked: boolean;
  /** `known`: all current events, if the caller has them. */
  close(known: readonly Event[] | undefined): Promise<void>;
}

/**
 * Opens the log that the options name, or a new one, and creates the worktree if requested. Rejects with an `Error`
 * with a message for people.
 */
export async function openRunLog(task: string, options: RunOptions, wantedFolder: string | undefined): Promise<RunLog> {
  const sessions = storedSessions();
  const file = path.resolve(
    options.log === undefined
      ? sessions.logOf(sessions.newId())
      : logToContinue(options.log, wantedFolder ?? process.cwd(), sessions),
  );
  const id = sessions.idOf(file);
  const { fork } = options;
  // Checked first, so that a session that does not begin leaves no log.
  if (fork === undefined && !fs.existsSync(file)) await needTrust(rootOf([], wantedFolder), options);
  if (fork !== undefined) {
    const { forkTo } = await import('./forkTo');
    await forkTo(file, fork, options, (events) => needTrust(rootOf(events, wantedFolder), options));
  }
  const begins = options.log === undefined && fork === undefined;
  if (begins) needSessionsFolder(path.dirname(path.dirname(file)));
  const openSession = (known: string) => (begins ? sessions.begin(known) : sessions.open(known));
  const { events, store, problem, torn } = id === undefined ? openEventLog(file) : openSession(id);
  if (!store) throw new Error(problem);
  let made: MadeWorktree | undefined;
  const close = async (known: readonly Event[] | undefined): Promise<void> => {
    await store.close();
    if (id !== undefined) sessions.remember(id, known ?? readEventLog(file).events, store.position);
    const hasBegun = (known ?? readEventLog(file).events).some(({ type }) => type === 'task_started');
    if (made && !hasBegun) removeWorktree(made.id);
  };
  try {
    if (torn) noteTornEnd(torn, file);
    if (events.length === 0 && decidesByName(options))
      throw new Error('A new session has no actions that wait for approval. Name the log of the session with --log.');
    if (options.worktree && events.length > 0)
      throw new Error(`${file} already contains a session. Remove --worktree, or name another --log.`);
    const folder = rootOf(events, wantedFolder);
    // An existing file may contain no session yet.
    await needTrust(folder, options);
    if (options.worktree) made = await worktreeForRun(task, folder, file, options);
    const root = made?.root ?? folder;
    return { file, events, store, root, forked: fork !== undefined, close, ...(made && { worktree: made.worktree }) };
  } catch (error) {
    await close(undefined);
    throw error;
  }
}

/** Says what a crash left at the end of the log. */
function noteTornEnd({ bytes, isZeros }: TornEnd, file: string): void {
  const size = `${withCommas(bytes)} ${bytes === 1 ? 'byte' : 'bytes'}`;
  const what = isZeros ? `${size} of zeros` : `the beginning of an event (${size})`;
  printMaskedToStderr(
    `The log ends with ${what}, as a crash leaves it. The next event replaces that; it is kept in ${file}.torn-NUMBER.`,
  );
}

/** Throws if the folder of all sessions cannot be used, whatever the time: then the log cannot be written either. */
function needSessionsFolder(folder: string): void {
  try {
    makeFolders(folder);
    fs.accessSync(folder, fs.constants.W_OK);
  } catch (error) {
    const code = errorCode(error) ?? '';
    if (['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST'].includes(code))
      throw new Error(
        `Nothing was started: the folder for sessions, ${folder}, cannot be written (${code}). Set XDG_STATE_HOME to a folder that can be written, or name a file with --log.`,
      );
  }
}

/** A session continues where it began. */
function rootOf(events: readonly Event[], wanted: string | undefined): string {
  const began = settingsOf(events)?.cwd;
  const isInWorktree = events.some((event) => event.type === 'task_started' && event.worktree);
  if (isInWorktree && began !== undefined && !fs.existsSync(began))
    throw new Error(
      `The worktree of this session, ${began}, was removed, so it cannot continue. "waymark changes" and "waymark bring-back" still know its changes; start another session for more work.`,
    );
  if (began !== undefined && wanted !== undefined && began !== wanted)
    throw new Error(`This session works in ${began}. Remove --cwd, or start another session with another --log.`);
  return wanted ?? folderAt(began ?? '.');
}

/** Creates the worktree of a new run, after removing leftovers of killed runs. */
async function worktreeForRun(
  task: string,
  folder: string,
  file: string,
  { uncommitted = false, group }: RunOptions,
): Promise<MadeWorktree> {
  await sweepWorktrees();
  const { makeWorktree } = await import('../../adapters/sessions/worktree');
  const made = await makeWorktree({
    folder,
    session: sessionName(file),
    log: file,
    task: task.split('\n')[0]!.slice(0, 200),
    uncommitted,
    ...(group !== undefined && { group }),
  });
  for (const note of made.notes) printMaskedToStderr(note);
  await storedHookConsent().agreeAsIn(folder, made.root);
  useWorktree(made.id);
  return made;
}

/** Prints how to see and undo what a run changed in the folder itself, unless it waits for somebody. */
export async function afterRunInFolder(
  history: History,
  file: string,
  { json, group }: Pick<RunOptions, 'json' | 'group'>,
): Promise<void> {
  if (json || group !== undefined || waitsForPerson(history)) return;
  if (history.some((event) => event.type === 'task_started' && event.worktree)) return;
  const files = await changedFilesOf(history, file);
  if (files === 0) return;
  const command = (name: string): string => commandFor(file, name);
  printMaskedToStderr(
    `${changedFileCount(files)}. See ${files === 1 ? 'it' : 'them'} with "${command('changes')}", undo with "${command('undo')}".`,
  );
}

/** Counts the files that a run changed, also through commands. Without checkpoints, only its edits are known. */
async function changedFilesOf(history: History, file: string): Promise<number> {
  const { RunChanges } = await import('../../adapters/checkpoints/restoring/runChanges');
  const run = new RunChanges(file, checkpointStore(checkpointFolder()), (shown) => shown);
  if (!run.record.isKept) {
    const shared = readHeader(file)?.parent?.seq ?? -1;
    const edits = history.flatMap((event) =>
      event.seq > shared && event.type === 'observation' && event.details?.kind === 'edit' && !event.details.held
        ? event.details.changes
        : [],
    );
    return new Set(edits.map(({ path: changed }) => changed)).size;
  }
  return run.changedFileCount();
}

/** Prints where the changes of a run are. Removes a worktree in which nothing is left to do. */
export async function afterWorktreeRun(
  history: History,
  file: string,
  { json, group }: Pick<RunOptions, 'json' | 'group'>,
): Promise<void> {
  // The process that compares it with others prints the next steps.
  if (group !== undefined) return;
  const began = history.find((event) => event.type === 'task_started');
  const worktree = began?.worktree && worktreeAt(began.cwd);
  if (!worktree) return;
  const waiting = await changesToBringBack(worktree);
  const isOnlyCommitted = waiting?.length === 0 && (await hasOtherCommit(worktree));
  if (waiting?.length === 0 && !isOnlyCommitted && isSubmitted(history)) {
    removeWorktree(worktree.id);
    if (!json) printMaskedToStderr('The run changed nothing, and its worktree was removed.');
    return;
  }
  if (json) return;
  if (isOnlyCommitted)
    return printMaskedToStderr(
      `No changed files wait, but another commit is checked out in the worktree, so it stays: ${worktree.root}`,
    );
  const command = (name: string): string => commandFor(file, name);
  const count = waiting === undefined ? 'Its changes' : changedFileCount(waiting.length);
  const [verb, them] = waiting?.length === 1 ? ['waits', 'it'] : ['wait', 'them'];
  printMaskedToStderr(
    `${count} ${verb} in the worktree ${worktree.root}. See ${them} with "${command('changes')}", bring ${them} back with "${command('bring-back')}".`,
  );
}
