import { isSameState, type FileDelta } from './fileState';
import type { JournalEntry } from './journalEntry';

/** A part of a change of one file. The parts follow each other. */
export interface ChangePart {
  /** Whether somebody else noted it as theirs. */
  readonly isOthers: boolean;
  readonly delta: FileDelta;
}

/** Takes out of a change what others noted as theirs, in the order of their notes. */
export function partsOf({ path, before, after }: FileDelta, others: readonly FileDelta[]): ChangePart[] {
  const parts: ChangePart[] = [];
  const add = (isOthers: boolean, from: FileDelta['before'], to: FileDelta['after']): void => {
    if (!isSameState(from, to)) parts.push({ isOthers, delta: { path, before: from, after: to } });
  };
  let at = before;
  for (const other of others) {
    // What they did before this change began is in its first state already.
    if (other.path !== path || isSameState(at, other.after)) continue;
    add(false, at, other.before);
    add(true, other.before, other.after);
    at = other.after;
  }
  add(false, at, after);
  return parts;
}

/** What the journal of another run says of the time since a moment. */
export interface OthersWork {
  /** Changes that are its own: of the files that its tools edited, and what a person undid. */
  readonly own: readonly FileDelta[];
  /** What changed while its commands ran, whichever program changed it. */
  readonly whileCommands: readonly FileDelta[];
  /** Whether an action of it has not ended, or is not noted yet. */
  readonly isActing: boolean;
}

export function workSince(entries: readonly JournalEntry[], since: number): OthersWork {
  const own: FileDelta[] = [];
  const whileCommands: FileDelta[] = [];
  const open = new Set<string>();
  const edits = new Set<string>();
  for (const entry of entries) {
    if (entry.type === 'began') open.add(entry.action);
    if (entry.type === 'began' && entry.edits) edits.add(entry.action);
    if (entry.type === 'changed') open.delete(entry.action);
    if (!('files' in entry) || entry.at < since) continue;
    if (entry.type === 'undone' || entry.type === 'redone') own.push(...entry.files);
    if (entry.type === 'changed') (edits.has(entry.action) ? own : whileCommands).push(...entry.files);
  }
  return { own, whileCommands, isActing: open.size > 0 };
}
