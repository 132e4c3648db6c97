import { signal } from '@preact/signals';
import { saveState, savedState } from './host';
import { text } from './text';

/** A text of so many characters or lines is a chip of its own: the words of the person stay readable beside it. */
const longest = 2000;
const mostLines = 30;

/** Long texts that were pasted and go with the next message. They survive a reload of the view, as what is typed. */
export const pastes = signal<readonly string[]>(savedState()?.pastes ?? []);

export const linesIn = (words: string): number => words.split('\n').length;
export const isLongPaste = (words: string): boolean => words.length > longest || linesIn(words) > mostLines;

export function setPastes(all: readonly string[]): void {
  pastes.value = all;
  saveState({ pastes: all });
}

/** The words of a message with what was pasted behind them, each in a fence that it cannot close. */
export function withPastes(words: string): string {
  const blocks = pastes.value.map((pasted) => {
    const longestRow = Math.max(2, ...(pasted.match(/`+/g) ?? []).map((row) => row.length));
    const fence = '`'.repeat(longestRow + 1);
    return `${text('paste.sent')}\n${fence}\n${pasted.replace(/\n$/, '')}\n${fence}`;
  });
  return [words, ...blocks].filter(Boolean).join('\n\n');
}
