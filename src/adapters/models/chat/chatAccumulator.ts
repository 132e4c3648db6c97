import type { ModelRequest } from '../../../core/ports/model';
import { maxReplyCharacters, type Accumulated } from '../replies/accumulated';
import { fieldsOf, type Fields } from '../replies/receivedFields';
import { reasoningParts, splitAtClosing, thinkTags } from './reasoningParts';
import { signatureIn, toolCallParts } from '../replies/toolCallParts';
import { laterUsage, noUsage, readUsage } from '../replies/usage';

const asString = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/** Assembles a reply from the chunks of a chat completion, streamed or whole. Reads the choice with this `index`. */
export function chatAccumulator(onDelta: ModelRequest['onDelta'], now: () => number, index = 0) {
  const calls = toolCallParts();
  const reasoning = reasoningParts();
  let text = '';
  let usage = noUsage;
  let finishReason: string | undefined;
  let model: string | undefined;
  let firstTokenAt: number | undefined;
  let length = 0;
  let refused = false;
  let signature: string | undefined;
  const tags = thinkTags();

  const grew = (kind: 'text' | 'reasoning', piece: string): void => {
    if (!piece) return;
    firstTokenAt ??= now();
    length += piece.length;
    if (kind === 'text') text += piece;
    onDelta?.({ kind, text: piece });
  };

  /** Adds text of the model, whose beginning may be reasoning in tags. */
  const wrote = (pieces: ReturnType<typeof tags.finish>): void => {
    for (const { kind, text: piece } of pieces) {
      if (kind === 'reasoning') reasoning.addText(piece);
      grew(kind, piece);
    }
  };

  const addMessage = (delta: Fields): void => {
    signature ??= signatureIn(delta);
    grew('reasoning', reasoning.add(delta));
    if (typeof delta.content === 'string') wrote(tags.add(delta.content));
    else if (Array.isArray(delta.content)) for (const part of delta.content) addPart(fieldsOf(part));
    if (typeof delta.refusal === 'string' && delta.refusal) {
      refused = true;
      grew('text', delta.refusal);
    }
    const parts = delta.tool_calls ?? (delta.function_call ? [{ index: 0, function: delta.function_call }] : undefined);
    if (!parts) return;
    for (const { call, place, piece } of calls.add(parts)) {
      firstTokenAt ??= now();
      onDelta?.({ kind: 'tool', tool: call.name, bytes: call.arguments.length, call: place, piece });
    }
    // Each piece counts with its length, an empty one with a small minimum.
    for (const part of [parts].flat())
      length += Math.max(8, asString(fieldsOf(fieldsOf(part).function).arguments).length);
  };

  /** Content parts: `thinking` parts contain reasoning, as text with Anthropic, as nested parts with Mistral. */
  const addPart = (part: Fields): void => {
    if (typeof part.text === 'string') return wrote(tags.add(part.text));
    const thought = reasoning.addPart(part);
    if (thought !== undefined) grew('reasoning', thought);
  };

  return {
    /** Processes one chunk. Returns false if the reply exceeds the maximum length and reading should stop. */
    add(chunk: unknown): boolean {
      const { choices, usage: reported, x_groq: groq, model: name } = fieldsOf(chunk);
      if (typeof name === 'string' && name) model = name;
      const counts = reported ?? fieldsOf(groq).usage;
      if (counts) usage = laterUsage(usage, readUsage(counts));
      const choice = fieldsOf(
        Array.isArray(choices) ? choices.find((one) => Number(fieldsOf(one).index ?? 0) === index) : undefined,
      );
      // After pieces, a whole message repeats them.
      addMessage(fieldsOf(choice.delta ?? (length === 0 ? choice.message : undefined)));
      if (typeof choice.finish_reason === 'string' && choice.finish_reason) finishReason = choice.finish_reason;
      if (choice.usage && !counts) usage = laterUsage(usage, readUsage(choice.usage));
      if (length <= maxReplyCharacters) return true;
      finishReason = 'length';
      return false;
    },
    size: () => length,
    isComplete: () => finishReason !== undefined,
    finish(taken: (id: string) => boolean): Accumulated {
      wrote(tags.finish());
      const late = splitAtClosing(text);
      if (late) reasoning.addText(late.reasoning);
      return {
        text: late?.text ?? text,
        reasoning: reasoning.finish(),
        toolCalls: calls.finish(taken, signature),
        usage,
        finishReason: refused && finishReason === 'stop' ? 'refusal' : finishReason,
        model,
        firstTokenAt,
      };
    },
  };
}
