// @ts-check
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { longLog } from '../longLog.mjs';
import { median, quantile } from '../statistics.mjs';
import { bundled } from '../../scripts/build/bundled.mjs';

/** Modules under test. */
const load = () =>
  bundled({
    'src/adapters/log/eventLog': ['openEventLog', 'readEventLog'],
    'src/adapters/log/logPages': ['logPages'],
    'src/adapters/sessions/sessions': ['Sessions'],
    'src/adapters/storage/frame': ['framedLine'],
    'src/adapters/log/logFile': ['LogFile'],
    'src/adapters/storage/machineKey': ['machineKey'],
    'src/core/session/conversation': ['Conversation'],
    'src/core/session/sessionAgent': ['sessionAgent'],
    'src/adapters/files/diskFiles': ['diskFiles'],
    'src/adapters/search/ripgrep': ['ripgrepSearch'],
  });

/** @typedef {Awaited<ReturnType<typeof load>>} Modules Modules under test. */

const task = {
  type: 'task_started',
  task: 'Do it.',
  title: 'Do it.',
  systemPrompt: 'Be good. '.repeat(200),
  model: { name: 'm', provider: 'bench', contextWindow: null },
  tools: [],
  cwd: '/',
  confirmation: 'risky',
  limits: { steps: 0, cost: 0, seconds: 0 },
};
const usage = { inputTokens: 2000, outputTokens: 20, cachedTokens: 0, cost: 0 };

/** What a step adds to the log: a reply, the start of its action, and a result of typical size. */
function* stepsOf(count) {
  yield { ...task, seq: 0, at: 0 };
  for (let seq = 1, step = 0; seq < count; step++) {
    const id = `call_${step}`;
    const events = [
      {
        type: 'agent_response',
        readUpTo: seq,
        text: 'Next I look at the file and see what it does. '.repeat(4),
        actions: [
          {
            id,
            tool: 'read_file',
            input: { path: 'src/a.ts' },
            summary: 'Read src/a.ts',
            group: 0,
            risk: { level: 'low', reasons: [] },
            effect: 'reads',
          },
        ],
        usage,
        model: 'm',
        finishReason: 'tool_calls',
        durationMs: 1,
        firstTokenMs: null,
      },
      { type: 'action_started', actionId: id },
      {
        type: 'observation',
        actionId: id,
        outcome: 'ok',
        content: `${step}\tconst value = compute(name);\n`.repeat(step % 10 === 0 ? 400 : 60),
        durationMs: 5,
        details: { kind: 'read', path: 'src/a.ts', version: '1', fromLine: 1, toLine: 40, totalLines: 40 },
      },
    ];
    for (const event of events) if (seq < count) yield { ...event, seq, at: seq++ };
  }
}

/** Measures a log: appending, opening, reading it, and listing many. On the disk of the temporary folder. */
export async function measureLog({ quick }) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-bench-'));
  process.env.XDG_STATE_HOME ??= folder;
  try {
    const parts = await load();
    return [
      ...(await appends(parts, folder, quick ? 200 : 1000)),
      ...(await opens(parts, folder, quick ? 10_000 : 50_000)),
      ...lists(parts, folder, quick ? 1000 : 5000),
    ];
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Measures what a frame adds to storing an event: the same events through the same code, alternating with and without a
 * frame, so that the disk is the same for both. The frame's CPU time is reported separately, since disk times vary by
 * more than that.
 *
 * @param {Modules} modules
 */
async function appends({ openEventLog, framedLine, machineKey, LogFile }, folder, count) {
  const { store } = openEventLog(path.join(folder, 'append', 'session.waymark.jsonl'));
  const bare = new LogFile(path.join(folder, 'append', 'bare.jsonl'));
  const times = [];
  const plain = [];
  for (const event of stepsOf(count)) {
    const kept = async () => {
      store.append(event);
      await store.durable();
    };
    const unframed = async () => {
      await undefined;
      await bare.append(Buffer.from(`${JSON.stringify(event)}\n`));
    };
    for (const isFramed of event.seq % 2 === 0 ? [true, false] : [false, true]) {
      const started = performance.now();
      await (isFramed ? kept() : unframed());
      (isFramed ? times : plain).push(performance.now() - started);
    }
  }
  const burst = performance.now();
  for (const event of [...stepsOf(count)].map((event) => ({ ...event, seq: event.seq + count }))) store.append(event);
  await store.durable();
  const perBurst = (performance.now() - burst) / count;
  await store.close();
  bare.close();
  const objects = [...stepsOf(count)].map((event) => JSON.stringify(event));
  const frames = timed(5, () => {
    let hash = '';
    for (const object of objects) ({ hash } = framedLine(object, hash, machineKey()));
  });
  const perFrame = median(frames) / count;
  return [
    {
      measure: 'Append one event durably: median',
      unit: 'ms',
      value: median(times),
      floor: median(plain),
    },
    {
      measure: 'Append one event durably: 99th percentile',
      unit: 'ms',
      value: quantile(times, 0.99),
      floor: quantile(plain, 0.99),
    },
    { measure: 'Events per second, each durable before the next', unit: '1/s', value: 1000 / median(times) },
    { measure: 'Events per second, in one burst', unit: '1/s', value: 1000 / perBurst },
    { measure: 'Checksum, chain and seal of one event', unit: 'ms', value: perFrame },
    {
      measure: 'Checksum, chain and seal, as a share of a plain append',
      unit: '%',
      aim: 1,
      value: (perFrame / median(plain)) * 100,
    },
  ];
}

/** @param {Modules} parts */
async function opens(parts, folder, count) {
  const { readEventLog, logPages, Sessions } = parts;
  const sessions = new Sessions(path.join(folder, 'long'));
  const file = sessions.logOf('long');
  const { store } = sessions.open('long');
  for (const event of longLog(count, (step) => (step % 10 === 0 ? 250 : 35))) store.append(event);
  await store.durable();
  await store.close();
  const name = `${count.toLocaleString('en-US')} events`;
  const before = process.memoryUsage().rss;
  const looks = timed(5, () => {
    const pages = logPages(file);
    if (pages?.slice(pages.length - 300).length !== 300) throw new Error('The page is incomplete.');
  });
  const grown = process.memoryUsage().rss - before;
  const whole = timed(3, () => {
    if (readEventLog(file).events.length !== count) throw new Error('The log is incomplete.');
  });
  return [
    { measure: `${name}: last screen (300 events), first time`, unit: 'ms', aim: 200, value: looks[0] },
    { measure: `${name}: last screen (median)`, unit: 'ms', aim: 200, value: median(looks) },
    { measure: `${name}: memory for the last screen`, unit: 'MB', value: Math.max(0, grown) / 1e6 },
    { measure: `${name}: read the whole log at once (median)`, unit: 'ms', value: median(whole) },
    ...(await goesOn(parts, sessions, name)),
  ];
}

/**
 * Measures resuming a long session: it is opened, a reply arrives, and the list is updated. Everything else in the
 * process waits as long as the longest uninterrupted piece of work.
 *
 * @param {Modules} modules
 */
async function goesOn({ Conversation, sessionAgent, diskFiles, ripgrepSearch }, sessions, name) {
  const root = path.dirname(path.dirname(sessions.logOf('long')));
  const runs = [];
  for (let run = 0; run < 3; run++) {
    global.gc?.();
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    await new Promise((resolve) => setTimeout(resolve, 20));
    delay.reset();
    const started = performance.now();
    const { events, store } = await sessions.openInTurns('long');
    const opened = performance.now() - started;
    const model = {
      info: { name: 'm', provider: 'bench', contextWindow: null },
      complete: async () => ({
        text: 'It is done.',
        model: 'm',
        finishReason: 'stop',
        firstTokenMs: null,
        usage: { inputTokens: null, outputTokens: null, cachedTokens: null, cost: null },
        toolCalls: [],
      }),
    };
    const environment = {
      root,
      files: diskFiles({ folders: [root] }),
      search: ripgrepSearch({ folders: [root] }),
      terminal: { dispose: async () => undefined },
    };
    const agent = sessionAgent({
      model,
      environment,
      surroundings: { root, otherFolders: [], platform: 'bench', shell: 'sh', mayAct: true },
      trusted: true,
      attended: true,
    });
    const conversation = new Conversation(agent, { events, store });
    conversation.say('Go on.');
    while (conversation.running) await conversation.rested();
    const { type } = conversation.history.at(-1);
    if (type !== 'agent_response') throw new Error(`The run did not continue: its log ends with ${type}.`);
    await store.durable();
    sessions.remember('long', conversation.history, store.stand);
    const all = performance.now() - started;
    await new Promise((resolve) => setTimeout(resolve, 5));
    delay.disable();
    await store.close();
    runs.push({ opened, all, longest: delay.max / 1e6 });
  }
  const each = (pick) => median(runs.map(pick));
  return [
    {
      measure: `${name}: resume, longest block of the event loop`,
      unit: 'ms',
      aim: 300,
      value: each(({ longest }) => longest),
    },
    { measure: `${name}: resume, until the log is open`, unit: 'ms', value: each(({ opened }) => opened) },
    { measure: `${name}: resume, until a reply is on disk`, unit: 'ms', value: each(({ all }) => all) },
  ];
}

/** @param {Modules} modules */
function lists({ Sessions, openEventLog, framedLine, machineKey }, folder, count) {
  const place = path.join(folder, 'sessions');
  const sessions = new Sessions(place);
  const events = [...stepsOf(4)];
  for (let index = 0; index < count; index++) {
    const id = `20261121-${String(index).padStart(6, '0')}-abcd`;
    fs.mkdirSync(path.join(place, id), { recursive: true });
    let hash = '';
    const text = [{ waymark: 2, id }, ...events]
      .map((object) => {
        const next = framedLine(JSON.stringify(object), hash, machineKey());
        hash = next.hash;
        return next.line;
      })
      .join('');
    fs.writeFileSync(sessions.logOf(id), text);
    sessions.remember(id, events, { size: Buffer.byteLength(text), hash });
  }
  const all = (what) => {
    if (what.list().length !== count) throw new Error('Not all sessions are listed.');
  };
  const first = timed(5, () => all(new Sessions(place)));
  all(sessions);
  const again = timed(5, () => all(sessions));
  fs.rmSync(path.join(place, 'index.jsonl'));
  const healing = new Sessions(place);
  const started = performance.now();
  while (healing.list().length < count) {
    /* each call reads some of them */
  }
  const name = `${count.toLocaleString('en-US')} sessions`;
  return [
    { measure: `${name}: list in a new window (median)`, unit: 'ms', aim: 100, value: median(first) },
    { measure: `${name}: list again (median)`, unit: 'ms', aim: 100, value: median(again) },
    { measure: `${name}: rebuild the index from all logs`, unit: 'ms', value: performance.now() - started },
  ];
}

function timed(times, work) {
  return Array.from({ length: times }, () => {
    const started = performance.now();
    work();
    return performance.now() - started;
  });
}
