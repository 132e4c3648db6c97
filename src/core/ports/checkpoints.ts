import type { ActionEffect } from '../../protocol/events/event';

/** Copies of files from before each action of a run, used to review and undo changes. */
export interface Checkpoints {
  /**
   * Resolves when everything the action may change has been saved: the files in `paths`, as the tool writes them, or
   * any file of the workspace if `paths` is absent. Never rejects; if no checkpoint can be made, the run continues
   * without one. `command`: the text of a command, which may name files outside of the workspace.
   */
  before(actionId: string, paths?: readonly string[], command?: string): Promise<ActionCheckpoint>;
  /**
   * Variant of `before` for an action that claims to change nothing. Does not wait; changes it makes anyway are found
   * later.
   */
  beforeUnchanging(actionId: string): Promise<ActionCheckpoint>;
  /** True if an action that has not begun can be undone afterwards. `paths` is as in `before`. */
  canUndo(paths?: readonly string[]): boolean;
  /**
   * A hook begins. What changes from when this resolves until the next scan belongs to the run, between two actions,
   * unless an action is running.
   */
  hookBegins(): Promise<void>;
  /** Resolves when the changes of all ended actions are known, except those that claim to change nothing. */
  ended(): Promise<void>;
  /** Resolves when the changes of all ended actions are known, and those of processes they left running. */
  settled(): Promise<void>;
}

/** Handle of a checkpoint. Call one of its two methods when the action has ended, however it ended. Neither throws. */
export interface ActionCheckpoint {
  /** Resolves when the changes of the action are known. */
  after(): Promise<void>;
  /** Computes the changes in the background. The next `before` and `settled` wait for it. */
  ended(): void;
}

/** Notes for the model about edits that wait for review. */
export interface HeldNotes {
  /** True if an edit of one of these files waits. Paths are as displayed. */
  holdsAny(paths: readonly string[]): boolean;
  /** Note after an edit that waits, or after a command that ran meanwhile. Undefined if there is nothing to say. */
  noteAfter(effect: ActionEffect): string | undefined;
}
