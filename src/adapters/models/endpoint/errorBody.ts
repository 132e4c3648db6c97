import { fieldsOf } from '../replies/receivedFields';
import { truncate } from '../../../protocol/plain/truncate';

/** What a server says about an error. */
export interface ErrorBody {
  /** The sentence to show; empty if the server gives none. */
  readonly sentence: string;
  /** Its codes and types, separated by spaces; may be empty. */
  readonly code: string;
  /** The HTTP status that the text names. */
  readonly status: number | undefined;
  /** The complete text without what it repeats of the request, for recognition. */
  readonly all: string;
}

/**
 * Reads `{error:{message}}`, `{error:"…"}`, `[{error}]`, `{message}`, `{detail}`,
 * `{message:{detail}}`, an HTML page or plain text.
 */
export function readErrorBody(text: string): ErrorBody {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { sentence: clip(isHtml(text) ? pageTitle(text) : text), code: '', status: undefined, all: text };
  }
  return readErrorValue(json, text.includes('"input"') ? JSON.stringify(json, withoutInput) : text);
}

/** FastAPI repeats each value that it refuses under this name: text of the conversation, not of the server. */
const withoutInput = (name: string, value: unknown): unknown => (name === 'input' ? undefined : value);

/** Same as `readErrorBody`, for an error that is already parsed, as in a stream. */
export function readErrorValue(json: unknown, all = JSON.stringify(json)): ErrorBody {
  const outer = fieldsOf(Array.isArray(json) ? json[0] : json);
  const error = typeof json === 'string' ? json : (outer.error ?? outer);
  const inner = fieldsOf(error);
  const metadata = fieldsOf(inner.metadata);
  const saidWhole =
    typeof error === 'string'
      ? error
      : errorText(inner.message) || errorText(outer.message) || errorText(outer.detail) || errorText(inner.detail);
  // llama.cpp puts the reason of a chat template behind a piece of the template.
  const reason = /Jinja Exception: ([^\n]+)/.exec(saidWhole)?.[0] ?? saidWhole;
  // OpenRouter puts the upstream provider's message into the metadata.
  const upstream = errorText(metadata.raw);
  const parameter = errorText(inner.param);
  const about = parameter && !reason.includes(parameter) ? `${reason} (${parameter})` : reason;
  const code = [inner.code, inner.type, inner.status].filter((part) => typeof part === 'string').join(' ');
  const status = [inner.code, inner.status, outer.status].map(Number).find((number) => number >= 400 && number < 600);
  return {
    sentence: clip(upstream && upstream !== reason ? `${reason} ${readErrorBody(upstream).sentence}` : about),
    code,
    status,
    all,
  };
}

function errorText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(wordsWithPlace).filter(Boolean).join('; ');
  if (typeof value !== 'object' || value === null) return '';
  const { detail, message } = fieldsOf(value);
  return errorText(detail) || errorText(message);
}

/**
 * Formats one of several errors with the field it refers to: "messages.2.assistant.name: Extra inputs are not
 * permitted".
 */
function wordsWithPlace(fault: unknown): string {
  const { msg, loc } = fieldsOf(fault);
  const place = Array.isArray(loc) ? loc.filter((step, index) => !(index === 0 && step === 'body')).join('.') : '';
  return typeof msg === 'string' && place ? `${place}: ${msg}` : errorText(msg);
}

export const isHtml = (text: string): boolean => /^\s*<(!doctype|html|head|body|\?xml)/i.test(text);
const pageTitle = (html: string): string =>
  `a web page${
    /<title[^<>]*>([^<]*)</i
      .exec(html)?.[1]
      ?.trim()
      .replace(/^(.+)$/, ' titled “$1”') ?? ''
  }`;

/** Collapses a text to one line of at most 300 characters. */
export function clip(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return truncate(line, 300);
}

/**
 * Returns whether the chat template of a model refused the request. llama.cpp answers 500 to it, but the same request
 * fails every time.
 */
export const isTemplateError = (text: string): boolean => /jinja exception|raise_exception\(/i.test(text);
