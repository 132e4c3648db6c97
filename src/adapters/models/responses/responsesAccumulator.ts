import type { ModelRequest } from '../../../core/ports/model';
import { maxReplyCharacters, type Accumulated } from '../replies/accumulated';
import { fieldsOf, fieldsOfEach, stringOrEmpty, type Fields } from '../replies/receivedFields';
import { toolCallParts } from '../replies/toolCallParts';
import { noUsage, readResponsesUsage } from '../replies/usage';

/** The text and calls of a reply as they grow. Reports every piece to `onDelta`. */
class GrowingReply {
  /** In characters. */
  length = 0;
  /** The text so far. */
  text = '';
  /** When the first piece arrived, on the clock `now`. */
  firstTokenAt: number | undefined;
  /** Calls as they began, with their arguments so far. */
  readonly calls = new Map<number, Fields>();

  constructor(
    private readonly onDelta: ModelRequest['onDelta'],
    private readonly now: () => number,
  ) {}

  get size(): number {
    return this.length + this.calls.size;
  }

  say(kind: 'text' | 'reasoning', piece: string): void {
    this.grow(piece);
    if (kind === 'text') this.text += piece;
    if (piece) this.onDelta?.({ kind, text: piece });
  }

  beginCall(index: number, item: Fields): void {
    this.calls.set(index, item);
  }

  growCall(index: number, piece: string): void {
    const text = stringOrEmpty(this.calls.get(index)?.arguments) + piece;
    this.endCall(index, text);
    this.grow(piece);
    const tool = stringOrEmpty(this.calls.get(index)?.name);
    this.onDelta?.({ kind: 'tool', tool, bytes: text.length, call: index, piece });
  }

  endCall(index: number, text: string): void {
    this.calls.set(index, { type: 'function_call', ...this.calls.get(index), arguments: text });
  }

  private grow(piece: string): void {
    if (piece) this.firstTokenAt ??= this.now();
    this.length += piece.length;
  }
}

/** Assembles a reply from the events of the Responses API, or from one complete response. */
export function responsesAccumulator(onDelta: ModelRequest['onDelta'], now: () => number) {
  const items = new Map<number, Fields>();
  const growing = new GrowingReply(onDelta, now);
  let response: Fields | undefined;
  let model: string | undefined;

  const take = (event: Fields): void => {
    const index = Number(event.output_index ?? items.size);
    const delta = stringOrEmpty(event.delta);
    switch (event.type) {
      case 'response.created':
      case 'response.in_progress':
        model = stringOrEmpty(fieldsOf(event.response).model) || model;
        break;
      case 'response.output_item.added': {
        const item = fieldsOf(event.item);
        if (item.type === 'function_call') growing.beginCall(index, item);
        break;
      }
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        return growing.say('text', delta);
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        return growing.say('reasoning', delta);
      case 'response.reasoning_summary_part.added':
        if (Number(event.summary_index) > 0) growing.say('reasoning', '\n\n');
        break;
      case 'response.function_call_arguments.delta':
        return growing.growCall(index, delta);
      case 'response.function_call_arguments.done':
        return growing.endCall(index, stringOrEmpty(event.arguments));
      case 'response.output_item.done':
        items.set(index, fieldsOf(event.item));
        break;
      case 'response.completed':
      // The name in Codex's own service.
      case 'response.done':
      case 'response.incomplete':
      case 'response.failed':
      case 'response.cancelled':
        response = fieldsOf(event.response);
        break;
      default:
        // One complete response, from a server that does not stream.
        if (event.object === 'response') finishWhole(event);
    }
  };

  const finishWhole = (whole: Fields): void => {
    response = whole;
    const { text, reasoning } = sortItems(fieldsOfEach(whole.output));
    growing.say('reasoning', reasoning);
    growing.say('text', text);
  };

  return {
    /** Processes one event. Returns false if nothing more needs to be read. */
    add(event: unknown): boolean {
      take(fieldsOf(event));
      if (growing.length > maxReplyCharacters)
        response ??= { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
      return response === undefined;
    },
    size: () => growing.size + items.size,
    failure: failureIn,
    finish(taken: (id: string) => boolean): Accumulated {
      const listed = fieldsOfEach(response?.output);
      // Some servers omit the list from the last event, and some the ends of its items, too.
      const { text, reasoning, details, functionCalls } = sortItems(
        listed.length > 0
          ? listed
          : [...new Map([...growing.calls, ...items])].sort(([a], [b]) => a - b).map(([, item]) => item),
      );
      const parts = toolCallParts();
      functionCalls.forEach(({ call_id: id, name, arguments: input }, index) =>
        parts.add([{ index, id, function: { name, arguments: input } }]),
      );
      return {
        text: text || (listed.length > 0 ? '' : growing.text),
        reasoning:
          reasoning || details.length > 0
            ? { text: reasoning, ...(details.length > 0 && { details, detailsField: 'items' }) }
            : undefined,
        toolCalls: parts.finish(taken),
        usage: response ? readResponsesUsage(response.usage) : noUsage,
        finishReason: response && toFinishReason(response, functionCalls.length > 0),
        model: stringOrEmpty(response?.model) || model,
        firstTokenAt: growing.firstTokenAt,
      };
    },
  };
}

/** Returns the error in an event, if there is one. */
function failureIn(event: unknown): unknown {
  const { type, error, response, status, message } = fieldsOf(event);
  if (type === 'error') return error ?? event;
  const failed = { message: 'The response failed.' };
  if (type === 'response.failed') return fieldsOf(response).error ?? failed;
  if (status === 'failed') return error ?? failed;
  return error ?? (type === undefined && message !== undefined ? event : undefined);
}

/** Sorts the items of a response by type. Reasoning is readable as a summary, as text, or not at all. */
function sortItems(items: readonly Fields[]): {
  text: string;
  reasoning: string;
  details: Fields[];
  functionCalls: Fields[];
} {
  const details = items.filter(({ type }) => type === 'reasoning');
  const texts = (parts: readonly Fields[]): string[] =>
    parts.map((part) => stringOrEmpty(part.text) || stringOrEmpty(part.refusal)).filter(Boolean);
  return {
    text: items
      .filter(({ type }) => type === 'message')
      .flatMap((item) => texts(fieldsOfEach(item.content)))
      .join(''),
    reasoning: details
      .flatMap((item) => {
        const summary = texts(fieldsOfEach(item.summary));
        return summary.length > 0 ? summary : texts(fieldsOfEach(item.content));
      })
      .join('\n\n'),
    details,
    functionCalls: items.filter(({ type }) => type === 'function_call'),
  };
}

function toFinishReason({ status, incomplete_details: details }: Fields, hasCalls: boolean): string {
  if (status === 'cancelled') return 'cancelled';
  if (status !== 'incomplete') return hasCalls ? 'tool_calls' : 'stop';
  const reason = stringOrEmpty(fieldsOf(details).reason);
  return reason === 'max_output_tokens' ? 'length' : reason || 'length';
}
