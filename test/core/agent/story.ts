import { strict as assert } from 'node:assert';
import * as z from 'zod';
import { Agent } from '../../../src/core/agent/agent';
import type { AgentParts } from '../../../src/core/agent/agentParts';
import { Conversation } from '../../../src/core/session/conversation';
import type { ConversationListener } from '../../../src/core/session/publication';
import type { EventStore } from '../../../src/core/ports/eventStore';
import { defaultRetryTimes } from '../../../src/core/session/durableRetry';
import { toMessages } from '../../../src/core/model/messages';
import { argumentsAsObject } from '../../../src/core/model/argumentsAsObject';
import { ModelProblem, type Model, type ModelReply, type ModelRequest } from '../../../src/core/ports/model';
import { toolCallFormat } from '../../../src/core/model/formats/toolCalls';
import { plainWording } from '../../../src/core/agent/wording';
import { waymarkProfile } from '../../../src/core/profiles/waymark';
import { analyzers } from '../../../src/core/security/analyzers';
import { confirmationPolicies } from '../../../src/core/risk/confirmation';
import { defineTool } from '../../../src/core/tools/defineTool';
import { Event, type NewEvent } from '../../../src/protocol/events/event';
import { untouched } from '../../support/toolContext';
import { taskStarted } from '../../support/newEvents';

/** Helpers for the agent tests: scripted replies in, list of event types out. */

export const usage = { inputTokens: 10, outputTokens: 2, cachedTokens: 0, cost: 0.01 };
let calls = 0;
export const call = (name: string, input: unknown, id = `call_${++calls}`) => ({
  id,
  type: 'function' as const,
  function: { name, arguments: typeof input === 'string' ? input : JSON.stringify(input) },
});
export const says = (text: string, ...toolCalls: ReturnType<typeof call>[]): ModelReply => ({
  text,
  toolCalls,
  usage,
  finishReason: toolCalls.length ? 'tool_calls' : 'stop',
  model: 'story',
  firstTokenMs: 1,
});

type Line = ModelReply | Error | ((request: ModelRequest, signal: AbortSignal) => ModelReply | Promise<ModelReply>);
export function plays(...script: Line[]): Model & { requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  return {
    requests,
    info: { name: 'story', provider: 'test', contextWindow: 1000, scripted: true },
    async complete(request, signal) {
      requests.push(
        structuredClone({
          messages: request.messages,
          tools: request.tools.map(({ name, description }) => ({ name, description, parameters: {} })),
        }),
      );
      const line = script.shift();
      if (!line)
        throw new ModelProblem('script', {
          what: 'The story has ended.',
          why: 'No reply is left.',
          next: 'Write more of it.',
        });
      if (line instanceof Error) throw line;
      return typeof line === 'function' ? line(request, signal) : line;
    },
  };
}

/** Calls that ran, in order. */
export const ran: string[] = [];
const shape = z.object({ name: z.string() });
const tool = (name: string, effect: 'reads' | 'writes' | 'executes', level: 'low' | 'high') =>
  defineTool({
    name,
    description: name,
    input: shape,
    effect,
    summarize: (input) => `${name} ${input.name}`,
    assess: () => ({ level, reasons: [] }),
    allowKey: (input) => input.name,
    async run(input, { signal }) {
      ran.push(`${name} ${input.name}`);
      if (input.name === 'boom') throw new Error('It broke.');
      if (input.name === 'slow')
        await new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true }),
        );
      return { content: `${name} ${input.name} done` };
    },
  });
export const tools = [
  tool('look', 'reads', 'low'),
  tool('change', 'writes', 'low'),
  tool('risk', 'executes', 'high'),
  tool('command', 'executes', 'low'),
  defineTool({
    name: 'ask',
    description: 'ask',
    input: z.object({ question: z.string() }),
    effect: 'asks',
    summarize: (i) => i.question,
    question: (i) => ({ question: i.question, choices: ['yes', 'no'] }),
    run: async () => ({ content: 'Nobody can be asked.' }),
  }),
  defineTool({
    name: 'finish',
    description: 'finish',
    input: z.object({ summary: z.string() }),
    effect: 'ends',
    summarize: () => 'Finish',
    run: async (i) => ({ content: i.summary }),
  }),
];

export const partsFor = (model: Model): AgentParts => ({
  profile: waymarkProfile,
  wording: plainWording,
  model,
  tools,
  analyzers,
  policies: confirmationPolicies,
  attended: true,
  format: toolCallFormat((a, b) => a.tool === 'look' && b.tool === 'look'),
  environment: untouched,
});

export const task: NewEvent = taskStarted('Do it.', {
  systemPrompt: 'Be good.',
  model: { name: 'story', provider: 'test', contextWindow: null },
  cwd: '/',
  limits: { steps: 10, cost: 1, seconds: 0 },
});

export function begin(
  model: Model,
  {
    saved = [] as readonly Event[],
    parts = {} as Partial<AgentParts>,
    first = {} as Partial<NewEvent>,
    listener = {} as ConversationListener,
    durable = async () => {},
    patience = defaultRetryTimes,
  } = {},
) {
  const written: string[] = [];
  const append: EventStore['append'] = (event, settled) => {
    written.push(JSON.stringify(event));
    settled();
  };
  const agent = new Agent({ ...partsFor(model), ...parts });
  const conversation = new Conversation(agent, { events: saved, store: { append, durable } }, listener, patience);
  if (saved.length === 0) conversation.append({ ...task, ...first } as NewEvent);
  return Object.assign(conversation, {
    written,
    async go() {
      conversation.wake();
      await conversation.rested();
      return conversation;
    },
  });
}

export const revived = (events: readonly Event[]) =>
  events.map((event) => Event.parse(JSON.parse(JSON.stringify(event))));

export const types = (history: readonly Event[]) =>
  history.map((event) => {
    if (event.type === 'observation') return `observation:${event.outcome}`;
    return event.type === 'finished' ? `finished:${event.status}` : event.type;
  });

/**
 * Asserts the rules that providers require of a chat: every call is answered exactly once, directly after it, before
 * any other message.
 */
export function assertAccepted(history: readonly Event[]): void {
  const open = new Set<string>();
  const roles = toMessages(history)
    .map(({ role }) => role)
    .join(' ');
  assert.doesNotMatch(roles, /user user|assistant assistant/, 'somebody speaks twice in a row');
  for (const message of toMessages(history)) {
    if (message.role === 'tool')
      assert.ok(open.delete(message.tool_call_id), `an answer to ${message.tool_call_id} that nobody asked`);
    else assert.equal(open.size, 0, 'somebody speaks before all calls are answered');
    if (message.role === 'assistant')
      for (const {
        id,
        function: { arguments: text },
      } of message.tool_calls ?? []) {
        assert.ok(!open.has(id));
        open.add(id);
        JSON.parse(argumentsAsObject(text));
      }
  }
  assert.equal(open.size, 0);
}
