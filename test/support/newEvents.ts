import type { Action, EventOf, NewEvent, Usage } from '../../src/protocol/events/event';

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

const effects: Record<string, Action['effect']> = {
  read_file: 'reads',
  search_text: 'reads',
  edit_file: 'writes',
  write_file: 'writes',
  run_command: 'executes',
  todo: 'notes',
  ask_user: 'asks',
  finish: 'ends',
  delegate: 'delegates',
  run_plan: 'delegates',
};

/** Creates an action as the core does. An unknown tool has no effect. */
// oxlint-disable-next-line max-params -- most of its many callers need four, in the order in which a call is read
export const action = (
  id: string,
  tool: string,
  input: unknown,
  summary: string,
  more: Partial<Action> = {},
): Action => ({
  id,
  tool,
  input,
  summary,
  group: 0,
  risk: { level: 'low', reasons: [] },
  ...(effects[tool] && { effect: effects[tool] }),
  ...more,
});
