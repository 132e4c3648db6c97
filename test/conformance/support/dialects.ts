import { responsesModel } from '../../../src/adapters/models/responses/responsesModel';
import type { Model, ModelReply } from '../../../src/core/ports/model';
import { eventStream, responseEvents, startModelServer } from '../../support/modelServer';
import { call, plays, says, usage } from './script';
import type { World } from './world';

/**
 * A reply independent of its format: text, and commands to run. Without commands it is a format error in the mini
 * profiles.
 */
export interface Said {
  readonly text?: string;
  readonly commands?: readonly string[];
  /** Cost in dollars; a cent by default. */ readonly cost?: number;
  readonly finishReason?: 'length';
}

/** A format in which models write commands. */
interface Dialect {
  readonly name: string;
  readonly profile: string;
  /** True if one reply may contain several commands. */
  readonly several: boolean;
  /** The role of a result in the chat. */
  readonly resultRole: 'tool' | 'user';
  /** A model that gives these replies in order. */
  model(world: World, script: readonly Said[]): Promise<Model>;
}

const cent = 0.01;
const fence = '```';
const asText = ({ text = 'Thinking.', commands = [], cost = cent, finishReason }: Said): ModelReply => ({
  ...says([text, ...commands.map((command) => `${fence}mswea_bash_command\n${command}\n${fence}`)].join('\n\n')),
  usage: { ...usage, cost },
  ...(finishReason && { finishReason }),
});
const asCalls = ({ text = 'Thinking.', commands = [], cost = cent, finishReason }: Said): ModelReply => ({
  ...says(text, ...commands.map((command) => call('bash', { command }))),
  usage: { ...usage, cost },
  ...(finishReason && { finishReason }),
});

export const inText: Dialect = {
  name: 'fenced text',
  profile: 'mini-text',
  several: false,
  resultRole: 'user',
  model: async (_world, script) => plays(...script.map(asText)),
};

export const inToolCalls: Dialect = {
  name: 'tool calls',
  profile: 'mini',
  several: true,
  resultRole: 'tool',
  model: async (_world, script) => plays(...script.map(asCalls)),
};

/** Over HTTP, from a server that refuses what OpenAI refuses. An output token costs a cent. */
const inResponses: Dialect = {
  name: 'the Responses API',
  profile: 'mini',
  several: true,
  resultRole: 'tool',
  async model(world, script) {
    const server = await startModelServer(
      script.map(({ text = 'Thinking.', commands = [], cost = cent, finishReason }) =>
        eventStream(
          responseEvents({
            text,
            calls: commands.map((command) => ({ tool: 'bash', input: { command } })),
            usage: { input_tokens: 10, output_tokens: cost / cent, total_tokens: 10 + cost / cent },
            ...(finishReason === 'length' && { incomplete: 'max_output_tokens' }),
          }),
        ),
      ),
    );
    world.after(() => server.stop());
    return responsesModel({
      baseUrl: server.baseUrl,
      name: 'test-model',
      idleTimeoutMs: 20_000,
      prices: { 'test-model': { input: 0, output: 10_000 } },
    });
  },
};

export const dialects: readonly Dialect[] = [inText, inToolCalls, inResponses];
