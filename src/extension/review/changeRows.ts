import type { TurnChanges } from '../../core/changes/byTurn';
import type { FileChanges } from '../../core/changes/changesOf';
import type { ReviewedHunk } from '../../core/changes/fileReview';
import type { UndoChoice } from '../../core/changes/undoPlan';

/** The rows of the Changes view. Loaded at the start, by the commands. */

/** The session whose changes are listed or shown in an editor. */
export interface OfSession {
  readonly session: string;
}

/** A file with what waits of it: all of its hunks, or those of one turn. */
export interface FileRow extends OfSession {
  readonly kind: 'file';
  readonly file: FileChanges;
  /** Other turns changed the file, too: what is done with the row is done with its hunks. */
  readonly isPart?: boolean;
  /** The turn that it is listed below. */
  readonly of?: TurnRow;
}

export interface HunkRow extends OfSession {
  readonly kind: 'hunk';
  readonly file: FileChanges;
  readonly hunk: ReviewedHunk;
  readonly of?: TurnRow;
}

/** What waits of one turn. */
export interface TurnRow extends TurnChanges, OfSession {
  readonly kind: 'turn';
}

/** A row about one file. */
export type ChangeRow = FileRow | HunkRow;

/** The change that a row represents; for a hunk, that hunk alone. */
export function choiceOf(row: ChangeRow): UndoChoice {
  if (row.kind === 'hunk') return { hunks: [row.hunk.id] };
  return row.isPart ? { hunks: row.file.hunks.map(({ id }) => id) } : { files: [row.file.path] };
}
