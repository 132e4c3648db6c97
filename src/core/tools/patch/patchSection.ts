import type { Drafts } from './drafts';

/** Changes of a patch to one file, in either patch format. Errors use the terms of that format. */
export interface PatchSection {
  /** Every path that it would write, create, delete or rename. */
  readonly paths: readonly string[];
  /** Paths that are replaced completely if they exist. */
  readonly replaces: readonly string[];
  /**
   * Applies the change to the drafts without writing to disk. Resolves to what the model should check afterwards.
   * Throws an `Error` with a message for the model if the change cannot be made.
   */
  draft(drafts: Drafts): Promise<readonly string[]>;
}

/** Creates an error that refuses a patch, in sentences for the model: what is wrong, why, what to do. */
export function patchError(...sentences: readonly string[]): Error {
  return new Error(sentences.join(' '));
}
