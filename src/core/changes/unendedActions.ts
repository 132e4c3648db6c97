import type { JournalEntry } from './journalEntry';

type BetweenEntry = Extract<JournalEntry, { type: 'between' }>;

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

/** The time after an action in which hooks and processes of the run may change files. */
interface UnendedGap {
  /** The action before. */
  readonly after: string;
  /** The process of the run. */
  readonly by: NonNullable<BetweenEntry['began']>['by'];
  /** In ms since 1970. */
  readonly since: number;
}

/** Returns the time between two actions whose end is not recorded: it goes on, or the program of the run was killed. */
export function unendedGap(entries: readonly JournalEntry[]): UnendedGap | undefined {
  const last = entries.findLast(
    (entry): entry is BetweenEntry => entry.type === 'between' && (entry.began ?? entry.ended) !== undefined,
  );
  return last?.began && !last.ended ? { ...last.began, since: last.at } : undefined;
}
