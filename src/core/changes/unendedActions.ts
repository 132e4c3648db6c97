import type { JournalEntry } from './journalEntry';

type BeganEntry = Extract<JournalEntry, { type: 'began' }>;

/**
 * Returns the latest beginnings of actions that no end followed, by action, in order: the action is running, or its
 * program was killed. A running one begins again when the user saves a file that it changed.
 */
export function unendedActions(entries: readonly JournalEntry[]): ReadonlyMap<string, BeganEntry> {
  const open = new Map<string, BeganEntry>();
  for (const entry of entries) {
    if (entry.type === 'began') open.set(entry.action, entry);
    if (entry.type === 'changed') open.delete(entry.action);
  }
  return open;
}
