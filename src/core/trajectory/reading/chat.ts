import type { EventOf, Image, ModelInfo, NewEvent, Reasoning } from '../../../protocol/events/event';
import type { LogBuilder, StoredCall } from './logBuilder';
import { listIn, objectIn, textIn, type JsonObject } from './json';
import { isRecord } from '../../text/parseJson';
import { truncate } from '../../../protocol/plain/truncate';

/** What a file of another format says about the beginning of a run. */
export interface RunBeginning {
  readonly origin: string;
  readonly systemPrompt?: string | undefined;
  readonly task?: string | undefined;
  readonly model?: string | undefined;
  readonly provider?: string | undefined;
  readonly cwd?: string | undefined;
  readonly tools?: readonly string[];
  readonly profile?: string | undefined;
  readonly title?: string | undefined;
  readonly limits?: EventOf<'task_started'>['limits'] | undefined;
  readonly images?: readonly Image[];
}

/** Creates the first event of a log that is read from another format. */
export function firstEvent({
  origin,
  systemPrompt = '',
  task = '',
  model = '',
  provider = '',
  cwd = '',
  tools = [],
  profile,
  title,
  limits,
  images = [],
}: RunBeginning): NewEvent {
  const info: ModelInfo = { name: model, provider, contextWindow: null };
  return {
    type: 'task_started',
    origin,
    task,
    title: title ?? chatTitle(task),
    systemPrompt,
    model: info,
    tools: [...tools],
    cwd,
    confirmation: 'never',
    limits: limits ?? { steps: 0, cost: 0, seconds: 0 },
    ...(profile !== undefined && { profile }),
    ...(images.length > 0 && { images: [...images] }),
  };
}

/** Returns the first non-empty line, truncated for lists. */
function chatTitle(task: string): string {
  const line =
    task
      .split('\n')
      .map((each) => each.trim())
      .find((each) => /[\p{L}\p{N}]/u.test(each)) ?? '';
  return truncate(line, 80);
}

/** Reads the tool calls of a message in OpenAI's chat format. */
export function callsIn(message: JsonObject, where: string, builder: LogBuilder): StoredCall[] {
  const calls: StoredCall[] = [];
  for (const [index, call] of (listIn(message, 'tool_calls') ?? []).entries()) {
    const called = objectIn(call, 'function') ?? objectIn(call, 'custom') ?? (isRecord(call) ? call : undefined);
    const tool = textIn(called, 'name');
    const signature = textIn(objectIn(objectIn(call, 'extra_content'), 'google'), 'thought_signature');
    if (called && tool !== undefined)
      calls.push({ id: textIn(call, 'id'), tool, arguments: called['arguments'] ?? called['input'], signature });
    else builder.problem(`${where}.tool_calls[${index}]`, 'It names no function, so it is skipped.');
  }
  const old = objectIn(message, 'function_call');
  const tool = textIn(old, 'name');
  return old && tool !== undefined ? [...calls, { tool, arguments: old['arguments'] }] : calls;
}

/** Reads the reasoning from the fields that providers use. */
export function reasoningIn(message: JsonObject): Reasoning | undefined {
  const field = (['reasoning_content', 'reasoning'] as const).find((name) => textIn(message, name));
  const detailsField = (['reasoning_details', 'thinking_blocks'] as const).find(
    (name) => listIn(message, name)?.length,
  );
  if (!field && !detailsField) return undefined;
  const details = detailsField && listIn(message, detailsField);
  const text =
    (field && textIn(message, field)) ??
    details
      ?.map((part) => textIn(part, 'thinking') ?? textIn(part, 'text') ?? textIn(part, 'summary') ?? '')
      .filter(Boolean)
      .join('\n') ??
    '';
  return { text, ...(field && { field }), ...(detailsField && details && { details, detailsField }) };
}

/** Returns the images embedded in a message. */
export function imagesIn(content: unknown): Image[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((part) => pictureAt(textIn(objectIn(part, 'image_url'), 'url')));
}

/** Returns the image in a data URL, or nothing for any other URL. */
export function pictureAt(url: unknown): Image[] {
  const data = typeof url === 'string' ? /^data:(image\/[\w.+-]+);base64,([A-Za-z0-9+/=]+)$/.exec(url) : null;
  return data ? [{ mediaType: data[1]!, data: data[2]! }] : [];
}
