import { callsOf } from '../chatBody';
import type { ErrorDetails, GivenReply, MadeCall, Persona, Refusal } from '../persona';
import { Chunks, finishOf, piecesOf, randomWord } from '../stream';

const error = (message: string, { code = 400 }: ErrorDetails = {}): object => ({
  error: { message, code },
  user_id: 'user_x',
});

/** Errors of the provider behind it are passed on in `raw`. */
const upstream = (provider: string, raw: string): Refusal => ({
  status: 400,
  body: {
    error: { message: 'Provider returned error', code: 400, metadata: { raw, provider_name: provider } },
    user_id: 'user_x',
  },
});

/** Forwards to Gemini, Claude and others. The reasoning that they need back is in `reasoning_details`. */
export const openrouter: Persona = {
  name: 'openrouter',
  protocols: ['chat'],
  refuse(body, { given }) {
    for (const { message, call } of callsOf(body)) {
      const wanted = given.get(call.id)?.details;
      if (!wanted) continue;
      const got: GivenReply['details'] = message.reasoning_details;
      if (sameDetails(wanted, got)) continue;
      if (/claude/.test(body.model ?? ''))
        return upstream('Anthropic', 'messages.1.content.0: Invalid `signature` in `thinking` block');
      return upstream(
        'Google AI Studio',
        'Gemini models require OpenRouter reasoning details to be preserved in each request. Upstream error: Function call is missing a thought_signature in functionCall parts.',
      );
    }
    return undefined;
  },
  error,
  failures: {
    overflow: [
      400,
      'This endpoint\'s maximum context length is 131072 tokens. However, you requested about 140000 tokens. Please reduce the length of either one, or use the "middle-out" transform to compress your prompt automatically.',
    ],
    quota: [402, 'Insufficient credits. Add more using https://openrouter.ai/settings/credits', { code: 402 }],
  },
  callId: () => `tool_0_${randomWord(20)}`,
  chunks(reply, facts) {
    const chunks = new Chunks(facts.model);
    const { whole, pieces } = detailsOf(facts.model, reply.reasoning, facts.calls);
    chunks.add({ role: 'assistant', content: '' });
    for (const detail of pieces)
      chunks.add({ content: '', reasoning: detail.text ?? null, reasoning_details: [detail] });
    for (const piece of piecesOf(reply.text ?? '')) chunks.add({ content: piece });
    chunks.addCallsInPieces(facts);
    chunks.add({ content: '' }, finishOf(reply));
    chunks.addUsage(facts);
    if (whole.length > 0) facts.keepDetails(whole);
    return chunks.all;
  },
};

type Detail = Record<string, any>;

/**
 * Returns the details of a reply, complete and as streamed: text in pieces with one index, the signature last and
 * without text.
 */
function detailsOf(
  model: string,
  reasoning: string | undefined,
  calls: readonly MadeCall[],
): { whole: Detail[]; pieces: Detail[] } {
  if (/gemini/.test(model) && calls[0]) {
    const sealed = {
      type: 'reasoning.encrypted',
      data: randomWord(40),
      id: calls[0].id,
      format: 'google-gemini-v1',
      index: 0,
    };
    return { whole: [sealed], pieces: [sealed] };
  }
  if (!reasoning) return { whole: [], pieces: [] };
  const common = { type: 'reasoning.text', format: /claude/.test(model) ? 'anthropic-claude-v1' : 'unknown', index: 0 };
  const text = piecesOf(reasoning).map((piece) => ({ ...common, text: piece }));
  if (!/claude/.test(model)) return { whole: [{ ...common, text: reasoning }], pieces: text };
  const signature = randomWord(40);
  return { whole: [{ ...common, text: reasoning, signature }], pieces: [...text, { ...common, signature }] };
}

/** Returns whether all details were sent back in order, with their text and signature. */
function sameDetails(wanted: readonly Detail[], got: readonly Detail[] | undefined): boolean {
  if (!Array.isArray(got) || got.length !== wanted.length) return false;
  return wanted.every((detail, at) => Object.entries(detail).every(([key, value]) => got[at]?.[key] === value));
}
