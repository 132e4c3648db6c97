import { effect, signal } from '@preact/signals';
import { saveState, savedState } from '../base/host';

/** The message that is being edited, and what the composer contained before. */
export interface Editing {
  readonly session: string | undefined;
  readonly seq: number;
  /** The words of the message before it was edited. */
  readonly text: string;
  readonly before: string;
  /** Long texts that were pasted before. */
  readonly pastes: readonly string[];
  /** It waits: what is sent takes its place. */
  readonly waiting?: true;
  readonly delivery?: 'steer';
}

/** It survives a reload of the view, as what is typed. */
export const editing = signal<Editing | undefined>(savedState()?.editing ?? undefined);
effect(() => saveState({ editing: editing.value ?? null }));
/** A message that a person wants to edit: the composer takes it. */
export const wishToEdit = signal<{ readonly seq: number; readonly text: string; readonly waiting?: true } | undefined>(
  undefined,
);
