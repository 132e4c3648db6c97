import type { Reasoning } from '../../protocol/event';

type Field = NonNullable<Reasoning['field']>;
interface Detail { type?: unknown; index?: unknown; text?: unknown; summary?: unknown; signature?: unknown }

/** Joins streamed reasoning and remembers the field it came in. */
export function reasoningParts() {
  let text = '';
  let field: Field | undefined;
  const details: Detail[] = [];

  /** Providers stream one block in many pieces of equal type and index; only whole blocks may be sent back. */
  const addDetail = (detail: Detail): void => {
    const last = details.at(-1);
    const joins = last && last.type === detail.type && last.index === detail.index && (typeof detail.text === 'string' || typeof detail.summary === 'string');
    if (!joins) return void details.push({ ...detail });
    for (const key of ['text', 'summary'] as const) if (typeof detail[key] === 'string') last[key] = `${(last[key] as string | undefined) ?? ''}${detail[key]}`;
    last.signature ??= detail.signature;
    if (last.signature === undefined) delete last.signature;
  };

  return {
    /** Takes one delta; answers with the text that is new. */
    add(delta: Record<string, unknown>): string {
      const from: Field | undefined = field ?? (isText(delta.reasoning_content) ? 'reasoning_content' : isText(delta.reasoning) ? 'reasoning' : undefined);
      // Some servers send the same words in both fields: the first one seen counts.
      const piece = from && isText(delta[from]) ? delta[from] : '';
      field = from;
      text += piece;
      if (Array.isArray(delta.reasoning_details)) for (const detail of delta.reasoning_details) if (typeof detail === 'object' && detail !== null) addDetail(detail as Detail);
      return piece;
    },
    /** Reasoning that came as a part of the content: shown and kept, but no field to send it back in. */
    addText(piece: string): void { text += piece; },
    finish(): Reasoning | undefined {
      if (!text && details.length === 0) return undefined;
      return { text: text || details.map(({ text: words, summary }) => words ?? summary ?? '').join(''), ...(field && { field }), ...(details.length > 0 && { details }) };
    },
  };
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
