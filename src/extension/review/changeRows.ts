import type { TurnChanges } from '../../core/changes/changesByTurn';
import type { FileChanges } from '../../core/changes/changesOf';
import type { ReviewedHunk } from '../../core/changes/fileReview';
import type { UndoChoice } from '../../core/changes/undoPlan';

/** The rows of the Changes view. Loaded at activation, by the commands. */

/** The session whose changes are listed or shown in an editor. */
interface OfSession {
  readonly session: string;
}

/** A file with changes to review: all of its hunks, or those of one turn. */
export interface FileRow extends OfSession {
  readonly kind: 'file';
  readonly file: FileChanges;
  /** True if other turns also changed the file. Actions on the row then apply to its hunks only. */
  readonly isPart?: boolean;
  /** The turn under which the row is listed. */
  readonly of?: TurnRow;
}

/** One hunk of a file. */
export interface HunkRow extends OfSession {
  readonly kind: 'hunk';
  readonly file: FileChanges;
  readonly hunk: ReviewedHunk;
  readonly of?: TurnRow;
}

/** The changes of one turn to review. */
export interface TurnRow extends TurnChanges, OfSession {
  readonly kind: 'turn';
}

/** A row for one file or hunk. */
export type ChangeRow = FileRow | HunkRow;

/** Returns what an action on the row applies to; for a hunk row, only that hunk. */
export function choiceOf(row: ChangeRow): UndoChoice {
  if (row.kind === 'hunk') return { hunks: [row.hunk.id] };
  return row.isPart ? { hunks: row.file.hunks.map(({ id }) => id) } : { files: [row.file.path] };
}
