import type { Reasoning } from '../../../protocol/events/event';

type Field = NonNullable<Reasoning['field']>;
type DetailsField = NonNullable<Reasoning['detailsField']>;
interface Detail {
  type?: unknown;
  index?: unknown;
  text?: unknown;
  summary?: unknown;
  thinking?: unknown;
  signature?: unknown;
}

/** Fields that contain reasoning as plain text. */
const plainFields = ['reasoning_content', 'reasoning'] as const satisfies readonly Field[];

/** Joins streamed reasoning and remembers the fields in which it came. */
export function reasoningParts() {
  let text = '';
  let field: Field | undefined;
  let detailsField: DetailsField | undefined;
  const details: Detail[] = [];

  /**
   * Providers stream one block in many pieces of the same type and index, the signature last. Only complete blocks may
   * be sent back.
   */
  const addDetail = (detail: Detail, from: DetailsField): void => {
    detailsField ??= from;
    if (detailsField !== from) return; // same blocks in a second field
    const last = details.at(-1);
    const whole = from !== 'reasoning_details' && Boolean(last?.signature);
    const isPiece = [...grown, 'signature' as const].some((key) => typeof detail[key] === 'string');
    const joins = last && !whole && last.type === detail.type && last.index === detail.index && isPiece;
    if (!joins) return void details.push({ ...detail });
    for (const key of grown)
      if (typeof detail[key] === 'string') last[key] = `${(last[key] as string | undefined) ?? ''}${detail[key]}`;
    last.signature = last.signature || detail.signature;
    if (last.signature === undefined) delete last.signature;
  };

  /** Mistral streams one thinking block as many parts, each a list of text pieces. */
  const addThoughts = (pieces: readonly Detail[]): string => {
    const thoughts = pieces.map(({ text: words }) => (isText(words) ? words : '')).join('');
    const last = details.at(-1);
    const open =
      last?.type === 'thinking' && Array.isArray(last.thinking) ? (last.thinking as { text: string }[]) : undefined;
    detailsField ??= 'content';
    if (open) open[0]!.text += thoughts;
    else details.push({ type: 'thinking', thinking: [{ type: 'text', text: thoughts }] });
    text += thoughts;
    return thoughts;
  };

  return {
    /** Processes one delta; returns the text that is new. */
    add(delta: Record<string, unknown>): string {
      const blocks = listOf(delta.thinking_blocks);
      // Some servers send the same text in both fields: the first field seen counts.
      const from = field ?? plainFields.find((name) => isText(delta[name]));
      const plainText = from && isText(delta[from]) ? delta[from] : '';
      field = from;
      for (const detail of listOf(delta.reasoning_details)) addDetail(detail, 'reasoning_details');
      for (const block of blocks) addDetail(block, 'thinking_blocks');
      const piece =
        plainText || (from ? '' : blocks.map(({ thinking }) => (isText(thinking) ? thinking : '')).join(''));
      text += piece;
      return piece;
    },
    /** Adds reasoning found in the text: shown and kept, but there is no field to send it back in. */
    addText(piece: string): void {
      text += piece;
    },
    /**
     * Adds a content part that is a thinking block of Anthropic or Mistral, so that it can be sent back. Returns its
     * text; undefined for any other part.
     */
    addPart(part: Detail): string | undefined {
      if (part.type === 'thinking' && Array.isArray(part.thinking)) return addThoughts(listOf(part.thinking));
      const isBlock = part.type === 'thinking' && (isText(part.thinking) || isText(part.signature));
      if (part.type !== 'redacted_thinking' && !isBlock) return undefined;
      addDetail(part, 'content');
      const piece = isText(part.thinking) ? part.thinking : '';
      text += piece;
      return piece;
    },
    finish(): Reasoning | undefined {
      if (!text && details.length === 0) return undefined;
      return {
        text: text || details.map(({ text: words, summary }) => words ?? summary ?? '').join(''),
        ...(field && { field }),
        ...(details.length > 0 && { details }),
        ...(details.length > 0 && detailsField !== 'reasoning_details' && { detailsField: detailsField! }),
      };
    },
  };
}

const grown = ['text', 'summary', 'thinking'] as const;
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const listOf = (value: unknown): Detail[] =>
  Array.isArray(value) ? value.filter((one): one is Detail => typeof one === 'object' && one !== null) : [];

/**
 * Reasoning that a model writes into its text: `<think>…</think>` at the beginning, as servers without a reasoning
 * parser pass it on.
 */
const opening = /^\s*<(think|thinking|thought)>/;
const couldOpen = /^\s*(<(t(h(i(n(k(i(n(g)?)?)?)?)?|o(u(g(h(t)?)?)?)?)?)?)?)?$/;

interface StreamPiece {
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

  const take = (): StreamPiece[] => {
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
    const mayBeginMark = (length: number): boolean =>
      marks.some((mark) => mark.length > length && mark.startsWith(held.slice(-length)));
    let keep = Math.min(held.length, Math.max(0, ...marks.map((mark) => mark.length - 1)));
    while (keep > 0 && !mayBeginMark(keep)) keep--;
    const ready = held.slice(0, held.length - keep);
    held = held.slice(held.length - keep);
    return ready;
  };

  return {
    add(text: string): StreamPiece[] {
      held += text;
      return take();
    },
    /** Returns the rest of the buffer at the end of the stream. */
    finish(): StreamPiece[] {
      const rest = blanks + held;
      blanks = '';
      held = '';
      return pieceOf(state === 'reasoning' ? 'reasoning' : 'text', rest);
    },
  };
}

const pieceOf = (kind: StreamPiece['kind'], text: string): StreamPiece[] => (text ? [{ kind, text }] : []);

/** Splits a text whose reasoning has only a closing tag: the chat template may have written the opening tag itself. */
export function splitAtClosing(text: string): { readonly reasoning: string; readonly text: string } | undefined {
  const closed = /<\/think>\s*/.exec(text);
  if (!closed || text.includes('<think>') || text.indexOf('</think>', closed.index + 1) >= 0) return undefined;
  return { reasoning: text.slice(0, closed.index).trim(), text: text.slice(closed.index + closed[0].length) };
}
