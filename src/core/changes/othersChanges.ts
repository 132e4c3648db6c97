import { isSameState, type FileDelta } from './snapshot';
import type { JournalEntry } from './journalEntry';
import { unendedActions } from './unendedActions';

/** Part of a change of one file. Parts are consecutive. */
interface ChangePart {
  /** True if another run recorded it as its own. */
  readonly isOthers: boolean;
  readonly delta: FileDelta;
}

/** Splits a change into parts: those that others recorded as their own, in the order of their records, and the rest. */
export function splitByOwner({ path, before, after }: FileDelta, others: readonly FileDelta[]): ChangePart[] {
  const parts: ChangePart[] = [];
  const add = (by: 'run' | 'others', from: FileDelta['before'], to: FileDelta['after']): void => {
    if (!isSameState(from, to)) parts.push({ isOthers: by === 'others', delta: { path, before: from, after: to } });
  };
  let at = before;
  for (const other of others) {
    // The initial state already includes what they did before this change.
    if (other.path !== path || isSameState(at, other.after)) continue;
    add('run', at, other.before);
    add('others', other.before, other.after);
    at = other.after;
  }
  add('run', at, after);
  return parts;
}

/** Changes from the journal of another run since a moment. */
export interface OthersWork {
  /** Changes that are certainly its own: files that its tools edited, and what a person undid or redid. */
  readonly own: readonly FileDelta[];
  /** Changes while its commands ran, made by any program. */
  readonly whileCommands: readonly FileDelta[];
  /** True if one of its actions has not ended, or is not recorded yet. */
  readonly isActing: boolean;
}

export function othersWorkSince(entries: readonly JournalEntry[], since: number): OthersWork {
  const own: FileDelta[] = [];
  const whileCommands: FileDelta[] = [];
  const edits = new Set<string>();
  for (const entry of entries) {
    if (entry.type === 'began' && entry.edits) edits.add(entry.action);
    if (!('files' in entry) || entry.at < since) continue;
    if (entry.type === 'undone' || entry.type === 'redone') own.push(...entry.files);
    if (entry.type === 'changed') (edits.has(entry.action) ? own : whileCommands).push(...entry.files);
  }
  return { own, whileCommands, isActing: unendedActions(entries).size > 0 };
}
