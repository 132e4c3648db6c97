import type { Image } from '../../../protocol/events/event';
import { pictureAt } from './chat';
import { listIn, objectIn, textIn, type JsonObject } from './json';
import type { StoredCall } from './logBuilder';
import { isRecord } from '../../text/parseJson';
import { truncate } from '../../../protocol/plain/truncate';

/** Result of a call in a part of a message. */
interface ReadResult {
  readonly id: string | undefined;
  readonly content: string;
  readonly failed: boolean;
}

/** Parts of a message's content, independent of the provider. */
export interface ReadParts {
  readonly text: string;
  readonly images: readonly Image[];
  readonly thoughts: string;
  readonly calls: readonly StoredCall[];
  readonly results: readonly ReadResult[];
  /** Unknown kinds of parts; they are included in `text` as JSON. */
  readonly unknown: readonly string[];
}

/** Longer JSON is truncated; it is a placeholder for something that cannot be displayed. */
const maxJsonLength = 2000;

/**
 * Extracts text, images, thoughts, calls and results of a message: a string, one part, or a list of parts as OpenAI,
 * Anthropic, Gemini and the AI SDK write them. Returns undefined for anything else.
 */
export function readContent(content: unknown): ReadParts | undefined {
  if (typeof content === 'string' || content === null || content === undefined)
    return { ...nothing, text: content ?? '' };
  if (!Array.isArray(content) && !isPart(content)) return undefined;
  const parts: readonly unknown[] = Array.isArray(content) ? content : [content];
  const read = parts.map(readPart);
  return {
    text: read.flatMap(({ text }) => text ?? []).join('\n'),
    images: read.flatMap(({ images = [] }) => images),
    thoughts: read.flatMap(({ thought }) => thought ?? []).join('\n'),
    calls: read.flatMap(({ call }) => call ?? []),
    results: read.flatMap(({ result }) => result ?? []),
    unknown: [...new Set(read.flatMap(({ unknown }) => unknown ?? []))],
  };
}

/** Returns only the text of a message: all parts except embedded images, each as text. */
export function contentText(content: unknown): string | undefined {
  const parts = readContent(content);
  if (!parts) return undefined;
  const hasOnlyText = parts.thoughts === '' && parts.calls.length === 0 && parts.results.length === 0;
  if (hasOnlyText) return parts.text;
  const all: readonly unknown[] = Array.isArray(content) ? content : [content];
  return all.flatMap((part) => allTextOfPart(part) ?? []).join('\n');
}

/** What one part contains: one of these, or nothing. */
interface ReadPart {
  readonly text?: string | undefined;
  readonly images?: readonly Image[];
  readonly thought?: string;
  readonly call?: StoredCall;
  readonly result?: ReadResult;
  readonly unknown?: string;
}

const nothing: ReadParts = { text: '', images: [], thoughts: '', calls: [], results: [], unknown: [] };

const isPart = (value: unknown): boolean => textOfPart(value) !== undefined || textIn(value, 'type') !== undefined;

function readPart(part: unknown): ReadPart {
  if (typeof part === 'string') return { text: part };
  if (part === null || part === undefined) return {};
  if (!isRecord(part)) return { text: shortJson(part), unknown: Array.isArray(part) ? 'list' : typeof part };
  const call = callOfPart(part);
  if (call) return { call };
  const result = resultOfPart(part);
  if (result) return { result };
  const thought = thoughtOfPart(part);
  if (thought !== undefined) return { thought };
  const text = textOfPart(part);
  if (text !== undefined) return { text };
  const picture = pictureOfPart(part);
  if (picture) return picture.images.length > 0 ? { images: picture.images } : { text: `[image: ${picture.label}]` };
  const file = fileLabel(part);
  if (file !== undefined) return { text: file };
  const fields = Object.keys(part);
  if (fields.length === 0) return {};
  return { text: shortJson(part), unknown: textIn(part, 'type') ?? fields.slice(0, 3).join(', ') };
}

/** Returns everything in one part as text. */
function allTextOfPart(part: unknown): string | undefined {
  const { text, thought, call, result } = readPart(part);
  if (call) return shortJson(part);
  return text ?? thought ?? result?.content;
}

/**
 * Reads `{"type":"text","text":…}`, `{"type":"text","value":…}`, `{"type":"text","text":{"value":…}}`, refusals, and
 * Gemini's parts, which have no type.
 */
function textOfPart(part: unknown): string | undefined {
  const text = textIn(part, 'text') ?? textIn(objectIn(part, 'text'), 'value');
  if (text !== undefined) return text;
  const type = textIn(part, 'type');
  if (type === 'refusal') return textIn(part, 'refusal');
  return type === 'text' || type === 'output_text' || type === 'input_text'
    ? (textIn(part, 'value') ?? textIn(part, 'content'))
    : undefined;
}

/** Reads Anthropic's `tool_use`, the AI SDK's `tool-call` and Gemini's `functionCall`. */
function callOfPart(part: JsonObject): StoredCall | undefined {
  const type = textIn(part, 'type');
  if (type === 'tool_use' || type === 'server_tool_use' || type === 'mcp_tool_use')
    return { id: textIn(part, 'id'), tool: textIn(part, 'name') ?? '', arguments: part['input'] };
  if (type === 'tool-call')
    return {
      id: textIn(part, 'toolCallId'),
      tool: textIn(part, 'toolName') ?? '',
      arguments: part['input'] ?? part['args'],
    };
  const called = objectIn(part, 'functionCall') ?? objectIn(part, 'function_call');
  return (
    called && {
      id: textIn(called, 'id'),
      tool: textIn(called, 'name') ?? '',
      arguments: called['args'] ?? called['arguments'],
    }
  );
}

/** Reads Anthropic's `tool_result`, the AI SDK's `tool-result` and Gemini's `functionResponse`. */
function resultOfPart(part: JsonObject): ReadResult | undefined {
  const type = textIn(part, 'type') ?? '';
  if (type.endsWith('tool_result'))
    return {
      id: textIn(part, 'tool_use_id'),
      content: foreignResultText(part['content']),
      failed: part['is_error'] === true,
    };
  if (type === 'tool-result') {
    const output = part['output'] ?? part['result'];
    return {
      id: textIn(part, 'toolCallId'),
      content: foreignResultText(output),
      failed: part['isError'] === true || (textIn(output, 'type') ?? '').startsWith('error-'),
    };
  }
  const answered = objectIn(part, 'functionResponse') ?? objectIn(part, 'function_response');
  return answered && { id: textIn(answered, 'id'), content: foreignResultText(answered['response']), failed: false };
}

/** Converts a result to text: a string, parts, `{"type":"json","value":…}`, or any JSON. */
export function foreignResultText(output: unknown): string {
  if (output === undefined || output === null) return '';
  const type = textIn(output, 'type') ?? '';
  if (isRecord(output) && 'value' in output && /^(?:text|json|content|error-text|error-json)$/.test(type))
    return foreignResultText(output['value']);
  const single =
    isRecord(output) && Object.keys(output).length === 1
      ? (textIn(output, 'result') ?? textIn(output, 'output'))
      : undefined;
  if (single !== undefined) return single;
  const isContent =
    typeof output === 'string' ||
    isPart(output) ||
    (Array.isArray(output) && output.length > 0 && output.every(isPart));
  return (isContent ? contentText(output) : undefined) ?? JSON.stringify(output);
}

function thoughtOfPart(part: JsonObject): string | undefined {
  const type = textIn(part, 'type');
  if (type === 'redacted_thinking') return '[redacted by the provider]';
  if (type === 'thinking' || type === 'reasoning') {
    const text = textIn(part, 'thinking') ?? textIn(part, 'text') ?? textIn(part, 'reasoning');
    return text ?? (textOfList(part, 'content') || textOfList(part, 'summary'));
  }
  return part['thought'] === true ? textIn(part, 'text') : undefined;
}

/** Joins the texts of a list of parts inside a part. */
const textOfList = (part: JsonObject, field: 'content' | 'summary'): string =>
  (listIn(part, field) ?? []).flatMap((inner) => textOfPart(inner) ?? []).join('\n');

/** Reads an image. `images` is empty if it is not embedded; `label` then says where it is. */
function pictureOfPart(part: JsonObject): { readonly images: readonly Image[]; readonly label: string } | undefined {
  const source = objectIn(part, 'source');
  const inline = objectIn(part, 'inlineData') ?? objectIn(part, 'inline_data') ?? source;
  const data = textIn(inline, 'data');
  const mediaType =
    textIn(inline, 'media_type') ?? textIn(inline, 'mimeType') ?? textIn(inline, 'mime_type') ?? 'image/png';
  const type = textIn(part, 'type') ?? '';
  const isImage = /image/.test(type) || 'image_url' in part || (data !== undefined && mediaType.startsWith('image/'));
  if (!isImage) return undefined;
  if (data !== undefined) return { images: pictureAt(`data:${mediaType};base64,${data}`), label: mediaType };
  const listed = listIn(part, 'image_urls');
  if (listed) return { images: listed.flatMap(pictureAt), label: listed.map(shortAddress).join(', ') };
  const address =
    textIn(objectIn(part, 'image_url'), 'url') ??
    textIn(part, 'image_url') ??
    textIn(part, 'image') ??
    textIn(part, 'url') ??
    textIn(source, 'url') ??
    textIn(source, 'path') ??
    textIn(part, 'file_id') ??
    textIn(source, 'file_id');
  return { images: pictureAt(address), label: shortAddress(address) };
}

const shortAddress = (address: unknown): string =>
  typeof address === 'string' && address !== '' ? address.slice(0, 200) : 'not in this file';

/** Returns a text such as "[audio: talk.mp3]" for an audio, video or other file. */
function fileLabel(part: JsonObject): string | undefined {
  const type = textIn(part, 'type') ?? '';
  if (!/^(?:input_)?(?:audio|video|file|document)(?:_url)?$/.test(type)) return undefined;
  const file = objectIn(part, 'file') ?? objectIn(part, type) ?? objectIn(part, 'source') ?? part;
  const name =
    textIn(file, 'filename') ??
    textIn(file, 'url') ??
    textIn(file, 'file_id') ??
    textIn(part, 'title') ??
    textIn(file, 'format') ??
    textIn(file, 'media_type');
  const kind = type.replace(/^input_|_url$/g, '');
  const hasName = name !== undefined && !name.startsWith('data:');
  return hasName ? `[${kind}: ${name.slice(0, 200)}]` : `[${kind}]`;
}

/** Formats a value that cannot be displayed otherwise. */
export function shortJson(value: unknown): string {
  const json = JSON.stringify(value) ?? '';
  return truncate(json, maxJsonLength);
}
