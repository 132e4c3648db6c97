import { signal } from '@preact/signals';

/** The message that is being written anew, and what stood in the composer before. */
export interface Editing {
  readonly session: string | undefined;
  readonly seq: number;
  /** The words of the message before it was edited. */
  readonly text: string;
  readonly before: string;
}

export const editing = signal<Editing | undefined>(undefined);
/** A message that a person wants to edit: the composer takes it. */
export const wishToEdit = signal<{ readonly seq: number; readonly text: string } | undefined>(undefined);
