import type { Reasoning } from '../../protocol/event';

type Field = NonNullable<Reasoning['field']>;
type DetailsField = NonNullable<Reasoning['detailsField']>;
interface Detail { type?: unknown; index?: unknown; text?: unknown; summary?: unknown; thinking?: unknown; signature?: unknown }

/** Joins streamed reasoning and remembers the fields it came in. */
export function reasoningParts() {
  let text = '';
  let field: Field | undefined;
  let detailsField: DetailsField | undefined;
  const details: Detail[] = [];

  /** Providers stream one block in many pieces of equal type and index, the signature last; only whole blocks may be sent back. */
  const addDetail = (detail: Detail, from: DetailsField): void => {
    detailsField ??= from;
    if (detailsField !== from) return; // the same blocks in a second field
    const last = details.at(-1);
    const whole = from !== 'reasoning_details' && Boolean(last?.signature);
    const joins = last && !whole && last.type === detail.type && last.index === detail.index && grown.some(key => typeof detail[key] === 'string');
    if (!joins) return void details.push({ ...detail });
    for (const key of grown) if (typeof detail[key] === 'string') last[key] = `${(last[key] as string | undefined) ?? ''}${detail[key]}`;
    last.signature = last.signature || detail.signature;
    if (last.signature === undefined) delete last.signature;
  };

  return {
    /** Takes one delta; answers with the text that is new. */
    add(delta: Record<string, unknown>): string {
      const blocks = listOf(delta.thinking_blocks);
      const from: Field | undefined = field ?? (isText(delta.reasoning_content) ? 'reasoning_content' : isText(delta.reasoning) ? 'reasoning' : undefined);
      // Some servers send the same words in both fields: the first one seen counts.
      const said = from && isText(delta[from]) ? delta[from] : '';
      field = from;
      for (const detail of listOf(delta.reasoning_details)) addDetail(detail, 'reasoning_details');
      for (const block of blocks) addDetail(block, 'thinking_blocks');
      const piece = said || (from ? '' : blocks.map(({ thinking }) => (isText(thinking) ? thinking : '')).join(''));
      text += piece;
      return piece;
    },
    /** Reasoning that came as a part of the content: shown and kept, but no field to send it back in. */
    addText(piece: string): void { text += piece; },
    /** A part of the content that is a block of Anthropic's thinking, to be given back as such; false when it is none. */
    addPart(part: Detail): boolean {
      if (part.type !== 'redacted_thinking' && !(part.type === 'thinking' && (isText(part.thinking) || isText(part.signature)))) return false;
      addDetail(part, 'content');
      if (isText(part.thinking)) text += part.thinking;
      return true;
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
const listOf = (value: unknown): Detail[] => (Array.isArray(value) ? value.filter((one): one is Detail => typeof one === 'object' && one !== null) : []);
