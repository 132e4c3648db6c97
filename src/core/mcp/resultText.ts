import { secrets } from '../secrets/secrets';
import type { Image } from '../../protocol/events/event';
import { withCommas } from '../text/withCommas';

/** Characters of a prompt or a resource that go into a message; of more the beginning and the end. */
const longest = 50_000;

/**
 * Pictures of one answer that a model is shown, and how large each may be, in characters of base64: Anthropic
 * refuses more, and every later request too.
 */
const mostPictures = 5;
const largestPicture = 5 * 1024 * 1024;
const shownTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** One part of a server's answer; an unknown part is described by its type. */
export interface ContentPart {
  readonly type: string;
  readonly [field: string]: unknown;
}

interface Answer {
  readonly content?: readonly ContentPart[] | undefined;
  readonly structuredContent?: unknown;
}

/** Keeps what is neither text nor a picture. Resolves to where; undefined where it cannot be kept. */
export type KeepPart = (base64: string, mediaType: string) => Promise<string | undefined>;

/** What a call came to: text for the model, and the pictures that it is shown beside it. Nothing of the text is cut. */
export async function resultOf(
  answer: Answer,
  keep: KeepPart,
): Promise<{ readonly text: string; readonly images: readonly Image[] }> {
  const images: Image[] = [];
  const texts: string[] = [];
  for (const part of answer.content ?? []) {
    const { data, mimeType: mediaType } = binaryIn(part) ?? {};
    if (data === undefined) texts.push(partText(part));
    else if (
      part.type === 'image' &&
      shownTypes.includes(mediaType!) &&
      data.length <= largestPicture &&
      images.length < mostPictures &&
      /^[A-Za-z0-9+/]+={0,2}$/.test(data)
    ) {
      images.push({ mediaType: mediaType!, data });
      texts.push(`[Picture ${images.length}, ${mediaType}, ${size(data)}: shown after the results.]`);
    } else {
      const place = await keep(data, mediaType!);
      texts.push(
        place === undefined
          ? partText(part)
          : `${partText(part).replace(/ It is (no text, so it is )?not shown\.\]$/, '')} It is kept in ${place}, which a person can open.]`,
      );
    }
  }
  return { text: joined(texts, answer), images };
}

/** What a server answers, as text alone. Pictures and sounds are named, not shown. */
export const resultText = (answer: Answer): string => joined((answer.content ?? []).map(partText), answer);

/** Structured data is added only if the text does not contain it already. */
function joined(texts: readonly string[], { content, structuredContent }: Answer): string {
  const told = texts.filter((text) => text !== '');
  if (structuredContent !== undefined && structuredContent !== null) {
    const repeatsParts = content !== undefined && sorted(wrapped(structuredContent)) === sorted(content);
    if (!repeatsParts && !saysAll(told, structuredContent)) told.push(JSON.stringify(structuredContent, null, 2));
  }
  return told.join('\n\n') || '[The answer is empty.]';
}

/** Whether the texts of an answer say its data already: one of them, or all of them together. */
function saysAll(texts: readonly string[], data: unknown): boolean {
  const said = [...texts, ...(texts.length > 1 ? [texts.join('\n'), texts.join('\n\n')] : [])];
  return said.some((text) => says(text, data)) || saysItems(texts, wrapped(data));
}

/**
 * The text is the data, as JSON or as it is; or the data only wraps what the text
 * says, as `{result: …}` of many servers does.
 */
function says(text: string, data: unknown): boolean {
  if (isSame(text, data)) return true;
  const inner = wrapped(data);
  return inner !== undefined && isSame(text, inner);
}

/** A list of which each text says one item: so servers answer that make the texts of what a function returns. */
function saysItems(texts: readonly string[], data: unknown): boolean {
  return (
    Array.isArray(data) &&
    data.length > 0 &&
    data.length === texts.length &&
    data.every((item, index) => isSame(texts[index]!, item))
  );
}

/** Keys that say nothing of what stands under them: servers put an answer there because a schema demands an object. */
const plainWrappers: ReadonlySet<string> = new Set(['content', 'result', 'text', 'output', 'response', 'message']);

/** What stands in an object that has nothing but such a key: `{content: same}`, `{result: same}`. */
function wrapped(data: unknown): unknown {
  const entries = isObject(data) ? Object.entries(data) : [];
  const [key, value] = entries[0] ?? [];
  return entries.length === 1 && plainWrappers.has(key!) ? value : undefined;
}

function isSame(text: string, value: unknown): boolean {
  if (typeof value === 'string' && text.trim() === value.trim()) return true;
  try {
    return sorted(JSON.parse(text)) === sorted(value);
  } catch {
    return false;
  }
}

/** JSON whose keys are in one order. */
const sorted = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function bounded(whole: string): string {
  if (whole.length <= longest) return whole;
  // Half of a secret is not known any more: it is masked before it is cut.
  const text = secrets.maskKnown(whole);
  const [head, tail] = [text.slice(0, longest * 0.7), text.slice(-longest * 0.2)];
  return `${head}\n[${withCommas(text.length - head.length - tail.length)} characters are left out here. Ask for less at a time.]\n${tail}`;
}

function binaryIn({
  type,
  data,
  mimeType,
  resource,
}: ContentPart): { readonly data: string; readonly mimeType: string } | undefined {
  const blob =
    type === 'resource'
      ? (resource as { readonly blob?: unknown; readonly mimeType?: unknown } | null)
      : { blob: data, mimeType };
  return (type === 'image' || type === 'audio' || type === 'resource') && typeof blob?.blob === 'string'
    ? { data: blob.blob, mimeType: textIn(blob.mimeType) }
    : undefined;
}

function partText(part: ContentPart): string {
  switch (part.type) {
    case 'text':
      return textIn(part['text']);
    case 'image':
    case 'audio': {
      const what = part.type === 'image' ? 'A picture' : 'A sound';
      return `[${what}, ${textIn(part['mimeType'])}, ${size(part['data'])}. It is not shown.]`;
    }
    case 'resource_link': {
      const about = [part['name'], part['description']].map(textIn).filter(Boolean).join(': ');
      return `[A resource: ${textIn(part['uri'])}${part['name'] === undefined ? '' : ` (${about})`}]`;
    }
    case 'resource':
      return resourceText(part['resource']);
    default:
      return `[Something of the type ${part.type}. It is not shown.]`;
  }
}

/** What a resource holds. */
export function resourceText(resource: unknown): string {
  if (typeof resource !== 'object' || resource === null) return '';
  const { uri, text, blob, mimeType } = resource as Record<string, unknown>;
  return text !== undefined
    ? textIn(text)
    : `[The resource ${textIn(uri)}, ${textIn(mimeType)}, ${size(blob)}. It is no text, so it is not shown.]`;
}

const textIn = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : String(JSON.stringify(value));

function size(base64: unknown): string {
  const characters = typeof base64 === 'string' ? base64.replace(/={1,2}$/, '').length : 0;
  return `${withCommas(Math.floor(characters * 0.75))} bytes`;
}
