import type { JournalEntry } from './journalEntry';
import type { FileDelta } from './snapshot';

/** A file that a command changed, whether or not a person kept or undid that since. */
export interface CommandChange {
  readonly action: string;
  /** Absolute path. */
  readonly path: string;
  readonly kind: 'created' | 'modified' | 'deleted';
}

/** Maximum number of files. The latest ones are named. */
const maxChanges = 200;

/** Returns the files that commands changed according to the journal of a run, the latest ones, in order. */
export function commandChanges(entries: readonly JournalEntry[]): readonly CommandChange[] {
  const edits = new Set(entries.flatMap((entry) => (entry.type === 'began' && entry.edits ? [entry.action] : [])));
  const latest: CommandChange[] = [];
  for (let at = entries.length - 1; at >= 0 && latest.length < maxChanges; at--) {
    const entry = entries[at]!;
    if (entry.type !== 'changed' || edits.has(entry.action)) continue;
    const { action } = entry;
    for (const delta of entry.files.slice(latest.length - maxChanges).reverse()) {
      const kind = kindOf(delta);
      if (kind) latest.push({ action, path: delta.path, kind });
    }
  }
  return latest.reverse();
}

/** Undefined for a folder, whose files are listed separately. */
function kindOf({ before, after }: FileDelta): CommandChange['kind'] | undefined {
  if ((after ?? before)?.kind === 'folder') return undefined;
  if (before === null) return 'created';
  return after === null ? 'deleted' : 'modified';
}
