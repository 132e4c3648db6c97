import type { Action, Event, NewEvent, Usage } from '../../../src/protocol/events/event';
import type { PanelFacts, ToPanel } from '../../../src/protocol/panel/panel';

export { action } from '../../support/newEvents';

const startedAt = Date.UTC(2026, 0, 15, 9, 0, 0);

/** Gives events their sequence numbers and timestamps one second apart. */
export const log = (...events: NewEvent[]): Event[] =>
  events.map((event, seq) => ({ ...event, seq, at: startedAt + seq * 1000 }) as Event);

export const usage: Usage = { inputTokens: 4200, outputTokens: 180, cachedTokens: 3900, cost: 0.0031 };

export const task = (words: string): NewEvent => ({
  type: 'task_started',
  task: words,
  title: words.slice(0, 40),
  systemPrompt: '',
  model: { name: 'qwen3-coder', provider: 'openai-compatible at 127.0.0.1:11434', contextWindow: 128_000 },
  tools: [],
  cwd: '/home/ada/first-run',
  confirmation: 'risky',
  limits: { steps: 0, cost: 0, seconds: 0 },
});

export const reply = (
  text: string,
  actions: Action[],
  more: Partial<Extract<NewEvent, { type: 'agent_response' }>> = {},
): NewEvent => ({
  type: 'agent_response',
  readUpTo: 1,
  text,
  actions,
  usage,
  model: 'qwen3-coder',
  finishReason: actions.length ? 'tool_calls' : 'stop',
  durationMs: 900,
  firstTokenMs: 200,
  ...more,
});

export const started = (actionId: string): NewEvent => ({ type: 'action_started', actionId });
export const observed = (
  actionId: string,
  content: string,
  details?: Extract<NewEvent, { type: 'observation' }>['details'],
  outcome: Extract<NewEvent, { type: 'observation' }>['outcome'] = 'ok',
): NewEvent => ({ type: 'observation', actionId, outcome, content, durationMs: 12, ...(details && { details }) });
export const command = (
  exitCode: number,
  durationMs = 2300,
): Extract<NewEvent, { type: 'observation' }>['details'] => ({
  kind: 'command',
  end: 'exited',
  exitCode,
  durationMs,
  cwd: '/home/ada/first-run',
  tty: false,
  outputBytes: 400,
});

export const facts = (more: Partial<PanelFacts> = {}): PanelFacts => ({
  running: false,
  status: 'idle',
  model: {
    name: 'qwen3-coder',
    provider: 'openai-compatible at 127.0.0.1:11434',
    scripted: false,
    textOnly: false,
    contextWindow: 128_000,
  },
  confirmation: 'risky',
  mode: 'confirm',
  profile: 'waymark',
  limits: { steps: 100, cost: 5, seconds: 0 },
  stepping: false,
  pauseRequested: false,
  trusted: true,
  writable: true,
  sandbox: { on: true, words: 'Commands run in a sandbox: they have no network and write only to the workspace.' },
  next: {
    profile: 'waymark',
    mode: 'confirm',
    candidates: 1,
    verifier: 'first_valid',
    toolsets: [],
    disabledToolsets: [],
  },
  spent: {
    inputTokens: 24_310,
    outputTokens: 1210,
    cachedTokens: 18_900,
    cost: 0.041,
    steps: 6,
    uncounted: 0,
    unpriced: 0,
  },
  context: {
    tokens: 11_400,
    parts: { system: 1200, tools: 2600, messages: 300, replies: 900, reasoning: 400, results: 6000, summaries: 0 },
    measured: true,
  },
  title: 'Fix the failing test',
  sessionId: 's1',
  ...more,
});

export const page = (events: Event[], more: Partial<PanelFacts> = {}, from = 0): ToPanel => ({
  type: 'page',
  from,
  total: from + events.length,
  fresh: true,
  events,
  facts: facts(more),
});

/** Moves the events of a page of a running session made with `log`, so that the last one was 12 seconds ago. */
export function asOfNow(message: ToPanel): ToPanel {
  if (message.type !== 'page' || !message.facts.running) return message;
  const last = message.events.at(-1)?.at ?? Infinity;
  if (last > startedAt + 24 * 3600 * 1000) return message;
  const later = Date.now() - 12_000 - last;
  return { ...message, events: message.events.map((event) => ({ ...event, at: event.at + later })) };
}
