import { signal } from '@preact/signals';
import { saveState, savedState } from './host';
import { text } from './text';

/**
 * Minimum length (characters; lines below) of a pasted text that becomes a separate chip, so that the person's own
 * words stay readable.
 */
const minChipCharacters = 2000;
const minChipLines = 30;

/** Long pasted texts for the next message. They survive a reload of the view, like the typed text. */
export const pastes = signal<readonly string[]>(savedState()?.pastes ?? []);

export const lineCount = (words: string): number => words.split('\n').length;
export const isLongPaste = (words: string): boolean =>
  words.length > minChipCharacters || lineCount(words) > minChipLines;

export function setPastes(all: readonly string[]): void {
  pastes.value = all;
  saveState({ pastes: all });
}

/** Returns a message followed by the pasted texts, each in a fence long enough that it cannot close it. */
export function withPastes(words: string): string {
  const blocks = pastes.value.map((pasted) => {
    const longestRow = Math.max(2, ...(pasted.match(/`+/g) ?? []).map((row) => row.length));
    const fence = '`'.repeat(longestRow + 1);
    return `${text('paste.sent')}\n${fence}\n${pasted.replace(/\n$/, '')}\n${fence}`;
  });
  return [words, ...blocks].filter(Boolean).join('\n\n');
}
