import type { ModelRequest } from '../../../core/ports/model';
import type { Reasoning } from '../../../protocol/events/event';
import { maxReplyCharacters, type Accumulated } from '../replies/accumulated';
import { fieldsOf, fieldsOfEach, stringOrEmpty, type Fields } from '../replies/receivedFields';
import { toolCallParts } from '../replies/toolCallParts';
import { noUsage, type ReportedUsage } from '../replies/usage';
import { rememberedBlocks } from './blockOrder';

const count = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;

/** One block of a reply that is still streaming. `text`: its text, thinking or argument JSON so far. */
interface Growing {
  readonly type: string;
  readonly begun: Fields;
  text: string;
  signature: string;
}

/** The blocks of a reply as they grow. Reports every piece to `onDelta`. */
class GrowingBlocks {
  /** In characters of all blocks. */
  length = 0;
  /** When the first piece arrived, on the clock `now`. */
  firstTokenAt: number | undefined;
  private readonly blocks = new Map<number, Growing>();

  constructor(
    private readonly onDelta: ModelRequest['onDelta'],
    private readonly now: () => number,
  ) {}

  get count(): number {
    return this.blocks.size;
  }

  begin(index: number, begun: Fields): void {
    const type = stringOrEmpty(begun.type);
    this.blocks.set(index, { type, begun, text: '', signature: stringOrEmpty(begun.signature) });
    if (type === 'text') this.grow(index, stringOrEmpty(begun.text));
    if (type === 'thinking') this.grow(index, stringOrEmpty(begun.thinking));
  }

  addDelta(index: number, delta: Fields): void {
    switch (delta.type) {
      case 'text_delta':
        return this.grow(index, stringOrEmpty(delta.text));
      case 'thinking_delta':
        return this.grow(index, stringOrEmpty(delta.thinking));
      case 'input_json_delta':
        return this.grow(index, stringOrEmpty(delta.partial_json));
      case 'signature_delta': {
        const block = this.blocks.get(index);
        if (block) block.signature += stringOrEmpty(delta.signature);
        return;
      }
      default: // citations, and types added later
    }
  }

  inOrder(): readonly Growing[] {
    return [...this.blocks].sort(([a], [b]) => a - b).map(([, block]) => block);
  }

  /** Appends a piece to the text of a block. */
  private grow(index: number, piece: string): void {
    const { onDelta } = this;
    const block = this.blocks.get(index);
    if (!block || piece === '') return;
    block.text += piece;
    this.length += piece.length;
    this.firstTokenAt ??= this.now();
    if (block.type === 'text') onDelta?.({ kind: 'text', text: piece });
    if (block.type === 'thinking') onDelta?.({ kind: 'reasoning', text: piece });
    if (block.type !== 'tool_use') return;
    onDelta?.({ kind: 'tool', tool: stringOrEmpty(block.begun.name), bytes: block.text.length, call: index, piece });
  }
}

/** Assembles a reply from the events of Anthropic's Messages API, or from one complete message. */
export function messagesAccumulator(onDelta: ModelRequest['onDelta'], now: () => number) {
  const blocks = new GrowingBlocks(onDelta, now);
  let reported: Fields = {};
  let stopReason: string | undefined;
  let model: string | undefined;
  let isOver = false;

  /** Usage is reported at the beginning and at the end; later counts override earlier ones. */
  const addUsage = (usage: unknown): void => {
    reported = {
      ...reported,
      ...Object.fromEntries(Object.entries(fieldsOf(usage)).filter(([, value]) => count(value) !== undefined)),
    };
  };

  const take = (event: Fields): void => {
    const index = Number(event.index ?? 0);
    switch (event.type) {
      case 'message_start': {
        const message = fieldsOf(event.message);
        model = stringOrEmpty(message.model) || model;
        addUsage(message.usage);
        break;
      }
      case 'content_block_start':
        return blocks.begin(index, fieldsOf(event.content_block));
      case 'content_block_delta':
        return blocks.addDelta(index, fieldsOf(event.delta));
      case 'message_delta':
        stopReason = stringOrEmpty(fieldsOf(event.delta).stop_reason) || stopReason;
        addUsage(event.usage);
        break;
      case 'message_stop':
        isOver = true;
        break;
      case 'message': // one complete message, from a server that does not stream
        model = stringOrEmpty(event.model) || model;
        addUsage(event.usage);
        fieldsOfEach(event.content).forEach((block, at) => blocks.begin(at, block));
        stopReason = stringOrEmpty(event.stop_reason) || stopReason;
        isOver = true;
        break;
      default: // pings
    }
  };

  return {
    /** Processes one event. Returns false if nothing more needs to be read. */
    add(event: unknown): boolean {
      take(fieldsOf(event));
      if (blocks.length <= maxReplyCharacters) return !isOver;
      stopReason = 'max_tokens';
      return false;
    },
    size: () => blocks.length + blocks.count,
    isComplete: () => stopReason !== undefined,
    failure: failureIn,
    finish(taken: (id: string) => boolean): Accumulated {
      const all = blocks.inOrder();
      return {
        text: joinText(all),
        reasoning: reasoningIn(all),
        // A reply that was refused while streaming may end in the middle of a call.
        toolCalls: callsIn(stopReason === 'refusal' ? [] : all).finish(taken),
        usage: usageOf(reported),
        finishReason: stopReason && toFinishReason(stopReason),
        model,
        firstTokenAt: blocks.firstTokenAt,
      };
    },
  };
}

/** Returns the error in an event, if there is one. */
function failureIn(event: unknown): unknown {
  const { type, error, message } = fieldsOf(event);
  if (type === 'error') return error ?? event;
  return error ?? (type === undefined && message !== undefined ? event : undefined);
}

const joinText = (blocks: readonly Growing[]): string =>
  blocks
    .filter(({ type }) => type === 'text')
    .map(({ text }) => text)
    .join('');

function callsIn(blocks: readonly Growing[]): ReturnType<typeof toolCallParts> {
  const parts = toolCallParts();
  blocks
    .filter(({ type }) => type === 'tool_use')
    .forEach((block, index) =>
      parts.add([{ index, id: block.begun.id, function: { name: block.begun.name, arguments: argumentsOf(block) } }]),
    );
  return parts;
}

/** Arguments arrive in pieces. If there are none, the block itself contains them. */
const argumentsOf = ({ text, begun }: Growing): string => text || JSON.stringify(fieldsOf(begun.input));

function reasoningIn(blocks: readonly Growing[]): Reasoning | undefined {
  const details = rememberedBlocks(blocks, asReceived);
  if (details.length === 0) return undefined;
  const text = blocks
    .filter(({ type }) => type === 'thinking')
    .map((block) => block.text)
    .filter(Boolean)
    .join('\n\n');
  return { text, details, detailsField: 'content' };
}

/** Returns a thinking block in the form in which it must be sent back. */
function asReceived({ type, text, signature, begun }: Growing): object {
  return type === 'thinking' ? { type, thinking: text, ...(signature && { signature }) } : begun;
}

/** `input_tokens` excludes input that was read from or written to the cache. */
function usageOf(reported: Fields): ReportedUsage {
  const plain = count(reported.input_tokens);
  const cached = count(reported.cache_read_input_tokens);
  const output = count(reported.output_tokens);
  if (plain === undefined && cached === undefined && output === undefined) return noUsage;
  const written = count(reported.cache_creation_input_tokens) ?? 0;
  return {
    inputTokens: plain === undefined ? null : plain + (cached ?? 0) + written,
    outputTokens: output ?? null,
    cachedTokens: cached ?? null,
    writtenTokens: written,
    cost: null,
  };
}

function toFinishReason(reason: string): string {
  switch (reason) {
    case 'end_turn':
    case 'stop_sequence':
    case 'pause_turn':
      return 'stop';
    case 'tool_use':
      return 'tool_calls';
    case 'max_tokens':
      return 'length';
    default:
      return reason; // refusal, model_context_window_exceeded, and reasons added later
  }
}
