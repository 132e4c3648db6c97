import { secrets } from '../secrets/secrets';
import type { Image } from '../../protocol/events/event';
import { withCommas } from '../text/withCommas';
import { isRecord } from '../text/parseJson';
import { compareTexts } from '../text/order';

/** Maximum length of a prompt or resource in a message, in characters. The middle of longer ones is removed. */
const maxPartLength = 50_000;

/**
 * Maximum number of images per result, and their maximum size in characters of base64. Anthropic rejects more, and then
 * rejects every later request, too.
 */
const maxPictures = 5;
const maxImageBytes = 5 * 1024 * 1024;
/** Maximum number of other parts per result that are saved, each as a file. */
const maxKeptParts = 50;
const shownTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** One part of a server's result. Unknown parts are described by their type. */
export interface ContentPart {
  readonly type: string;
  readonly [field: string]: unknown;
}

interface Answer {
  readonly content?: readonly ContentPart[] | undefined;
  readonly structuredContent?: unknown;
}

/** Stores a part that is neither text nor an image. Resolves to its path, or undefined if it cannot be stored. */
type KeepPart = (base64: string, mediaType: string) => Promise<string | undefined>;

/** Converts the result of a call to text and images for the model. The text is not truncated. */
export async function toToolResult(
  answer: Answer,
  keep: KeepPart,
): Promise<{ readonly text: string; readonly images: readonly Image[] }> {
  const images: Image[] = [];
  const texts: string[] = [];
  let kept = 0;
  for (const part of answer.content ?? []) {
    const { data, mimeType: mediaType } = binaryIn(part) ?? {};
    if (data === undefined) texts.push(partText(part));
    else if (
      part.type === 'image' &&
      shownTypes.includes(mediaType!) &&
      data.length <= maxImageBytes &&
      images.length < maxPictures &&
      /^[A-Za-z0-9+/]+={0,2}$/.test(data)
    ) {
      images.push({ mediaType: mediaType!, data });
      texts.push(`[Image ${images.length}, ${mediaType}, ${size(data)}: shown after the results.]`);
    } else {
      const place = kept++ < maxKeptParts ? await keep(data, mediaType!) : undefined;
      texts.push(
        place === undefined
          ? partText(part)
          : `${partText(part).replace(/ It is (not text, so it is )?not shown\.\]$/, '')} It is saved in ${place}, which a person can open.]`,
      );
    }
  }
  return { text: joinTexts(texts, answer), images };
}

/** Converts the result of a server to text. Images and sounds are only named. */
export const resultText = (answer: Answer): string => joinTexts((answer.content ?? []).map(partText), answer);

/** Adds structured data only if the text does not already contain it. */
function joinTexts(texts: readonly string[], { content, structuredContent }: Answer): string {
  const parts = texts.filter((text) => text !== '');
  if (structuredContent !== undefined && structuredContent !== null) {
    const repeatsParts = content !== undefined && sortedJson(wrappedValue(structuredContent)) === sortedJson(content);
    if (!repeatsParts && !containsData(parts, structuredContent))
      parts.push(JSON.stringify(structuredContent, null, 2));
  }
  return parts.join('\n\n') || '[The result is empty.]';
}

/** True if the texts of a result already contain its data, one of them or all together. */
function containsData(texts: readonly string[], data: unknown): boolean {
  const possibleTexts = [...texts, ...(texts.length > 1 ? [texts.join('\n'), texts.join('\n\n')] : [])];
  return possibleTexts.some((text) => isTextOf(text, data)) || areItemsOf(texts, wrappedValue(data));
}

/**
 * True if the text is the data, as JSON or verbatim, or if the data only wraps the text, such as the `{result: …}` of
 * many servers.
 */
function isTextOf(text: string, data: unknown): boolean {
  if (isSameData(text, data)) return true;
  const inner = wrappedValue(data);
  return inner !== undefined && isSameData(text, inner);
}

/** True if each text is one item of a list, as in servers that convert each item of a returned list to a text. */
function areItemsOf(texts: readonly string[], data: unknown): boolean {
  return (
    Array.isArray(data) &&
    data.length > 0 &&
    data.length === texts.length &&
    data.every((item, index) => isSameData(texts[index]!, item))
  );
}

/** Meaningless keys that servers use because a schema requires an object. */
const plainWrappers: ReadonlySet<string> = new Set(['content', 'result', 'text', 'output', 'response', 'message']);

/** Returns the value of an object with only such a key: `{content: same}`, `{result: same}`. */
function wrappedValue(data: unknown): unknown {
  const entries = isRecord(data) ? Object.entries(data) : [];
  const [key, value] = entries[0] ?? [];
  return entries.length === 1 && plainWrappers.has(key!) ? value : undefined;
}

function isSameData(text: string, value: unknown): boolean {
  if (typeof value === 'string' && text.trim() === value.trim()) return true;
  try {
    return sortedJson(JSON.parse(text)) === sortedJson(value);
  } catch {
    return false;
  }
}

/** JSON with sorted keys. */
const sortedJson = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    isRecord(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => compareTexts(a, b))) : part,
  );

/**
 * Returns the text, without its middle if it is longer than one part of a result may be. Secrets are masked before it
 * is cut.
 */
export function withinPartLength(whole: string): string {
  if (whole.length <= maxPartLength) return whole;
  // Mask secrets before truncating, because half a secret would not be recognized.
  const text = secrets.maskKnown(whole);
  const [head, tail] = [text.slice(0, maxPartLength * 0.7), text.slice(-maxPartLength * 0.2)];
  return `${head}\n[${withCommas(text.length - head.length - tail.length)} characters omitted here. Request less at a time.]\n${tail}`;
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
      const what = part.type === 'image' ? 'An image' : 'An audio clip';
      return `[${what}, ${textIn(part['mimeType'])}, ${size(part['data'])}. It is not shown.]`;
    }
    case 'resource_link': {
      const about = [part['name'], part['description']].map(textIn).filter(Boolean).join(': ');
      return `[A resource: ${textIn(part['uri'])}${part['name'] === undefined ? '' : ` (${about})`}]`;
    }
    case 'resource':
      return resourceText(part['resource']);
    default:
      return `[Content of type ${part.type}. It is not shown.]`;
  }
}

/** Returns the content of a resource as text. */
export function resourceText(resource: unknown): string {
  if (typeof resource !== 'object' || resource === null) return '';
  const { uri, text, blob, mimeType } = resource as Record<string, unknown>;
  return text !== undefined
    ? textIn(text)
    : `[The resource ${textIn(uri)}, ${textIn(mimeType)}, ${size(blob)}. It is not text, so it is not shown.]`;
}

function textIn(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : String(JSON.stringify(value));
}

function size(base64: unknown): string {
  const characters = typeof base64 === 'string' ? base64.replace(/={1,2}$/, '').length : 0;
  return `${withCommas(Math.floor(characters * 0.75))} bytes`;
}
