import fs from 'node:fs';
import path from 'node:path';
import { openEventLog, readEventLog, type EventLog } from '../../adapters/log/eventLog';
import { settingsOf } from '../../core/log/history';
import type { Event } from '../../protocol/events/event';
import { approvesByName } from './begin';
import type { RunOptions } from './runOptions';
import { storedSessions } from './workplace';

/** The log of a run, open for writing. */
export interface RunLog {
  readonly file: string;
  /** What it holds already; empty for a session that begins. */
  readonly events: readonly Event[];
  readonly store: EventLog;
  /** The folder that its session works in. */
  readonly root: string;
  /** Whether it goes on from another log. */
  readonly forked: boolean;
  /** `known`: all that it holds now, where that need not be read again. */
  close(known: readonly Event[] | undefined): Promise<void>;
}

/** Opens the log that the options name, or a new one. Rejects with an `Error` in words. */
export async function openRunLog(options: RunOptions, wantedFolder: string | undefined): Promise<RunLog> {
  const sessions = storedSessions();
  const file = path.resolve(options.log ?? sessions.logOf(sessions.newId()));
  const id = sessions.idOf(file);
  const { fork } = options;
  if (fork !== undefined) {
    const { forkTo } = await import('./forkTo');
    await forkTo(file, fork, options, (events) => rootOf(events, wantedFolder));
  }
  const { events, store, problem } = id === undefined ? openEventLog(file) : sessions.open(id);
  if (!store) throw new Error(problem);
  const close = async (known: readonly Event[] | undefined): Promise<void> => {
    await store.close();
    if (id !== undefined) sessions.remember(id, known ?? readEventLog(file).events, store.stand);
  };
  try {
    if (events.length === 0 && approvesByName(options))
      throw new Error('Nothing waits for consent in a session that only begins. Name its log with --log.');
    return { file, events, store, root: rootOf(events, wantedFolder), forked: fork !== undefined, close };
  } catch (error) {
    await close(undefined);
    throw error;
  }
}

/** A session goes on where it began. */
function rootOf(events: readonly Event[], wanted: string | undefined): string {
  const began = settingsOf(events)?.cwd;
  if (began !== undefined && wanted !== undefined && began !== wanted)
    throw new Error(`This session works in ${began}. Leave --cwd out, or begin another session with another --log.`);
  return wanted ?? folderAt(began ?? '.');
}

/** The real path of a folder. Throws an `Error` in words where there is none. */
export function folderAt(cwd: string): string {
  const folder = path.resolve(cwd);
  if (!fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new Error(`${folder} is not a folder. Name one that is there with --cwd.`);
  return fs.realpathSync(folder);
}
