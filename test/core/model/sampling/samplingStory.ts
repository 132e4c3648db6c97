import {
  ModelProblem,
  type Model,
  type ModelReply,
  type ModelRequest,
  type ReplyDelta,
} from '../../../../src/core/ports/model';
import type { ReadCall } from '../../../../src/core/ports/replyFormat';
import { toolCallFormat } from '../../../../src/core/model/formats/toolCalls';
import { sampling, type SamplingParts } from '../../../../src/core/model/sampling/sampling';
import {
  samplingDefaults,
  type SamplingSettings,
  type VerifierSettings,
} from '../../../../src/core/model/sampling/samplingSettings';

/** Helpers for the sampling tests: models that answer in order, and their recorded requests. */

export const call = (name: string, input: unknown) => ({
  id: `c_${name}`,
  type: 'function' as const,
  function: { name, arguments: typeof input === 'string' ? input : JSON.stringify(input) },
});
export const cost = (amount: number | null, inputTokens: number | null = 100, outputTokens: number | null = 10) => ({
  inputTokens,
  outputTokens,
  cachedTokens: 0,
  cost: amount,
});
export const says = (text: string, ...toolCalls: ReturnType<typeof call>[]): ModelReply => ({
  text,
  toolCalls,
  usage: cost(0.01),
  finishReason: 'stop',
  model: 'actor',
  firstTokenMs: 1,
});
export const acts = (name: string, text = ''): ModelReply => says(text, call('look', { name }));
export const problem = (what: string, kind: ModelProblem['kind'] = 'server'): ModelProblem =>
  new ModelProblem(kind, { what, why: 'The server said so.', next: 'Continue.' });

type End = ModelReply | Error | ((request: ModelRequest, signal: AbortSignal) => ModelReply | Promise<ModelReply>);

/** Answers its calls in this order, whenever they arrive. */
export function answers(...ends: End[]): Model & { readonly requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  return {
    requests,
    info: { name: 'actor', provider: 'test', contextWindow: null },
    async complete(request, signal) {
      const end = ends[requests.push(request) - 1];
      if (!end || end instanceof Error) throw end ?? new Error('asked too often');
      return typeof end === 'function' ? end(request, signal) : end;
    },
  };
}

export const format = toolCallFormat(() => false);
export const reader = {
  read: format.read,
  toolExists: (name: string) => name === 'look',
  summarize: ({ tool, input }: ReadCall) => `${tool} ${(input as { name: string }).name}`,
};

export type Settings = Partial<Omit<SamplingSettings, 'verifier'>> & { verifier?: Partial<VerifierSettings> };
/** The gate is off, because the candidates of these tests are short. */
export const settings = ({ verifier, ...more }: Settings): SamplingSettings => ({
  ...samplingDefaults,
  ...more,
  verifier: { ...samplingDefaults.verifier, similarity: 2, ...verifier },
});

export const chat: ModelRequest['messages'] = [
  { role: 'system', content: 'Be good.' },
  { role: 'user', content: 'Mend the clock.' },
];

interface Sampled {
  readonly waits: number[];
  readonly deltas: ReplyDelta[];
  readonly result: Promise<ModelReply>;
}

export function sample(
  model: Model,
  wanted: Settings,
  {
    parts = {} as Partial<SamplingParts>,
    request = {} as Partial<ModelRequest>,
    signal = new AbortController().signal,
  } = {},
): Sampled {
  const waits: number[] = [];
  const deltas: ReplyDelta[] = [];
  const sampled = sampling(model, {
    settings: settings(wanted),
    reader,
    render: (source) => source,
    sleep: async (ms) => void waits.push(ms),
    ...parts,
  });
  return {
    waits,
    deltas,
    result: sampled.complete({ messages: chat, tools: [], onDelta: (delta) => deltas.push(delta), ...request }, signal),
  };
}
