import { shownName } from '../text/shownName';

/** A comment of a person on lines of a diff. */
export interface ReviewComment {
  /** As people are shown it. */
  readonly path: string;
  /** The lines, from 1. */
  readonly from: number;
  readonly to: number;
  /** Which text the lines are of: the file as it is, or without the agent's changes. */
  readonly side: 'now' | 'before';
  /** The change that the lines belong to; absent where they belong to none. */
  readonly hunk?: { readonly id: string; readonly removed: number; readonly added: number };
  readonly text: string;
}

/**
 * Comments as one message to the agent: each with its file, its lines, and the change that it is about. Lines of files
 * are not repeated: the message is in the person's voice, and files may hold words of others.
 */
export function commentsInWords(comments: readonly ReviewComment[]): string {
  const count = comments.length === 1 ? 'a comment' : `${comments.length} comments`;
  const sorted = [...comments].sort((a, b) => (a.path === b.path ? a.from - b.from : a.path < b.path ? -1 : 1));
  return [`I reviewed your changes and have ${count}:`, ...sorted.map(commentInWords)].join('\n\n');
}

function commentInWords({ path, from, to, side, hunk, text }: ReviewComment): string {
  const lines = from === to ? `line ${from}` : `lines ${from}-${to}`;
  const when = side === 'before' ? ' before your change' : '';
  const change = hunk ? ` (hunk ${hunk.id}, +${hunk.added} −${hunk.removed})` : '';
  return `${shownName(path)}, ${lines}${when}${change}:\n${text.trim()}`;
}
