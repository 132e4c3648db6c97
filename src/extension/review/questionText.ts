import * as vscode from 'vscode';

/** Maximum number of steps about which a question says what is not known. */
const maxDoubtsListed = 10;

/** Returns the first lines, and how many there are more. */
export function cutShort(lines: readonly string[], most: number): string[] {
  const more = lines.length - most;
  return more > 0 ? [...lines.slice(0, most), vscode.l10n.t('and {0} more', more)] : [...lines];
}

/** Returns what is not known of changes, with a heading; empty if everything is known. */
export const doubtsParagraph = (doubts: readonly string[]): string[] =>
  doubts.length > 0 ? [vscode.l10n.t('What to know about these steps:'), ...cutShort(doubts, maxDoubtsListed)] : [];

/** Returns paragraphs of lines as the detail of a question. Empty ones are left out. */
export const paragraphsText = (paragraphs: readonly (readonly string[])[]): string =>
  paragraphs
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
