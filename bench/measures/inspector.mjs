// @ts-check
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { longLog } from '../longLog.mjs';
import { median } from '../statistics.mjs';
import { bundled } from '../../scripts/build/bundled.mjs';

/** Modules under test. */
const load = () =>
  bundled({
    'src/extension/inspector/inspectorChannel': ['InspectorChannel'],
    'src/adapters/sessions/openTrajectory': ['openTrajectory'],
    'src/core/trajectory/runFacts': ['runFacts'],
    'src/adapters/log/eventLog': ['openEventLog'],
    'src/core/trajectory/format': ['writeAtOnce'],
    'src/core/trajectory/formats/formats': ['writtenFormats'],
  });

/** @typedef {Awaited<ReturnType<typeof load>>} Modules Modules under test. */

/** Measures the inspector with a log of 50,000 events: from the file to its first rows, and further requests. */
export async function measureInspector({ quick }) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-bench-'));
  try {
    process.env.XDG_STATE_HOME ??= folder; // where the machine's key is stored
    const parts = await load();
    const { InspectorChannel, openTrajectory, runFacts, openEventLog, writtenFormats } = parts;
    const file = path.join(folder, 'long.waymark.jsonl');
    const { store } = openEventLog(file);
    for (const event of longLog(50_000)) store.append(event);
    await store.durable();
    await store.close();
    const foreign = [];
    for (const format of writtenFormats.filter(({ name, reader }) => name !== 'waymark' && reader))
      foreign.push({ format, ms: median(await timesToOpen(parts, format, folder, quick ? 1 : 3)) });
    const runs = [];
    for (let run = 0; run < (quick ? 2 : 5); run++)
      runs.push(
        await look(InspectorChannel, async () => {
          const { events: history, vouched } = await openTrajectory(file);
          if (!vouched) throw new Error('The log does not verify.');
          return [{ history, facts: () => ({ ...runFacts(history), name: '', path: '', format: '', problems: [] }) }];
        }),
      );
    const each = (pick) => median(runs.map(pick));
    return [
      {
        measure: 'Inspector, 50,000 events: file to first rows',
        unit: 'ms',
        aim: 1000,
        value: each(({ opened }) => opened),
      },
      {
        measure: 'Inspector, 50,000 events: size of the first rows',
        unit: 'bytes',
        value: each(({ firstBytes }) => firstBytes),
      },
      { measure: 'Inspector, 50,000 events: file to all rows', unit: 'ms', value: each(({ all }) => all) },
      { measure: 'Inspector, 50,000 events: size of all rows', unit: 'bytes', value: each(({ bytes }) => bytes) },
      { measure: 'Inspector, 50,000 events: open the last step', unit: 'ms', value: each(({ details }) => details) },
      {
        measure: 'Inspector, 50,000 events: compare its request with the previous one',
        unit: 'ms',
        value: each(({ request }) => request),
      },
      { measure: 'Inspector, 50,000 events: search for a word', unit: 'ms', value: each(({ found }) => found) },
      { measure: 'Inspector, 50,000 events: charts', unit: 'ms', value: each(({ figures }) => figures) },
      ...foreign.map(({ format, ms }) => ({
        measure: `Inspector, 50,000 events as ${format.label}: file to first rows`,
        unit: 'ms',
        aim: 1000,
        value: ms,
      })),
    ];
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Opens the same run in a foreign format: a file, or the folder of a conversation.
 *
 * @param {Modules} modules
 */
async function timesToOpen({ InspectorChannel, openTrajectory, runFacts, writeAtOnce }, format, folder, times) {
  const { name } = format;
  const history = [...longLog(50_000)].map((event, seq) => ({ ...event, seq }));
  const files = writeAtOnce(format, history, { version: '0', session: 'long' }).map(({ path: within, text }) => ({
    file: path.join(folder, name, within),
    text,
  }));
  for (const { file, text } of files) {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  }
  const first = files[0]?.file ?? '';
  const took = [];
  for (let time = 0; time < times; time++) {
    const { opened } = await look(InspectorChannel, async () => {
      const place = files.length > 1 ? path.dirname(first) : first;
      const { events } = await openTrajectory(place, { forDisplay: true });
      return [
        { history: events, facts: () => ({ ...runFacts(events), name: '', path: '', format: name, problems: [] }) },
      ];
    });
    took.push(opened);
  }
  return took;
}

/** @param {Modules['InspectorChannel']} InspectorChannel */
async function look(InspectorChannel, load) {
  const began = performance.now();
  let first;
  let bytes = 0;
  let firstBytes = 0;
  const channel = new InspectorChannel({
    load,
    actions: {},
    onProblem(error) {
      throw error;
    },
    post(message) {
      bytes += Buffer.byteLength(JSON.stringify(message));
      if (first === undefined) {
        first = performance.now() - began;
        firstBytes = bytes;
      }
    },
  });
  await channel.receive({ type: 'ready' });
  const all = performance.now() - began;
  const sent = bytes;
  const timed = async (message) => {
    const started = performance.now();
    await channel.receive(message);
    return performance.now() - started;
  };
  const { seq } = channel.runs[0].history.findLast(({ type }) => type === 'agent_response');
  return {
    opened: first,
    firstBytes,
    all,
    bytes: sent,
    details: await timed({ type: 'details', seq }),
    request: await timed({ type: 'request', seq }),
    found: await timed({ type: 'find', words: 'not there' }),
    figures: await timed({ type: 'figures' }),
  };
}
