import * as esbuild from 'esbuild';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { at, root } from '../../scripts/repository.mjs';
import { median, quantile } from '../statistics.mjs';

const task = { type: 'task_started', task: 'Do it.', title: 'Do it.', systemPrompt: 'Be good. '.repeat(200), model: { name: 'm', provider: 'bench', contextWindow: null }, tools: [], cwd: '/', confirmation: 'risky', limits: { steps: 0, cost: 0, seconds: 0 } };
const usage = { inputTokens: 2000, outputTokens: 20, cachedTokens: 0, cost: 0 };

/** What a step leaves in the log: a reply, that its action begins, and a result of a usual size. */
function* stepsOf(count) {
  yield { ...task, seq: 0, at: 0 };
  for (let seq = 1, step = 0; seq < count; step++) {
    const id = `call_${step}`;
    const events = [
      { type: 'agent_response', readUpTo: seq, text: 'Next I look at the file and see what it does. '.repeat(4), actions: [{ id, tool: 'read_file', input: { path: 'src/a.ts' }, summary: 'Read src/a.ts', group: 0, risk: { level: 'low', reasons: [] }, effect: 'reads' }], usage, model: 'm', finishReason: 'tool_calls', durationMs: 1, firstTokenMs: null },
      { type: 'action_started', actionId: id },
      { type: 'observation', actionId: id, outcome: 'ok', content: `${step}\tconst value = compute(name);\n`.repeat(step % 10 === 0 ? 400 : 60), durationMs: 5, details: { kind: 'read', path: 'src/a.ts', version: '1', fromLine: 1, toLine: 40, totalLines: 40 } },
    ];
    for (const event of events) if (seq < count) yield { ...event, seq, at: seq++ };
  }
}

/** What a log costs: to append, to open, to look at, and to list many. On the disk of the temporary folder. */
export async function measureLog({ quick }) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-bench-'));
  process.env.XDG_STATE_HOME ??= folder;
  try {
    const parts = await loadParts(folder);
    return [...await appends(parts, folder, quick ? 200 : 1000), ...await opens(parts, folder, quick ? 10_000 : 50_000), ...lists(parts, folder, quick ? 1000 : 5000)];
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

async function appends({ openEventLog, framed, machineKey }, folder, count) {
  const { store } = openEventLog(path.join(folder, 'append', 'session.waymark.jsonl'));
  const times = [];
  for (const event of stepsOf(count)) {
    const started = performance.now();
    store.append(event);
    await store.durable();
    times.push(performance.now() - started);
  }
  const burst = performance.now();
  for (const event of [...stepsOf(count)].map(event => ({ ...event, seq: event.seq + count }))) store.append(event);
  await store.durable();
  const perBurst = (performance.now() - burst) / count;
  await store.close();
  const descriptor = fs.openSync(path.join(folder, 'plain'), 'a');
  const plain = [];
  for (const event of stepsOf(count)) {
    const line = `${JSON.stringify(event)}\n`;
    const started = performance.now();
    fs.writeSync(descriptor, line);
    fs.fdatasyncSync(descriptor);
    plain.push(performance.now() - started);
  }
  fs.closeSync(descriptor);
  const objects = [...stepsOf(count)].map(event => JSON.stringify(event));
  let hash = '';
  const frames = performance.now();
  for (const object of objects) ({ hash } = framed(object, hash, machineKey()));
  const perFrame = (performance.now() - frames) / count;
  return [
    { measure: 'append one event until it is on disk (median)', unit: 'ms', value: median(times) },
    { measure: 'the same, 99 of 100', unit: 'ms', value: quantile(times, 0.99) },
    { measure: 'a bare write and fdatasync of the same line here (median)', unit: 'ms', value: median(plain) },
    { measure: 'events a second, each on disk before the next', unit: '1/s', value: 1000 / median(times) },
    { measure: 'events a second, in one burst', unit: '1/s', value: 1000 / perBurst },
    { measure: 'checksum, chain and seal of one event', unit: 'ms', value: perFrame },
  ];
}

async function opens({ openEventLog, readEventLog, logPages }, folder, count) {
  const file = path.join(folder, 'long', 'session.waymark.jsonl');
  const { store } = openEventLog(file);
  for (const event of stepsOf(count)) store.append(event);
  await store.durable();
  await store.close();
  const name = `${count.toLocaleString('en-US')} events`;
  const before = process.memoryUsage().rss;
  const looks = timed(5, () => { const pages = logPages(file); if (pages.slice(pages.length - 300).length !== 300) throw new Error('The page is not whole.'); });
  const grown = process.memoryUsage().rss - before;
  const whole = timed(3, () => { if (readEventLog(file).events.length !== count) throw new Error('The log is not whole.'); });
  return [
    { measure: `${name}: the last screen (300 events), the first time`, unit: 'ms', aim: 200, value: looks[0] },
    { measure: `${name}: the last screen (median)`, unit: 'ms', aim: 200, value: median(looks) },
    { measure: `${name}: memory that looking takes`, unit: 'MB', value: Math.max(0, grown) / 1e6 },
    { measure: `${name}: the whole log, to go on (median)`, unit: 'ms', value: median(whole) },
  ];
}

function lists({ Sessions, openEventLog, framed, machineKey }, folder, count) {
  const place = path.join(folder, 'sessions');
  const sessions = new Sessions(place);
  const events = [...stepsOf(4)];
  for (let index = 0; index < count; index++) {
    const id = `20261121-${String(index).padStart(6, '0')}-abcd`;
    fs.mkdirSync(path.join(place, id), { recursive: true });
    let hash = '';
    fs.writeFileSync(sessions.logOf(id), [{ waymark: 2, id }, ...events].map(object => { const next = framed(JSON.stringify(object), hash, machineKey()); hash = next.hash; return next.line; }).join(''));
    sessions.remember(id, events);
  }
  const all = what => { if (what.list().length !== count) throw new Error('Not all sessions are listed.'); };
  const first = timed(5, () => all(new Sessions(place)));
  all(sessions);
  const again = timed(5, () => all(sessions));
  fs.rmSync(path.join(place, 'index.jsonl'));
  const healing = new Sessions(place);
  const started = performance.now();
  while (healing.list().length < count) { /* each look reads some of them */ }
  const name = `${count.toLocaleString('en-US')} sessions`;
  return [
    { measure: `${name}: the list, in a new window (median)`, unit: 'ms', aim: 100, value: median(first) },
    { measure: `${name}: the list again (median)`, unit: 'ms', aim: 100, value: median(again) },
    { measure: `${name}: the index made anew from all logs`, unit: 'ms', value: performance.now() - started },
  ];
}

function timed(times, work) {
  return Array.from({ length: times }, () => {
    const started = performance.now();
    work();
    return performance.now() - started;
  });
}

async function loadParts(folder) {
  const outfile = path.join(folder, 'log.mjs');
  const contents = `export { openEventLog, readEventLog } from './src/adapters/eventLog'; export { logPages } from './src/adapters/log/logPages'; export { Sessions } from './src/adapters/sessions'; export { framed } from './src/adapters/log/frame'; export { machineKey } from './src/adapters/log/machineKey';`;
  await esbuild.build({ absWorkingDir: root, stdin: { contents, resolveDir: at('.'), loader: 'ts' }, outfile, bundle: true, format: 'esm', platform: 'node', logLevel: 'warning', banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" } });
  return import(pathToFileURL(outfile).href);
}
