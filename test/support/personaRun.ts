// A long run that every persona of the provider judge plays, and what is needed to start one.
import { modelFor } from '../../src/adapters/models/models';
import type { Model } from '../../src/core/ports/model';
import { addedTool } from '../../src/core/tools/addedTool';
import type { Tool } from '../../src/core/ports/tool';
import type { Image } from '../../src/protocol/events/event';
import { startJudge, type Judge, type Step } from './providerJudge/judgeServer';
import type { ChatBody, ScriptedCall, ScriptedReply } from './providerJudge/persona';

/** A model of a provider, used with one protocol. */
export interface Player {
  readonly label: string;
  /** The persona of the judge. */
  readonly as: string;
  /** The provider's name in Waymark's list; absent for an unlisted server. */
  readonly provider?: string;
  readonly model: string;
  readonly protocol: 'auto' | 'chat' | 'responses' | 'messages';
  /** The reasoning effort that the user chose. */
  readonly effort?: string;
  /** Its models do not support images. */
  readonly blind?: true;
}

const player = (as: string, model: string, more: Partial<Player> = {}): Player => ({
  as,
  provider: as,
  model,
  protocol: 'auto',
  label: `${as} ${model}`,
  ...more,
});

/** ★ The players of the runs. */
export const players: readonly Player[] = [
  player('openai', 'gpt-4.1', { protocol: 'chat' }),
  player('openai', 'gpt-5.5', { label: 'openai gpt-5.5 (Responses API)' }),
  player('azure', 'a-deployment', { protocol: 'chat' }),
  player('azure', 'gpt-5.5', { label: 'azure gpt-5.5 (Responses API)', protocol: 'responses' }),
  player('anthropic', 'claude-opus-4-6', { protocol: 'chat', label: 'anthropic claude-opus-4-6 (chat completions)' }),
  player('anthropic-messages', 'claude-opus-5-5', { provider: 'anthropic' }),
  player('anthropic-messages', 'claude-opus-4-6', { provider: 'anthropic', effort: 'medium' }),
  player('anthropic-messages', 'claude-sonnet-4-5', { provider: 'anthropic', effort: 'high' }),
  player('anthropic-messages', 'claude-opus-4-1', { provider: 'anthropic' }),
  player('gemini', 'gemini-3-pro-preview'),
  player('mistral', 'mistral-large-latest'),
  player('groq', 'qwen/qwen3-32b'),
  player('cerebras', 'zai-glm-4.6'),
  player('deepseek', 'deepseek-v4-pro', { blind: true }),
  player('moonshot', 'kimi-k2.6'),
  player('xai', 'grok-4.3'),
  player('minimax', 'MiniMax-M2.5'),
  player('openrouter', 'google/gemini-3-pro-preview'),
  player('openrouter', 'anthropic/claude-opus-4.6'),
  player('ollama', 'qwen3:32b'),
  player('llamacpp', 'qwen3.5-35b'),
  player('llamacpp', 'ministral-3-14b'),
  player('llamacpp', 'llama-3.3-70b'),
  player('vllm', 'zai-org/GLM-4.6'),
  player('fireworks', 'accounts/fireworks/models/kimi-k2-thinking'),
  player('zai', 'glm-5.3'),
  player('qwen', 'qwen3-max'),
  player('github', 'openai/gpt-4.1'),
  player('gateway', 'anthropic/claude-opus-4.6'),
  player('together', 'deepseek-ai/DeepSeek-V3.1'),
  player('lmstudio', 'qwen3-32b'),
  player('sglang', 'Qwen/Qwen3-32B'),
];

/** An image with a single gray pixel. */
export const picture: Image = {
  mediaType: 'image/png',
  data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
};

/** A tool like those of MCP servers, with a typical schema. It returns an image. */
export const camera: Tool = addedTool({
  name: 'mcp_camera_look',
  description: 'Take a picture.',
  parameters: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      where: { description: 'What to look at.', anyOf: [{ type: 'string' }, { type: 'null' }], default: null },
      zoom: { type: ['number', 'null'], exclusiveMinimum: 0, description: 'How close.' },
      mode: { const: 'colour' },
      labels: { type: 'array' },
      size: { $ref: '#/$defs/size' },
      more: true,
      'filter[place]': { type: 'string', pattern: '^(?!__)[^\\p{Cc}]+$' },
      count: { type: 'integer', minimum: 0, exclusiveMinimum: true },
      kind: { type: 'string', enum: [] },
    },
    additionalProperties: false,
    $defs: { size: { type: 'object', properties: { width: { type: 'integer' } }, required: ['width'] } },
  },
  from: { source: 'camera', tool: 'look', hash: 'x' } as Parameters<typeof addedTool>[0]['from'],
  effect: 'reads',
  risk: { level: 'low', reasons: [] },
  run: async () => ({ content: 'A picture.', images: [picture] }),
});

export const call = (name: string, args: ScriptedCall['args'] = {}): ScriptedCall => ({ name, args });
export const thinks = (reasoning: string, ...calls: ScriptedCall[]): ScriptedReply => ({ reasoning, calls });

/** Plays its steps in order for requests with tools. Requests without tools get a summary. */
class Script {
  readonly #steps: Step[] = [];
  summaries = 0;

  /** Appends steps. */
  then(...steps: Step[]): this {
    this.#steps.push(...steps);
    return this;
  }

  get left(): number {
    return this.#steps.length;
  }

  readonly next = (body: ChatBody): Step => {
    if (body.tools === undefined) {
      this.summaries += 1;
      return { reasoning: 'What matters here?', text: 'a.txt and b.txt were read and written; the camera works.' };
    }
    return this.#steps.shift() ?? { status: 501, message: 'The script has ended.' };
  };
}

export interface Playing {
  readonly player: Player;
  readonly judge: Judge;
  readonly script: Script;
  readonly model: Model;
}

/** Starts a judge with the persona of `player`, and returns it with a model that uses it. */
export async function startPlaying(player: Player, unsure = false): Promise<Playing> {
  const script = new Script();
  const judge = await startJudge({ as: player.as, script: script.next, unsure });
  const model = await modelFor({
    provider: player.provider ?? 'compatible',
    baseUrl: judge.baseUrl,
    name: player.model,
    apiKey: 'x',
    protocol: player.protocol,
    contextWindow: 100_000,
    reasoningEffort: player.effort,
  });
  return { player, judge, script, model };
}

/** Returns the steps up to the end of the first part. */
export const firstPart = (): Step[] => [
  {
    ...thinks(
      'Let me look around first.',
      call('read_file', { path: 'a.txt' }),
      call('list_files'),
      call('search_text', { pattern: 'hello' }),
    ),
    text: 'I look around.',
  },
  thinks('Now a note.', call('write_file', { path: 'b.txt', content: 'one\n' })),
  thinks('A picture helps.', call('mcp_camera_look', { where: 'the desk' })),
  thinks('Try something else.', call('frobnicate', { now: true }), call('read_file', { path: 'b.txt' })),
  { calls: [call('read_file', '{"path": "a.t')] },
  thinks('Once more.', call('read_file', { path: 'a.txt', from: 1 })),
  thinks('Does the shell work?', call('run_command', { command: 'echo hello from the shell' })),
  { kind: 'overflow' },
  thinks('Where was I? Two reads at once.', call('read_file', { path: 'a.txt' }), call('read_file', { path: 'b.txt' })),
  { ...thinks('', call('mcp_camera_look', {}), call('list_files')), text: 'One more picture.' },
  { reasoning: 'That will do.', text: 'The first half is done.' },
];

/** Returns the steps from reopening the session to its end. */
export const secondPart = (): Step[] => [
  thinks('The picture shows a point.', call('search_text', { pattern: 'one' }), call('read_file', { path: 'b.txt' })),
  thinks('Nearly there.', call('read_file', { path: 'a.txt' })),
  { kind: 'auth' },
  thinks('Back again.', call('list_files', { depth: 1 })),
  { text: 'Everything is done.' },
];

/** Returns the steps of a fork. */
export const forkedPart = (): Step[] => [
  thinks('Another way, then.', call('read_file', { path: 'a.txt' }), call('search_text', { pattern: 'hello' })),
  { text: 'Done in another way.' },
];
