import type { Hunk } from '../../protocol/events/details';
import type { MessageLine, MessageState, RequestOutline, WholeMessage } from '../../protocol/inspector/inspector';
import { contextFill } from '../condense/contextFill';
import type { History } from '../log/projection';
import type { ChatMessage } from '../ports/model';
import { replyBefore, requestAt, type Request } from './requestAt';
import { oneLine, stepsOf } from './steps';

/** Number of messages per page. */
const PAGE = 60;

interface Compared {
  readonly states: MessageState[];
  readonly same: number;
  readonly sameCharacters: number;
  readonly characters: number;
  readonly dropped: number[];
}

/** Both requests of a step, cached for the next query about the same step. */
export interface RequestPair {
  readonly seq: number;
  readonly request: Request;
  readonly before?: { readonly seq: number; readonly request: Request } | undefined;
}

/**
 * Returns the request whose reply is the event `seq`, and the one before it to compare with. Undefined if there was no
 * request.
 */
export function requestPair(history: History, seq: number): RequestPair | undefined {
  const request = requestAt(history, seq);
  if (!request) return undefined;
  const reply = replyBefore(history, seq);
  const earlier = reply && requestAt(history, reply.seq);
  return { seq, request, ...(reply && earlier && { before: { seq: reply.seq, request: earlier } }) };
}

/** Returns an outline of a request. `from` is the first message to include; by default, the first that changed. */
export function outlineOf(history: History, pair: RequestPair, from?: number): RequestOutline {
  const { request, before, seq } = pair;
  const texts = request.messages.map(serialize);
  const earlier = before?.request.messages.map(serialize) ?? [];
  const { states, dropped, ...compared } = compare(texts, earlier, request.messages, before?.request.messages ?? []);
  const tools = JSON.stringify(request.tools);
  const steps = stepsOf(history);
  const reply = history[seq];
  const start = from ?? Math.min(before ? compared.same : 0, Math.max(0, texts.length - 1));
  const line = (message: ChatMessage, index: number, length: number): Omit<MessageLine, 'state'> => ({
    index,
    role: message.role,
    characters: length,
    line: oneLine(messageText(message)),
  });
  return {
    total: texts.length,
    messages: request.messages
      .slice(start, start + PAGE)
      .map((message, at) => ({ ...line(message, start + at, texts[start + at]!.length), state: states[start + at]! })),
    characters: total(texts) + (request.tools.length > 0 ? tools.length : 0),
    tools: [
      ...request.tools.map(({ name }) => ({ name, known: true })),
      ...request.unknown.map((name) => ({ name, known: false })),
    ],
    toolsChanged: before !== undefined && tools !== JSON.stringify(before.request.tools),
    fill: contextFill(
      history.slice(0, reply?.type === 'agent_response' ? reply.readUpTo : seq),
      request.tools.length > 0 ? tools.length : 0,
    ),
    ...(before && {
      previous: {
        seq: before.seq,
        number: steps.rows[steps.owner[before.seq]!]?.number ?? 0,
        ...compared,
        dropped: dropped
          .slice(0, PAGE)
          .map((index) => line(before.request.messages[index]!, index, earlier[index]!.length)),
      },
    }),
  };
}

/**
 * Returns one message in full, with its changes if the previous request had another message at this index. Returns
 * undefined if there is no such message.
 */
export async function wholeMessage({ request, before }: RequestPair, index: number): Promise<WholeMessage | undefined> {
  const message = request.messages[index];
  if (!message) return undefined;
  const text = formatForPeople(message);
  const earlier = before?.request.messages[index];
  const hunks =
    earlier?.role === message.role && serialize(earlier) !== serialize(message)
      ? await changes(formatForPeople(earlier), text)
      : undefined;
  return { index, role: message.role, text, ...(hunks && { hunks }) };
}

function compare(
  texts: readonly string[],
  earlier: readonly string[],
  messages: readonly ChatMessage[],
  before: readonly ChatMessage[],
): Compared {
  let same = 0;
  while (same < texts.length && same < earlier.length && texts[same] === earlier[same]) same++;
  let sameCharacters = total(texts.slice(0, same));
  // The first message that differs may only have been extended.
  const [now, then] = [texts[same], earlier[same]];
  if (now !== undefined && then !== undefined) sameCharacters += commonBeginning(now, then);
  const places = new Map<string, number[]>();
  for (let index = earlier.length - 1; index >= same; index--)
    places.set(earlier[index]!, [...(places.get(earlier[index]!) ?? []), index]);
  let reached = same - 1;
  const found = new Set<number>();
  const states = texts.map((text, index): MessageState => {
    if (index < same) return 'same';
    const list = places.get(text);
    while (list && list.length > 0 && list.at(-1)! <= reached) list.pop();
    const place = list?.pop();
    if (place !== undefined) {
      reached = place;
      found.add(place);
      return 'moved';
    }
    return 'new';
  });
  if (
    states[same] === 'new' &&
    same < earlier.length &&
    !found.has(same) &&
    messages[same]?.role === before[same]?.role
  ) {
    states[same] = 'changed';
    found.add(same);
  }
  return {
    states,
    same,
    sameCharacters,
    characters: total(earlier),
    dropped: earlier.flatMap((_text, index) => (index < same || found.has(index) ? [] : [index])),
  };
}

/** Serializes a message for comparison, close to what the provider receives. Images are represented by their bytes. */
const serialize = (message: ChatMessage): string => JSON.stringify(message);
const total = (texts: readonly string[]): number => texts.reduce((sum, { length }) => sum + length, 0);
const messageText = (message: ChatMessage): string =>
  message.content ||
  (message.role === 'assistant'
    ? (message.tool_calls ?? []).map(({ function: call }) => `${call.name} ${call.arguments}`).join(' · ')
    : '');

/** Formats a message for people: its text, and the rest below as JSON. */
function formatForPeople({ role: _role, content, ...rest }: ChatMessage): string {
  const more =
    Object.keys(rest).length > 0
      ? JSON.stringify(
          'images' in rest && rest.images
            ? { ...rest, images: rest.images.map(({ mediaType, data }) => `${mediaType}, ${data.length} characters`) }
            : rest,
          null,
          2,
        )
      : '';
  return [content, more].filter(Boolean).join('\n\n');
}

function commonBeginning(a: string, b: string): number {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at++;
  return at;
}

async function changes(before: string, after: string): Promise<Hunk[] | undefined> {
  const { structuredPatch } = await import('diff');
  const patch = structuredPatch('before', 'after', before, after, undefined, undefined, {
    context: 2,
    maxEditLength: 2000,
  });
  return patch?.hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
    oldStart,
    oldLines,
    newStart,
    newLines,
    lines: lines.filter((line) => !line.startsWith('\\')),
  }));
}
