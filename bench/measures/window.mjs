import fs from 'node:fs';
import { runAgent } from '../run.mjs';
import { median, quantile } from '../statistics.mjs';
import { openBenchWindow, waitFor } from '../window/benchWindow.mjs';
import { longTitle, writeLongSession } from '../window/longSession.mjs';
import { at } from '../../scripts/repository.mjs';
import { cloneOfThisRepository, typicalCalls } from '../typicalRun.mjs';
import { editedLine, longAnswer, longList, script, scriptLine } from '../window/texts.mjs';

/** Longest time in ms for which Waymark may block the extension host or a frame of the panel. */
const longestBlock = 50;
const scriptLines = 2000;
const longestLagMs = 240_000;

const whole = { steps: 200, edits: 50, long: 1000, events: 50_000, sessions: 10 };
const short = { steps: 50, edits: 10, long: 300, events: 5_000, sessions: 4 };

/**
 * ★ What Waymark costs in a real VS Code: with the same model as on the command line, and a user who watches the panel.
 * In order: the first part opens the panel as in a window that was just opened.
 */
export const windowMeasures = {
  'window-opening': inWindow(measureOpening, { isPanelOpen: false }),
  'window-steps': inWindow(measureStepsInWindow),
  'window-edits': inWindow(measureEditsInWindow),
  'window-flood': inWindow(measureFloodInWindow),
  'window-streaming': inWindow(measureStreaming),
  'window-long': inWindow(measureLongSession),
  'window-stored': inWindow(measureStoredSession),
  'window-sessions': inWindow(measureManySessions, { isNewWindow: true }),
  'window-repository': measureInRepository,
};

/** One window for all parts, opened by the first of them, and again after it was closed. */
export function sharedWindow(model) {
  let opening;
  return {
    get isOpen() {
      return opening !== undefined;
    },
    open: () =>
      (opening ??= openBenchWindow({
        baseUrl: model.baseUrl,
        files: { 'data.js': script(scriptLines), 'package.json': '{"type":"module"}\n' },
      })),
    async close() {
      const window = await opening?.catch(() => undefined);
      opening = undefined;
      await window?.close();
    },
  };
}

function inWindow(part, { isPanelOpen = true, isNewWindow = !isPanelOpen } = {}) {
  return async ({ model, quick, shared }) => {
    if (isNewWindow) await shared.close();
    const isNew = !shared.isOpen;
    const window = await shared.open();
    if (isPanelOpen && isNew) await openPanel(window);
    try {
      return await part({ window, model, sizes: quick ? short : whole });
    } catch (error) {
      const picture = at(`out/bench/${part.name}.png`);
      await window.page.screenshot({ path: picture, timeout: 10_000 }).catch(() => undefined);
      throw new Error(`${error.message.split('\n')[0]} Screenshot: ${picture}`, { cause: error });
    }
  };
}

const echo = (step) => ({
  tool: 'run_command',
  input: { command: `echo step-${step}` },
  expect: `step-${step}`,
});
const echoes = (count) => Array.from({ length: count }, (_, step) => echo(step));

/** Plays a script in a new session, from the task to the end of the run. Returns the gaps on the model's clock. */
async function ran({ window, model }, name, calls, streamed) {
  const play = model.play(calls, undefined, 0, streamed);
  await window.task(`Do ${name}.`);
  await waitFor(`the end of ${name}`, () => play.problem ?? play.ended);
  if (play.problem) throw new Error(play.problem);
  // On a busy machine the page draws steps long after they are done.
  await window.view.locator('[data-testid="status"][data-status="idle"]').waitFor({ timeout: longestLagMs });
  await pause(500);
  return play.gaps;
}

/** Same, and returns what host and panel did meanwhile. Watching them takes time, so the gaps are longer. */
async function played(bench, name, calls, streamed) {
  let gaps;
  const seen = await bench.window.during(name, async () => {
    gaps = await ran(bench, name, calls, streamed);
  });
  return { gaps, ...seen };
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const ms = (measure, value, aim) => ({ measure: `Window: ${measure}`, unit: 'ms', value, ...(aim && { aim }) });

/** Rows about host and panel that every part reports. */
function smoothness(name, { host, frames }) {
  for (const { ms: length, ours, oursCpu, top } of host.blocks.filter((block) => block.ms > longestBlock))
    console.error(
      `    ${name}: host blocked ${length.toFixed(0)} ms, Waymark ${ours.toFixed(0)} (${oursCpu.toFixed(0)} CPU): ${top.join('; ')}`,
    );
  const ourBlocks = host.blocks.map(({ ours }) => ours);
  const ourCpu = host.blocks.map(({ oursCpu }) => oursCpu ?? 0);
  const longFrames = frames.long.filter((frame) => frame.ms > longestBlock);
  const frameWords = longFrames.map(
    (frame) => `${frame.ms.toFixed(0)} (scripts ${frame.ours.toFixed(0)}, layout ${frame.layout.toFixed(0)})`,
  );
  if (frameWords.length > 0) console.error(`    ${name}: frames of the panel over 50 ms: ${frameWords.join(', ')}`);
  const ownTasks = frames.tasks.filter(({ own }) => own).map((task) => task.ms);
  const wait = (block) => block.ms;
  return [
    ms(`${name}, longest host block by Waymark`, Math.max(0, ...ourBlocks), longestBlock),
    ms(`${name}, CPU time of that block's thread`, Math.max(0, ...ourCpu)),
    ms(`${name}, longest host block by anyone`, Math.max(host.delay.most, ...host.blocks.map(wait))),
    ms(`${name}, host event loop delay (99th percentile)`, host.delay.p99),
    ms(`${name}, longest panel task (0 if none over 50 ms)`, Math.max(0, ...ownTasks), longestBlock),
    ms(`${name}, longest gap between panel frames`, Math.max(0, ...frames.gaps)),
    {
      measure: `Window: ${name}, frame gaps over ${longestBlock} ms`,
      unit: 'gaps',
      value: frames.gaps.filter((gap) => gap > longestBlock).length,
    },
  ];
}

/** A typical run in a window of its own, on a clone of this repository, with VS Code's Git and TypeScript at work. */
async function measureInRepository({ model, quick, shared }) {
  await shared.close();
  const window = await openBenchWindow({ baseUrl: model.baseUrl, prepare: cloneOfThisRepository });
  try {
    await openPanel(window);
    const calls = typicalCalls(quick ? 24 : 80);
    const bench = { window, model };
    const seen = await played(bench, 'repository', calls);
    const gaps = await ran(bench, 'repository again', calls);
    const outside = await runAgent('waymark', model, calls, { prepare: cloneOfThisRepository });
    const name = `clone of Waymark’s repository, ${calls.length} typical commands`;
    return [
      ms(`${name}, median per step`, median(gaps), 1.5 * median(outside.gaps)),
      ms(`${name}, median per step on the command line`, median(outside.gaps)),
      ms(`${name}, 95th percentile`, quantile(gaps, 0.95)),
      ...smoothness(name, seen),
    ];
  } finally {
    await window.close();
  }
}

/** Time until the panel accepts input, in ms. */
const openPanel = (window) => window.opens('Waymark', () => window.view.getByTestId('composer'));

async function measureOpening({ window, sizes }) {
  const { page } = window;
  const least = [];
  const ours = [];
  for (let time = 0; time < (sizes === whole ? 5 : 2); time++) {
    least.push(await window.opens('Probe', window.probeView));
    ours.push(await openPanel(window));
    await page.locator('.activitybar .action-item a[aria-label^="Explorer"]').click();
    await pause(300);
  }
  await openPanel(window);
  return [
    { ...ms('panel, click to usable composer, first opening', ours[0], 600), floor: least[0] },
    {
      ...ms('panel, click to usable composer, later openings (median)', median(ours.slice(1)), 600),
      floor: median(least.slice(1)),
    },
  ];
}

async function measureStepsInWindow(bench) {
  const { model, sizes } = bench;
  const calls = echoes(sizes.steps);
  const seen = await played(bench, 'steps', calls);
  const gaps = await ran(bench, 'steps again', calls);
  const outside = await runAgent('waymark', model, calls);
  const name = `${sizes.steps} steps`;
  return [
    ms(`${name}, median per step`, median(gaps), 1.5 * median(outside.gaps)),
    ms(`${name}, median per step on the command line`, median(outside.gaps)),
    ms(`${name}, 95th percentile`, quantile(gaps, 0.95)),
    ms(`${name}, median per step with profiler and frame counter`, median(seen.gaps)),
    ...smoothness(name, seen),
  ];
}

async function measureEditsInWindow(bench) {
  const { window, sizes } = bench;
  const { page } = window;
  await page.keyboard.press('Control+P');
  await page.locator('.quick-input-widget input[type="text"]').first().fill('data.js');
  await page.locator('.quick-input-list .monaco-list-row').first().waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.tab[data-resource-name="data.js"]').waitFor();
  await pause(5000); // the language service reads the project
  const every = Math.floor(scriptLines / sizes.edits);
  const edit = (from, to) => ({
    tool: 'edit_file',
    input: { path: 'data.js', edits: [{ old_text: from, new_text: to }] },
    expect: 'data.js: +1',
  });
  const calls = Array.from({ length: sizes.edits }, (_, at) => edit(scriptLine(at * every), editedLine(at * every)));
  const seen = await played(bench, 'edits', calls);
  const text = fs.readFileSync(`${window.workspace}/data.js`, 'utf8');
  if (!text.includes(editedLine((sizes.edits - 1) * every))) throw new Error('The file was not edited.');

  const all = {
    tool: 'edit_file',
    input: { path: 'data.js', edits: [{ old_text: text, new_text: script(scriptLines) }] },
  };
  const large = await played(bench, 'large-edit', [all]);
  const gaps = await ran(bench, 'edits again', calls);
  const name = `${sizes.edits} edits of an open JavaScript file`;
  return [
    ms(`${name}, median`, median(gaps), 270),
    ms(`${name}, 95th percentile`, quantile(gaps, 0.95), 300),
    ...smoothness(name, seen),
    ms('one edit of 2,000 lines', large.gaps[0]),
    ...smoothness('one edit of 2,000 lines', large),
  ];
}

async function measureFloodInWindow(bench) {
  const flood = { tool: 'run_command', input: { command: 'yes | head -c 50000000' } };
  const seen = await played(bench, 'flood', [flood]);
  return [ms('50 MB of output, time to result', seen.gaps[0]), ...smoothness('50 MB of output', seen)];
}

async function measureStreaming(bench) {
  const rows = [];
  const streams = {
    '9,000 characters of streamed Markdown': longAnswer(),
    'one streamed list of 150 entries': longList(),
  };
  for (const [name, text] of Object.entries(streams))
    rows.push(
      ...smoothness(name, await played(bench, name.replace(/\W+/g, '-'), [], { text, characters: 20, everyMs: 8 })),
    );
  return rows;
}

async function measureLongSession(bench) {
  const { window, sizes } = bench;
  const { page, view } = window;
  const before = await window.memory();
  const seen = await played(bench, 'long', echoes(sizes.long));
  const after = await window.memory();
  const name = `${sizes.long.toLocaleString('en')} steps`;
  const first = median(seen.gaps.slice(5, 55));
  const scrolled = await window.during('scroll', async () => {
    const box = await view.locator('.feed').boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    for (let turn = 0; turn < 200; turn++) {
      // Not as far as the end again.
      await page.mouse.wheel(0, turn < 150 ? -400 : 0.4 * sizes.long);
      await pause(16);
    }
  });
  const condensed = await window.during('condense', async () => {
    // Cards far above the end are not drawn.
    await view.getByText('Jump to latest').click();
    await window.command('Waymark: Condense the Conversation');
    await view.getByTestId('card-condensation').last().waitFor({ timeout: 60_000 });
    await pause(500);
  });
  return [
    ms(`${name}, median per step`, median(seen.gaps)),
    {
      measure: `Window: ${name}, last 50 compared with the first 50`,
      unit: '×',
      value: median(seen.gaps.slice(-50)) / first,
    },
    ...smoothness(name, seen),
    ms(`${name}, frame time while scrolling (95th percentile)`, quantile(scrolled.frames.gaps, 0.95), 20),
    ...smoothness(`scrolling ${name}`, scrolled),
    ...smoothness(`condensing ${name}`, condensed),
    memoryRow(`${name}, host memory growth`, after.hostMb - before.hostMb, 30),
    memoryRow(`${name}, page memory growth`, after.browserMb - before.browserMb, 30),
    { measure: `Window: ${name}, page nodes afterwards`, unit: 'nodes', value: after.nodes },
  ];
}

/**
 * First as another program left it, which may have died: its end is shown at once, and it can be gone on with when it
 * was read whole. Then as a window left it, which keeps beside a long log what is true of its end.
 */
async function measureStoredSession({ window, sizes }) {
  const { view, server, home, workspace } = window;
  await writeLongSession({ userData: server.userData, home, workspace }, sizes.events);
  const title = view.locator('h1.title', { hasText: longTitle });
  const reload = async () => {
    await window.reload();
    await view.getByTestId('composer').waitFor();
  };
  const opened = async () => {
    await window.command('Waymark: Open Session…');
    await window.page.locator('.quick-input-widget input[type="text"]').first().fill(longTitle);
    const row = window.page.locator('.quick-input-list .monaco-list-row', { hasText: longTitle }).first();
    await row.waitFor();
    const started = performance.now();
    await row.click();
    await title.waitFor();
    const shownMs = performance.now() - started;
    await title.getByTestId('title').waitFor();
    return { shownMs, writableMs: performance.now() - started };
  };
  await reload();
  let first;
  const seen = await window.during('stored', async () => {
    first = await opened();
    await pause(3000);
  });
  await window.command('Waymark: New Session');
  await title.waitFor({ state: 'detached' });
  await reload();
  const again = await opened();
  const name = `session of ${sizes.events.toLocaleString('en')} events`;
  return [
    ms(`${name}, click to last screen and title`, first.shownMs),
    ms(`${name}, click to resumable, whole log read`, first.writableMs),
    ms(`${name}, click to resumable, last used by a window`, again.writableMs),
    ...smoothness(name, seen),
  ];
}

/**
 * Measures twice as many sessions: in the first half, memory also grows by what a window keeps of recent sessions.
 * In a window of its own, without the profiler, which keeps something in the host's heap for each function that ran.
 */
async function measureManySessions(bench) {
  const { window, sizes } = bench;
  const readings = [];
  for (let session = 0; session <= 2 * sizes.sessions; session++) {
    await ran(bench, `session-${session}`, echoes(20));
    readings.push(await window.memory());
  }
  // The first one also loads modules.
  const halves = [
    [`${sizes.sessions} sessions of 20 steps`, readings[0], readings[sizes.sessions]],
    [`the next ${sizes.sessions} sessions`, readings[sizes.sessions], readings.at(-1)],
  ];
  return [
    ...halves.flatMap(([name, before, after]) => [
      memoryRow(`${name}, host memory growth`, after.hostMb - before.hostMb, 5),
      memoryRow(`${name}, page memory growth`, after.browserMb - before.browserMb, 5),
    ]),
    memoryRow(`${2 * sizes.sessions} sessions of 20 steps, host memory at the end`, readings.at(-1).hostMb),
  ];
}

const memoryRow = (measure, value, aim) => ({ measure: `Window: ${measure}`, unit: 'MB', value, ...(aim && { aim }) });
