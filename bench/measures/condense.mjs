// @ts-check
import { median, quantile } from '../statistics.mjs';
import { bundled } from '../../scripts/build/bundled.mjs';

/** Modules under test. */
const load = () =>
  bundled({
    'src/core/condense/condenserFor': ['condenserFor'],
    'src/core/condense/contextFill': ['contextFill'],
    'src/core/model/messages': ['toMessages'],
  });

/** @typedef {Awaited<ReturnType<typeof load>>} Modules Modules under test. */

const events = 10_000;
/** Number of steps measured, at the end of the log. */
const latest = 500;

const choices = {
  'no condenser': { kind: 'none' },
  'condensing at 80': { kind: 'summarizing', maxEvents: 80, maxWindowShare: 0.5, keepFirst: 4 },
  // As in a tool loop whose thinking the provider requires in full: each step asks to condense, but none may cut.
  'no valid cut': { kind: 'summarizing', maxEvents: 80, maxWindowShare: 0, keepFirst: 4, thinks: true },
};

/**
 * Measures what the core does per step before it asks the model: condenser, context window meter, view and chat, in a
 * log of 10,000 events.
 */
export async function measureCondense() {
  const core = await load();
  const rows = [];
  for (const [name, { thinks = false, ...choice }] of Object.entries(choices)) {
    const times = await stepTimes(core, choice, thinks);
    rows.push({ measure: `10,000 events, ${name}: median per step`, unit: 'ms', aim: 5, value: median(times) });
    rows.push({
      measure: `10,000 events, ${name}: 99th percentile per step`,
      unit: 'ms',
      aim: 5,
      value: quantile(times, 0.99),
    });
  }
  return rows;
}

/** @param {Modules} modules */
async function stepTimes({ condenserFor, contextFill, toMessages }, choice, thinks) {
  const usage = { inputTokens: 2000, outputTokens: 20, cachedTokens: 0, cost: 0 };
  const model = {
    info: { name: 'm', provider: 'bench', contextWindow: null },
    complete: async () => ({
      text: 'Summary. '.repeat(200),
      toolCalls: [],
      usage,
      finishReason: 'stop',
      model: 'm',
      firstTokenMs: null,
    }),
  };
  const condenser = condenserFor(choice, { model, contextWindow: 10_000_000, toolCharacters: () => 4_000 });
  const { signal } = new AbortController();
  const log = [];
  const add = (event) => void log.push({ ...event, seq: log.length, at: log.length });
  const reasoning = thinks
    ? { reasoning: { text: '', details: [{ type: 'reasoning.text', text: 'hm', signature: 's' }] } }
    : {};
  add({
    type: 'task_started',
    task: 'Do it.',
    title: 'Do it.',
    systemPrompt: 'Be good. '.repeat(200),
    model: model.info,
    tools: [],
    cwd: '/',
    confirmation: 'never',
    limits: { steps: 0, cost: 0, seconds: 0 },
  });
  const times = [];
  for (let step = 0; log.length < events; step++) {
    const started = performance.now();
    const condensation = await condenser.condense(log, signal);
    if (condensation) add(condensation);
    contextFill(log, 4_000);
    if (toMessages(log).length < 2) throw new Error('The chat is empty.');
    times.push(performance.now() - started);
    const id = `call_${step}`;
    const action = {
      id,
      tool: 'read_file',
      input: { path: `src/file${step}.ts` },
      summary: `Read src/file${step}.ts`,
      group: 0,
      risk: { level: 'low', reasons: [] },
      effect: 'reads',
    };
    add({
      type: 'agent_response',
      readUpTo: log.length,
      text: 'Next.',
      actions: [action],
      usage,
      model: 'm',
      finishReason: 'tool_calls',
      durationMs: 1,
      firstTokenMs: null,
      ...reasoning,
    });
    add({ type: 'action_started', actionId: id });
    add({ type: 'observation', actionId: id, outcome: 'ok', content: 'line of text\n'.repeat(40) });
  }
  if (choice.kind === 'summarizing' && log.some(({ type }) => type === 'condensation') === thinks)
    throw new Error('The log was condensed unexpectedly, or not condensed when expected.');
  return times.slice(-latest);
}
