import type { Usage } from '../../../src/protocol/events/event';
import {
  ModelProblem,
  type Model,
  type ModelReply,
  type ModelRequest,
  type ToolCall,
} from '../../../src/core/ports/model';

/** Default usage of a reply: a dollar, so that sums are easy to read. */
export const usage: Usage = { inputTokens: 10, outputTokens: 5, cachedTokens: 0, cost: 1 };

let calls = 0;
export const call = (name: string, input: unknown, id = `call_${++calls}`): ToolCall => ({
  id,
  type: 'function',
  function: { name, arguments: typeof input === 'string' ? input : JSON.stringify(input) },
});

/** A reply with this text and these calls. */
export const says = (text: string, ...toolCalls: readonly ToolCall[]): ModelReply => ({
  text,
  toolCalls,
  usage,
  finishReason: toolCalls.length > 0 ? 'tool_calls' : 'stop',
  model: 'story',
  firstTokenMs: 1,
});

/** A reply, an error to throw, or a function called when the run makes its request. */
export type Line =
  ModelReply | Error | ((request: ModelRequest, signal: AbortSignal) => ModelReply | Promise<ModelReply>);

export interface ScriptedModel extends Model {
  /** Snapshots of the requests on arrival. */
  readonly requests: readonly ModelRequest[];
}

/** A model that plays the script and records its requests. */
export function plays(...script: readonly Line[]): ScriptedModel {
  const left = [...script];
  return playsEach(() => left.shift());
}

/** A model whose replies are computed per request, for conversations that make requests at the same time. */
export function playsEach(next: (request: ModelRequest) => Line | undefined): ScriptedModel {
  const requests: ModelRequest[] = [];
  return {
    requests,
    info: { name: 'story', provider: 'test', contextWindow: 100_000, scripted: true },
    async complete(request, signal) {
      const { messages, tools, n, parameters } = request;
      requests.push(
        structuredClone({
          messages,
          tools: tools.map(({ name, description, parameters: schema }) => ({ name, description, parameters: schema })),
          ...(n !== undefined && { n }),
          ...(parameters && { parameters }),
        }),
      );
      const line = next(request);
      if (!line)
        throw new ModelProblem('script', {
          what: 'The story has ended.',
          why: `No reply is left for request ${requests.length}.`,
          next: 'Write more of it.',
        });
      if (line instanceof Error) throw line;
      return typeof line === 'function' ? line(request, signal) : line;
    },
  };
}

export const terminal = (command: string, id?: string) => call('terminal', { command }, id);
export const finish = (message = 'Done.') => call('finish', { message });
