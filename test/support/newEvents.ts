import type { EventOf, NewEvent, Usage } from '../../src/protocol/events/event';

// Events as they are made, with what a test does not speak of left at something ordinary.

/** Nobody counted. */
export const uncounted: Usage = { inputTokens: null, outputTokens: null, cachedTokens: null, cost: null };

/** The least that a provider can have counted. */
export const leastUsage: Usage = { inputTokens: 1, outputTokens: 1, cachedTokens: 0, cost: 0 };

type New<Type extends NewEvent['type']> = Extract<NewEvent, { type: Type }>;

/** How a session begins. */
export const taskStarted = (task: string, more: Partial<New<'task_started'>> = {}): New<'task_started'> => ({
  type: 'task_started',
  task,
  title: task,
  systemPrompt: '',
  model: { name: 'm', provider: 'p', contextWindow: null },
  tools: [],
  cwd: '/work',
  confirmation: 'risky',
  limits: { steps: 0, cost: 0, seconds: 0 },
  ...more,
});

/** What a model said to the events before. */
export const agentResponse = (
  text: string,
  more: Partial<New<'agent_response'>> & Pick<EventOf<'agent_response'>, 'readUpTo'>,
): New<'agent_response'> => ({
  type: 'agent_response',
  text,
  actions: [],
  usage: uncounted,
  model: 'm',
  finishReason: 'stop',
  durationMs: 1,
  firstTokenMs: 1,
  ...more,
});
