import { effect, signal } from '@preact/signals';
import { saveState, savedState } from '../base/host';

/** The message that is being edited, and the previous content of the composer. */
export interface Editing {
  readonly session: string | undefined;
  readonly seq: number;
  /** Text of the message before it was edited. */
  readonly text: string;
  readonly before: string;
  /** Long texts that were pasted before. */
  readonly pastes: readonly string[];
  /** Set if it is a waiting message, which the edited text replaces. */
  readonly waiting?: true;
  readonly delivery?: 'steer';
}

/** Survives a reload of the view, like the typed text. */
export const editedMessage = signal<Editing | undefined>(savedState()?.editing ?? undefined);
effect(() => saveState({ editing: editedMessage.value ?? null }));
/** A message that a person wants to edit; the composer handles it. */
export const messageToEdit = signal<
  { readonly seq: number; readonly text: string; readonly waiting?: true } | undefined
>(undefined);
