// @ts-check
import { median, quantile } from '../statistics.mjs';
import { bundled } from '../../scripts/build/bundled.mjs';

/** Modules under test. */
const load = () =>
  bundled({
    'src/core/security/analyzers': ['analyzers', 'assessWith'],
    'src/core/security/taint/reachAnalyzer': ['reachAnalyzer'],
    'src/core/security/taint/taintAnalyzer': ['taintAnalyzer'],
    'src/core/tools/native/runCommand': ['runCommand'],
  });

const events = 10_000;
/** Number of calls measured, at the end of the log. */
const latest = 500;

/** Measures judging a call in a log of 10,000 events: the meter, and tracing the origin of its text. */
export async function measureTaint() {
  const { assessWith, analyzers, reachAnalyzer, taintAnalyzer, runCommand } = await load();
  const environment = { root: '/home/dev/project' };
  const usage = { inputTokens: 2000, outputTokens: 20, cachedTokens: 0, cost: 0 };
  const log = [];
  const add = (event) => void log.push({ ...event, seq: log.length, at: log.length });
  add({
    type: 'task_started',
    task: 'Do it.',
    title: 'Do it.',
    systemPrompt: 'Be good. '.repeat(200),
    model: { name: 'm', provider: 'bench', contextWindow: null },
    tools: [],
    cwd: environment.root,
    confirmation: 'risky',
    limits: { steps: 0, cost: 0, seconds: 0 },
  });
  const times = [];
  const added = [];
  for (let step = 0; log.length < events; step++) {
    const call = runCommand.bind({
      command: `curl https://example.org/data-${step} && node scripts/task-${step}.mjs --out out/file-${step}`,
    });
    const started = performance.now();
    const risk = await assessWith(analyzers, { tool: runCommand, call, environment, history: log });
    times.push(performance.now() - started);
    const subject = { tool: runCommand, call, environment, history: log, found: { level: 'medium', reasons: [] } };
    const again = performance.now();
    await reachAnalyzer.assess(subject);
    await taintAnalyzer.assess(subject);
    added.push(performance.now() - again);
    const id = `call_${step}`;
    const file = step % 3 === 0 ? `node_modules/p${step}/README.md` : `src/file${step}.ts`;
    add({
      type: 'agent_response',
      readUpTo: log.length,
      text: 'Next.',
      actions: [
        { id, tool: 'read_file', input: { path: file }, summary: `Read ${file}`, group: 0, risk, effect: 'reads' },
      ],
      usage,
      model: 'm',
      finishReason: 'tool_calls',
      durationMs: 1,
      firstTokenMs: null,
    });
    add({ type: 'action_started', actionId: id });
    add({
      type: 'observation',
      actionId: id,
      outcome: 'ok',
      content: Array.from(
        { length: 40 },
        (_, line) => `${line + 1}\tconst value${step}x${line} = compute('name-${step}-${line}');`,
      ).join('\n'),
      details: { kind: 'read', path: file, version: '1', fromLine: 1, toLine: 40, totalLines: 40 },
    });
  }
  return [
    {
      measure: '10,000 events: assess one command, all analyzers (median)',
      unit: 'ms',
      value: median(times.slice(-latest)),
    },
    {
      measure: '10,000 events: assess one command, all analyzers (99th percentile)',
      unit: 'ms',
      value: quantile(times.slice(-latest), 0.99),
    },
    {
      measure: '10,000 events: taint analysis, log already read (median)',
      unit: 'ms',
      aim: 1,
      value: median(added.slice(-latest)),
    },
    {
      measure: '10,000 events: taint analysis (99th percentile)',
      unit: 'ms',
      aim: 1,
      value: quantile(added.slice(-latest), 0.99),
    },
  ];
}
