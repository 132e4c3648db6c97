import * as esbuild from 'esbuild';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { at, root } from '../../scripts/repository.mjs';
import { median } from '../statistics.mjs';

const events = 50_000;

/** What the inspector does with a log of 50,000 events: from the file to its first rows, and what is asked of it then. */
export async function measureInspector({ quick }) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-bench-'));
  try {
    const { InspectorChannel, openTrajectory, runFacts } = await loadParts(folder);
    const file = path.join(folder, 'long.waymark.jsonl');
    fs.writeFileSync(file, [{ waymark: 1 }, ...longLog()].map(line => `${JSON.stringify(line)}\n`).join(''));
    const runs = [];
    for (let run = 0; run < (quick ? 2 : 5); run++) runs.push(await look(InspectorChannel, async () => {
      const { events: history } = await openTrajectory(file);
      return [{ history, facts: () => ({ ...runFacts(history), name: '', path: '', format: '', problems: [] }) }];
    }));
    const each = pick => median(runs.map(pick));
    return [
      { measure: '50,000 events: the inspector, from the file to the first rows', unit: 'ms', aim: 1000, value: each(({ opened }) => opened) },
      { measure: '50,000 events: what the first rows are sent as', unit: 'bytes', value: each(({ firstBytes }) => firstBytes) },
      { measure: '50,000 events: all rows', unit: 'ms', value: each(({ all }) => all) },
      { measure: '50,000 events: all rows are sent as', unit: 'bytes', value: each(({ bytes }) => bytes) },
      { measure: '50,000 events: the last step opened', unit: 'ms', value: each(({ details }) => details) },
      { measure: '50,000 events: its request against the one before', unit: 'ms', value: each(({ request }) => request) },
      { measure: '50,000 events: a word searched in all of it', unit: 'ms', value: each(({ found }) => found) },
      { measure: '50,000 events: the charts', unit: 'ms', value: each(({ figures }) => figures) },
    ];
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

async function look(InspectorChannel, load) {
  const began = performance.now();
  let first;
  let bytes = 0;
  let firstBytes = 0;
  const channel = new InspectorChannel({
    load, actions: {}, onProblem(error) { throw error; },
    post(message) {
      bytes += Buffer.byteLength(JSON.stringify(message));
      if (first === undefined) { first = performance.now() - began; firstBytes = bytes; }
    },
  });
  await channel.receive({ type: 'ready' });
  const all = performance.now() - began;
  const sent = bytes;
  const timed = async message => { const started = performance.now(); await channel.receive(message); return performance.now() - started; };
  const { seq } = channel.runs[0].history.findLast(({ type }) => type === 'agent_response');
  return { opened: first, firstBytes, all, bytes: sent, details: await timed({ type: 'details', seq }), request: await timed({ type: 'request', seq }), found: await timed({ type: 'find', words: 'not there' }), figures: await timed({ type: 'figures' }) };
}

/** Steps of three events, made shorter every 400 steps, as a run of that length is. */
function longLog() {
  const log = [];
  const add = event => void log.push({ ...event, seq: log.length, at: log.length * 1000 });
  add({ type: 'task_started', task: 'Do it.', title: 'Do it.', systemPrompt: 'Be good. '.repeat(200), model: { name: 'm', provider: 'bench', contextWindow: 128_000 }, tools: ['run_command'], cwd: '/home/dev/project', confirmation: 'risky', limits: { steps: 0, cost: 0, seconds: 0 } });
  let kept = 1;
  for (let step = 0; log.length < events; step++) {
    const actionId = `call_${step}`;
    add({ type: 'agent_response', readUpTo: log.length, text: 'Next I look at what that file holds, and at how it is used.', actions: [{ id: actionId, tool: 'run_command', input: { command: `sed -n 1,40p src/file-${step}.ts` }, summary: `Run sed -n 1,40p src/file-${step}.ts`, group: 0, risk: { level: 'low', reasons: [] }, effect: 'executes' }], usage: { inputTokens: 9000, outputTokens: 80, cachedTokens: 8000, cost: 0.004 }, model: 'm', finishReason: 'tool_calls', durationMs: 900, firstTokenMs: 200 });
    add({ type: 'action_started', actionId });
    add({ type: 'observation', actionId, outcome: 'ok', durationMs: 12, content: Array.from({ length: 12 }, (_, line) => `const value${step}x${line} = compute('name-${step}-${line}');`).join('\n'), details: { kind: 'command', end: 'exited', exitCode: 0, durationMs: 12, cwd: '/home/dev/project', tty: false, outputBytes: 600 } });
    if (step % 400 === 399) {
      const forgotten = Array.from({ length: log.length - 60 - kept }, (_, index) => kept + index);
      kept = log.length - 60;
      add({ type: 'condensation', forgotten, summary: 'Many files were looked at.', reasons: ['tokens'] });
    }
  }
  return log;
}

async function loadParts(folder) {
  const outfile = path.join(folder, 'parts.mjs');
  const contents = "export { InspectorChannel } from './src/extension/inspector/inspectorChannel'; export { openTrajectory } from './src/adapters/openTrajectory'; export { runFacts } from './src/core/trajectory/runFacts';";
  const requireShim = "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";
  await esbuild.build({ absWorkingDir: root, stdin: { contents, resolveDir: at('.'), loader: 'ts' }, outfile, bundle: true, format: 'esm', platform: 'node', banner: { js: requireShim }, logLevel: 'warning' });
  return await import(pathToFileURL(outfile).href);
}
