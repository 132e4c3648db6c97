import fs from 'node:fs';
import { parseJsonObject } from '../../core/text/parseJson';
import { existingLogPath, readEventLog } from '../log/eventLog';
import { folderOnDisk } from '../storage/diskPaths';
import type { Sessions, SessionSummary } from './sessions';

/** The log of a stored session. */
interface StoredLog {
  readonly id: string;
  readonly file: string;
}

/** Whether a word can be the id of a session. An existing file with that name comes first. */
const mayBeId = (named: string): boolean => /^[\w.-]+$/.test(named) && !named.startsWith('.') && !fs.existsSync(named);

/**
 * Returns the stored session that the user named by its id, or by "last": the newest one of the folder. Returns
 * undefined if the name can only be a path. Throws an `Error` with a message for people if there is no such session.
 */
export function namedSession(named: string, folder: string, sessions: Sessions): StoredLog | undefined {
  if (!mayBeId(named)) return undefined;
  if (named === 'last') return lastIn(folder, sessions);
  const file = existingLogPath(sessions.logOf(named));
  if (!fs.existsSync(file))
    throw new Error(
      `There is no file or session named ${named}. Give a file or a session id; "waymark sessions" lists the ids.`,
    );
  return { id: named, file };
}

/** Returns the log that `--log` names: that of a stored session, or a file that need not exist yet. */
export function logToContinue(named: string, folder: string, sessions: Sessions): string {
  const isFile = !mayBeId(named) || (named !== 'last' && !fs.existsSync(existingLogPath(sessions.logOf(named))));
  return isFile ? named : sessions.logOf(namedSession(named, folder, sessions)!.id);
}

function lastIn(folder: string, sessions: Sessions): StoredLog {
  const [last] = sessionsIn(folder, sessions);
  if (last) return { id: last.id, file: existingLogPath(sessions.logOf(last.id)) };
  throw new Error(
    `No session of the command line began in ${folder}. "waymark sessions --all" lists those of all folders.`,
  );
}

/** Yields the sessions that began in a folder or a worktree of it, newest first, without those that work for others. */
export function* sessionsIn(
  folder: string,
  sessions: Sessions,
): Generator<SessionSummary & { readonly began: string }> {
  const here = folderOnDisk(folder);
  for (const each of allSessions(sessions)) if (each.began === here) yield each;
}

/** Yields all stored sessions, newest first, without those that work for others. */
export function* allSessions(sessions: Sessions): Generator<SessionSummary & { readonly began: string }> {
  for (const each of sessions.list()) {
    const began = each.parent === undefined ? folderOf(sessions.logOf(each.id)) : undefined;
    if (began !== undefined) yield { ...each, began };
  }
}

/** In bytes: the beginning of a log that contains the task, in most sessions, and in those with many added tools. */
const usualBeginning = 16 * 1024;
const maxBeginning = 512 * 1024;

/** Returns the folder in which a session began; for a worktree, the folder that its changes are brought back to. */
function folderOf(log: string): string | undefined {
  try {
    const began =
      parseJsonObject(startLineOf(existingLogPath(log)) ?? '') ??
      readEventLog(log).events.find((event) => event.type === 'task_started');
    const { cwd, worktree } = (began ?? {}) as { readonly cwd?: string; readonly worktree?: { readonly of?: string } };
    return worktree?.of ?? cwd;
  } catch {
    return undefined; // the session was deleted meanwhile
  }
}

/** Returns the line of the event that started the session. Undefined if it is not near the beginning of the log. */
function startLineOf(file: string): string | undefined {
  const descriptor = fs.openSync(file, 'r');
  try {
    for (const length of [usualBeginning, maxBeginning]) {
      const bytes = Buffer.alloc(length);
      const text = bytes.toString('utf8', 0, fs.readSync(descriptor, bytes, 0, length, 0));
      const whole = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
      const line = whole.find((each) => each.includes('"type":"task_started"'));
      if (line !== undefined) return line;
    }
    return undefined;
  } finally {
    fs.closeSync(descriptor);
  }
}
