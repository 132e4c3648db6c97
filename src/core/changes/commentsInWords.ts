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
  readonly hunk?: { readonly id: string; readonly removed: readonly string[]; readonly added: readonly string[] };
  readonly text: string;
}

const mostLinesTold = 20;

/** Comments as one message to the agent: each with its file, its lines, and the change that it is about. */
export function commentsInWords(comments: readonly ReviewComment[]): string {
  const count = comments.length === 1 ? 'a comment' : `${comments.length} comments`;
  const sorted = [...comments].sort((a, b) => (a.path === b.path ? a.from - b.from : a.path < b.path ? -1 : 1));
  return [`I reviewed your changes and have ${count}:`, ...sorted.map(commentInWords)].join('\n\n');
}

function commentInWords({ path, from, to, side, hunk, text }: ReviewComment): string {
  const lines = from === to ? `line ${from}` : `lines ${from}-${to}`;
  const where = side === 'before' ? `${path}, ${lines} before your change` : `${path}, ${lines}`;
  const head = hunk ? `${where} (hunk ${hunk.id}):` : `${where}:`;
  const changed = hunk ? [...hunk.removed.map((line) => `-${line}`), ...hunk.added.map((line) => `+${line}`)] : [];
  const shown = changed.length > mostLinesTold ? [...changed.slice(0, mostLinesTold), '…'] : changed;
  return [head, ...shown, `Comment: ${text.trim()}`].join('\n');
}
