import fs from 'node:fs';
import path from 'node:path';
import { isSameState, type FileDelta } from '../../core/changes/snapshot';
import { stepsOfActions } from '../../core/changes/stepsOfActions';
import type { JournalEntry } from '../../core/changes/journalEntry';
import { settingsOf } from '../../core/log/runSettings';
import { journalOf } from '../checkpoints/journal';
import { RunRecord } from '../checkpoints/restoring/runRecord';
import { readEventLog, readHeader } from '../log/eventLog';
import { maxParents } from '../log/readLog';
import { deletedMark } from './sessions';

/** Changes of files that are in the record of another session, from which a session was forked. */
export interface SharedChanges {
  readonly log: string;
  readonly title: string;
  /** Absolute paths of the changed files. */
  readonly files: readonly string[];
  /** `deleted`: it is not listed, and only its shared steps are left. `missing`: which files changed is not known. */
  readonly state: 'listed' | 'deleted' | 'missing';
}

/**
 * Returns what must be undone in other sessions before the files are as after `step` of a fork: if the fork shares later
 * steps with the session from which it was forked, their changes are recorded there, not in the fork.
 */
export function sharedChanges(log: string, step: number): SharedChanges[] {
  const found: SharedChanges[] = [];
  let file = log;
  while (found.length < maxParents) {
    const parent = readHeader(file)?.parent;
    if (!parent) break;
    file = path.resolve(path.dirname(file), parent.file);
    const { events } = readEventLog(file);
    if (events.length <= parent.seq) {
      found.push({ log: file, title: parent.session, files: [], state: 'missing' });
      break;
    }
    const shared = events.filter(({ type, seq }) => type === 'agent_response' && seq <= parent.seq).length;
    if (shared <= step) break;
    const steps = stepsOfActions(events);
    // An action that is not in the log came after all others: the end of the log was lost.
    const files = changedFiles(
      new RunRecord(journalOf(file)).entries,
      (action) => (steps.get(action)?.step ?? Infinity) > step,
    );
    const state = fs.existsSync(path.join(path.dirname(file), deletedMark)) ? 'deleted' : 'listed';
    found.push({ log: file, title: settingsOf(events)?.title ?? parent.session, files, state });
  }
  return found.filter(({ files, state }) => state === 'missing' || files.length > 0);
}

/** Returns the files that actions changed and that were not undone since, whatever else changed them. */
function changedFiles(entries: readonly JournalEntry[], includes: (action: string) => boolean): string[] {
  const net = new Map<string, Pick<FileDelta, 'before' | 'after'>>();
  for (const entry of entries) {
    if (entry.type !== 'undone' && entry.type !== 'redone' && !(entry.type === 'changed' && includes(entry.action)))
      continue;
    for (const { path: changed, before, after } of entry.files)
      if (entry.type === 'changed' || net.has(changed))
        net.set(changed, { before: (net.get(changed) ?? { before }).before, after });
  }
  return [...net].flatMap(([changed, { before, after }]) => (isSameState(before, after) ? [] : [changed]));
}
