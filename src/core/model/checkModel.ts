import { smallContextWindow, windowAdvice, type Advice } from './advice';
import { ModelProblem, type Model, type ModelReply, type ModelRequest, type ToolSchema } from '../ports/model';
import { isStrictJson } from '../text/looseJson';
import { withCommas } from '../text/withCommas';
import { truncate } from '../../protocol/plain/truncate';

/** One capability of an endpoint. `words` describe it to people in a sentence. */
interface ModelFinding {
  readonly item:
    | 'answers'
    | 'tools'
    | 'streaming'
    | 'reasoning'
    | 'usage'
    | 'cached tokens'
    | 'cost'
    | 'context window'
    | 'pictures';
  readonly state: 'yes' | 'no' | 'unknown';
  readonly words: string;
}

/** `problem`: why it did not answer at all. */
export interface ModelReport {
  readonly model: string;
  readonly provider: string;
  readonly findings: readonly ModelFinding[];
  readonly problem?: ModelProblem;
}

const tool: ToolSchema = {
  name: 'report_word',
  description: 'Reports one word.',
  parameters: {
    type: 'object',
    properties: { word: { type: 'string', description: 'The word.' } },
    required: ['word'],
    additionalProperties: false,
  },
};
const request: ModelRequest = {
  messages: [
    { role: 'system', content: 'This is a short check of what you can do. Do exactly what is asked.' },
    { role: 'user', content: 'Call the tool report_word with the word "lighthouse". Write nothing else.' },
  ],
  tools: [tool],
};
/** A red square of 32 × 32 pixels. */
const red = {
  mediaType: 'image/png',
  data: 'iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAIAAAD8GO2jAAAAJ0lEQVR42u3NsQkAAAjAsP7/tF7hIASyp6lTCQQCgUAgEAgEgi/BAjLD/C5w/SM9AAAAAElFTkSuQmCC',
};
const pictureRequest: ModelRequest = {
  messages: [
    request.messages[0]!,
    { role: 'user', content: 'Which colour is this picture? Answer with one word.', images: [red] },
  ],
  tools: [],
};

interface CheckModelOptions {
  /** True to send a picture as well, in one more call. */
  readonly images?: boolean;
  readonly advice?: Advice;
  /** Tokens that the model can read according to its server's list of models. */
  readonly listedContextWindow?: number | undefined;
}

/**
 * Finds out with one small call what a model supports. Makes a second call if the server rejects tools, and another if
 * `images` are to be tried. A model that does not answer is a finding, not an error. If aborted, rejects with the
 * signal's reason.
 */
export async function checkModel(
  model: Model,
  signal: AbortSignal,
  options: CheckModelOptions = {},
): Promise<ModelReport> {
  const { images = false, advice = windowAdvice, listedContextWindow } = options;
  const contextWindow = model.info.contextWindow ?? listedContextWindow ?? null;
  const about = { model: model.info.name, provider: model.info.provider };
  const first = await attempt(model, request, signal);
  const refused =
    first.problem?.kind === 'invalid_request' && /tool|function/i.test(first.problem.message)
      ? first.problem
      : undefined;
  const { reply, pieces, problem } = refused ? await attempt(model, { ...request, tools: [] }, signal) : first;
  if (!reply)
    return { ...about, findings: [{ item: 'answers', state: 'no', words: problem!.message }], problem: problem! };
  return {
    ...about,
    findings: [
      { item: 'answers', state: 'yes', words: `${reply.model} answered.` },
      refused
        ? { item: 'tools', state: 'no', words: `${refused.why} A profile that reads actions from text works with it.` }
        : toolsIn(reply),
      streamingIn(reply, pieces),
      reply.reasoning
        ? {
            item: 'reasoning',
            state: 'yes',
            words: `It shows its reasoning${reply.reasoning.details ? ' and accepts it back' : ''}.`,
          }
        : { item: 'reasoning', state: 'unknown', words: 'It showed no reasoning for this short question.' },
      ...(images ? [await picturesSeen(model, signal)] : []),
      ...countsIn(reply, advice),
      contextWindowFinding(contextWindow, advice),
    ],
  };
}

interface Attempt {
  readonly reply?: ModelReply;
  readonly pieces: number;
  readonly problem?: ModelProblem;
  readonly notices: readonly string[];
}

async function attempt(model: Model, asked: ModelRequest, signal: AbortSignal): Promise<Attempt> {
  let pieces = 0;
  const notices: string[] = [];
  try {
    const reply = await model.complete(
      {
        ...asked,
        onDelta: ({ kind }) => {
          pieces = kind === 'discard' ? 0 : pieces + 1;
        },
        onNotice: (words) => void notices.push(words),
      },
      signal,
    );
    return { reply, pieces, notices };
  } catch (problem) {
    signal.throwIfAborted();
    if (!(problem instanceof ModelProblem)) throw problem;
    return { problem, pieces, notices };
  }
}

function toolsIn({ toolCalls, text }: ModelReply): ModelFinding {
  const call = toolCalls[0]?.function;
  if (!call)
    return {
      item: 'tools',
      state: 'no',
      words: `It answered in words (“${clip(text)}”) instead of calling the tool. A profile that reads actions from text may work better with it.`,
    };
  const right = call.name === tool.name && /lighthouse/i.test(call.arguments) && isStrictJson(call.arguments);
  return right
    ? { item: 'tools', state: 'yes', words: 'It called the tool correctly.' }
    : {
        item: 'tools',
        state: 'unknown',
        words: `It called a tool, but not as asked: ${call.name} ${clip(call.arguments)}`,
      };
}

function streamingIn({ toolCalls, text, reasoning }: ModelReply, pieces: number): ModelFinding {
  if (pieces > 1) return { item: 'streaming', state: 'yes', words: `The reply arrived in ${pieces} pieces.` };
  const length = text.length + (reasoning?.text.length ?? 0) + (toolCalls[0]?.function.arguments.length ?? 0);
  return length > 12
    ? {
        item: 'streaming',
        state: 'no',
        words: 'The reply arrived in one piece, so you will see long replies only when they are complete.',
      }
    : { item: 'streaming', state: 'unknown', words: 'The reply was too short to tell.' };
}

function countsIn({ usage }: ModelReply, advice: Advice): ModelFinding[] {
  const { inputTokens, outputTokens, cachedTokens, cost } = usage;
  const finding = (item: ModelFinding['item'], state: ModelFinding['state'], words: string): ModelFinding => ({
    item,
    state,
    words: words.trim(),
  });
  return [
    inputTokens !== null && outputTokens !== null
      ? finding('usage', 'yes', `It counts tokens: ${inputTokens} read, ${outputTokens} written.`)
      : finding('usage', 'no', 'It does not report how many tokens were used, so cost limits cannot work.'),
    cachedTokens !== null
      ? finding('cached tokens', 'yes', `It reports cached tokens: ${cachedTokens} this time.`)
      : finding('cached tokens', 'unknown', 'It does not report cached tokens.'),
    cost !== null
      ? finding('cost', 'yes', `The price is known: this check cost about $${cost.toFixed(6)}.`)
      : finding('cost', 'unknown', `The price is unknown. ${advice.setPrices}`),
  ];
}

function contextWindowFinding(contextWindow: number | null, advice: Advice): ModelFinding {
  const item = 'context window';
  if (contextWindow === null)
    return { item, state: 'unknown', words: `Its context window is unknown. ${advice.setContextWindow}` };
  const tokens = withCommas(contextWindow);
  return contextWindow < smallContextWindow
    ? { item, state: 'no', words: `It reads only ${tokens} tokens, which is too little. ${advice.enlargeContext}` }
    : { item, state: 'yes', words: `It reads up to ${tokens} tokens.` };
}

async function picturesSeen(model: Model, signal: AbortSignal): Promise<ModelFinding> {
  const { reply, problem, notices } = await attempt(model, pictureRequest, signal);
  if (problem) return { item: 'pictures', state: 'no', words: problem.why };
  if (notices.length > 0) return { item: 'pictures', state: 'no', words: notices.at(-1)! };
  return /\bred\b/i.test(reply!.text)
    ? { item: 'pictures', state: 'yes', words: `${reply!.model} saw the red square.` }
    : {
        item: 'pictures',
        state: 'unknown',
        words: `Shown a red square, ${reply!.model} answered “${clip(reply!.text)}”.`,
      };
}

const clip = (text: string): string => truncate(text, 80).replace(/\s+/g, ' ').trim();
