import type { EventOf, NewEvent, Usage } from '../../src/protocol/events/event';

// New events, with ordinary values for everything that a test does not specify.

/** Usage without any counts. */
export const uncounted: Usage = { inputTokens: null, outputTokens: null, cachedTokens: null, cost: null };

/** The smallest usage that a provider can report. */
export const leastUsage: Usage = { inputTokens: 1, outputTokens: 1, cachedTokens: 0, cost: 0 };

type New<Type extends NewEvent['type']> = Extract<NewEvent, { type: Type }>;

/** Returns the first event of a session. */
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

/** Returns a reply of the model to the preceding events. */
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
