// @ts-check
import { median } from '../statistics.mjs';
import { bundled } from '../../scripts/build/bundled.mjs';

/** Modules under test. */
const load = () =>
  bundled({
    'src/core/trajectory/format': ['writeAtOnce'],
    'src/core/trajectory/formats/formats': ['writtenFormats'],
  });

const steps = 10_000;

/**
 * Measures writing a run of 10,000 steps in every format, and reading it back: from events to text and from text to
 * events, without the disk.
 */
export async function measureExports({ quick = false } = {}) {
  const { writeAtOnce, writtenFormats } = await load();
  const log = runOf(steps);
  const rows = [];
  for (const format of writtenFormats) {
    const { name, reader } = format;
    const writes = /** @type {number[]} */ ([]);
    const reads = /** @type {number[]} */ ([]);
    for (let round = 0; round < (quick ? 1 : 3); round++) {
      const started = performance.now();
      const files = writeAtOnce(format, [...log], { version: '1', session: 'bench' }); // a new array, so that nothing is cached for it
      writes.push(performance.now() - started);
      if (!reader) continue;
      const began = performance.now();
      const { events, problems } = reader.read(files);
      reads.push(performance.now() - began);
      if (problems.length > 0 || events.filter(({ type }) => type === 'agent_response').length !== steps)
        throw new Error(`${name} cannot read its own output: ${problems[0]?.words}`);
    }
    rows.push({ measure: `Write 10,000 steps as ${name}`, unit: 'ms', aim: 3000, value: median(writes) });
    if (reads.length > 0)
      rows.push({ measure: `Read 10,000 steps from ${name}`, unit: 'ms', aim: 3000, value: median(reads) });
  }
  return rows;
}

/** A command, an edit and a read in turn; about 1 kB of result each. */
function runOf(count) {
  const log = [];
  const add = (event) => void log.push({ ...event, seq: log.length, at: 1.79e12 + log.length * 1000 });
  add({
    type: 'task_started',
    task: 'Do it.',
    title: 'Do it.',
    systemPrompt: 'Be good. '.repeat(200),
    model: { name: 'm', provider: 'bench', contextWindow: null },
    tools: ['run_command', 'edit_file', 'read_file'],
    cwd: '/',
    confirmation: 'never',
    limits: { steps: 0, cost: 0, seconds: 0 },
  });
  for (let step = 0; step < count; step++) {
    const id = `call_${step}`;
    const input = [
      { command: `npm test -- --grep "case ${step}"` },
      { path: `src/file${step}.ts`, old: 'a'.repeat(80), new: 'b'.repeat(80) },
      { path: `src/file${step}.ts` },
    ][step % 3];
    const action = {
      id,
      tool: ['run_command', 'edit_file', 'read_file'][step % 3],
      input,
      summary: `Step ${step}`,
      group: 0,
      risk: { level: 'low', reasons: [] },
      effect: ['executes', 'writes', 'reads'][step % 3],
    };
    add({
      type: 'agent_response',
      readUpTo: log.length,
      text: `This is what step ${step} does and why.`,
      reasoning: { text: 'First this, then that. '.repeat(8), field: 'reasoning' },
      actions: [action],
      usage: { inputTokens: 2000, outputTokens: 60, cachedTokens: 1800, cost: 0.001 },
      model: 'm',
      finishReason: 'tool_calls',
      durationMs: 900,
      firstTokenMs: 90,
    });
    add({ type: 'action_started', actionId: id });
    add({
      type: 'observation',
      actionId: id,
      outcome: 'ok',
      durationMs: 20,
      content: `line of text ${step}\n`.repeat(50),
      ...(step % 3 === 0 && {
        details: {
          kind: 'command',
          end: 'exited',
          exitCode: 0,
          durationMs: 20,
          cwd: '/',
          tty: false,
          outputBytes: 900,
        },
      }),
    });
  }
  add({ type: 'finished', status: 'submitted', summary: 'Done.' });
  return log;
}
