import type { Drafts } from './drafts';

/** What a patch does to one file, in whichever dialect it is written. It refuses in the words of that dialect. */
export interface PatchSection {
  /** Every path it would write, create, delete or rename. */
  readonly paths: readonly string[];
  /** The files among them that are replaced completely if they exist. */
  readonly replaces: readonly string[];
  /**
   * Makes the change in the drafts; nothing is written yet. Resolves to what the model should check afterwards.
   * Throws an `Error` in words for the model where the change cannot be made.
   */
  draft(drafts: Drafts): Promise<readonly string[]>;
}

/** A refusal of a patch, in sentences for the model: what is wrong, why, what to do. */
export function refusal(...sentences: readonly string[]): Error {
  return new Error(sentences.join(' '));
}
