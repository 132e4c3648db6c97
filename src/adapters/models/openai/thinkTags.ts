/**
 * Reasoning that a model writes into its text: `<think>…</think>` at the beginning, as servers without a reasoning
 * parser pass it on.
 */
const opening = /^\s*<(think|thinking|thought)>/;
const couldOpen = /^\s*(<(t(h(i(n(k(i(n(g)?)?)?)?)?|o(u(g(h(t)?)?)?)?)?)?)?)?$/;

export interface Piece {
  readonly kind: 'text' | 'reasoning';
  readonly text: string;
}

/** Separates reasoning from text in a stream, piece by piece. */
export function thinkTags() {
  let state: 'beginning' | 'opened' | 'reasoning' | 'text' = 'beginning';
  /**
   * Leading blanks, which belong to the text if there is any. They are set aside, so that each is examined only once.
   */
  let blanks = '';
  let held = '';
  let closing = '';

  const take = (): Piece[] => {
    if (state === 'beginning') {
      const rest = held.trimStart();
      blanks += held.slice(0, held.length - rest.length);
      held = rest;
      const opened = opening.exec(held);
      if (!opened) {
        if (couldOpen.test(held)) return [];
        state = 'text';
        held = blanks + held;
        blanks = '';
        return take();
      }
      state = 'opened';
      blanks = '';
      closing = `</${opened[1]}>`;
      held = held.slice(opened[0].length);
    }
    if (state === 'opened') {
      held = held.trimStart();
      if (held === '') return [];
      state = 'reasoning';
    }
    if (state === 'reasoning') {
      const end = held.indexOf(closing);
      if (end >= 0) {
        const thought = held.slice(0, end).replace(/\n$/, '');
        held = held.slice(end + closing.length).replace(/^\s+/, '');
        state = 'text';
        return [...pieceOf('reasoning', thought), ...take()];
      }
      return pieceOf('reasoning', cutBefore([closing, `\n${closing}`]));
    }
    return pieceOf('text', cutBefore([]));
  };

  /** Takes the buffered text, except for an end that may be the beginning of one of the marks. */
  const cutBefore = (marks: readonly string[]): string => {
    const begins = (length: number): boolean =>
      marks.some((mark) => mark.length > length && mark.startsWith(held.slice(-length)));
    let keep = Math.min(held.length, Math.max(0, ...marks.map((mark) => mark.length - 1)));
    while (keep > 0 && !begins(keep)) keep--;
    const ready = held.slice(0, held.length - keep);
    held = held.slice(held.length - keep);
    return ready;
  };

  return {
    add(text: string): Piece[] {
      held += text;
      return take();
    },
    /** Returns the rest of the buffer at the end of the stream. */
    finish(): Piece[] {
      const rest = blanks + held;
      blanks = '';
      held = '';
      return pieceOf(state === 'reasoning' ? 'reasoning' : 'text', rest);
    },
  };
}

const pieceOf = (kind: Piece['kind'], text: string): Piece[] => (text ? [{ kind, text }] : []);

/** Splits a text whose reasoning has only a closing tag: the chat template may have written the opening tag itself. */
export function splitAtClosing(text: string): { readonly reasoning: string; readonly text: string } | undefined {
  const closed = /<\/think>\s*/.exec(text);
  if (!closed || text.includes('<think>') || text.indexOf('</think>', closed.index + 1) >= 0) return undefined;
  return { reasoning: text.slice(0, closed.index).trim(), text: text.slice(closed.index + closed[0].length) };
}
