// A real VS Code with the packaged Waymark, and measurements from outside.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { launchBrowser } from '../../scripts/host/browser.mjs';
import { conversation, extensionsLoaded, openFolder, runCommand, typeAnswer } from '../../scripts/host/drive.mjs';
import { startServer } from '../../scripts/host/server.mjs';
import { packVsix } from '../../scripts/package/vsix.mjs';
import { at } from '../../scripts/repository.mjs';

const longestWaitMs = 300_000;

/** What a trace of the page contains: its tasks, their layouts and samples of its scripts. */
const traced = ['devtools.timeline', 'toplevel', 'v8', 'v8.execute', 'disabled-by-default-v8.cpu_profiler'];

/**
 * Opens a window on a fresh folder. `files`: content by relative path. `prepare(workspace)` fills it before VS Code
 * starts. Returns an object to measure with; `close` ends it.
 */
export async function openBenchWindow({ baseUrl, files = {}, prepare }) {
  const root = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'wmb-'));
  const [home, workspace] = ['home', 'work'].map((name) => path.join(root, name));
  for (const folder of [home, workspace]) fs.mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(workspace, name), text);
  prepare?.(workspace);
  const portFile = path.join(root, 'probe');
  const vsix = await packVsix({ target: `${process.platform}-${process.arch}` });
  let server;
  let browser;
  const close = async () => {
    await browser?.close();
    await server?.stop();
    fs.rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    server = await startServer({
      workspace,
      home,
      extensions: [at('bench/window/waymark-bench.probe-0.0.1'), vsix],
      settings: {
        'waymark.model.provider': 'openai',
        'waymark.model.baseUrl': baseUrl,
        'waymark.model.name': 'loopback',
        'waymark.confirmation': 'never',
        'waymark.limits.steps': 0,
        'waymark.notifications.end': false,
      },
      env: { WAYMARK_BENCH_PROBE: portFile },
    });
    browser = await launchBrowser();
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    await openFolder(page, server);
    return { ...measuringIn(page, server, portFile, context), home, workspace, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function measuringIn(page, server, portFile, context) {
  const view = conversation(page);
  const ask = async (question) => {
    const port = await waitFor('the probe', () => fs.existsSync(portFile) && fs.readFileSync(portFile, 'utf8'));
    const response = await fetch(`http://127.0.0.1:${port}${question}`);
    if (!response.ok) throw new Error(`The probe said: ${await response.text()}`);
    return response.json();
  };
  /** The document of the panel, in which scripts can be run. */
  const panel = async () => (await view.locator('#root').elementHandle()).ownerFrame();
  return {
    page,
    server,
    view,
    ask,
    panel,
    reload: async () => {
      fs.rmSync(portFile, { force: true });
      await page.reload();
      await extensionsLoaded(page);
    },
    async task(words) {
      await runCommand(page, 'Waymark: Run Agent on Task');
      await typeAnswer(page, words);
    },
    command: (title) => runCommand(page, title),
    /** Returns the time from the click on an activity bar icon until its view is ready, in ms. */
    async opens(name, ready) {
      const icon = page.locator('.activitybar .action-item', { has: page.locator(`a[aria-label^="${name}"]`) });
      await icon.waitFor();
      const started = performance.now();
      await icon.locator('a').click();
      await ready().waitFor();
      return performance.now() - started;
    },
    probeView: () =>
      page
        .frameLocator('iframe.webview.ready[src*="extensionId=waymark-bench.probe"]')
        .first()
        .frameLocator('iframe#active-frame')
        .locator('#probe'),
    /** Runs `work` and returns what host and panel did meanwhile. `name`: of the profile, if profiles are kept. */
    async during(name, work) {
      const folder = process.env.WAYMARK_BENCH_PROFILES;
      const browser = context.browser();
      if (folder)
        await browser.startTracing(page, { categories: traced, path: path.join(folder, `${name}.trace.json`) });
      await (await panel()).evaluate(beginFrames);
      await ask('/begin');
      await work();
      const keep = folder ? `?keep=${encodeURIComponent(path.join(folder, `${name}.cpuprofile`))}` : '';
      const host = await ask(`/end${keep}`);
      const frames = await (await panel()).evaluate(endFrames);
      if (folder) await browser.stopTracing();
      return { host, frames };
    },
    async memory() {
      const devtools = await context.newCDPSession(page);
      await devtools.send('HeapProfiler.collectGarbage');
      await devtools.send('HeapProfiler.collectGarbage');
      const { usedSize } = await devtools.send('Runtime.getHeapUsage');
      const { nodes } = await devtools.send('Memory.getDOMCounters');
      await devtools.detach();
      const { heapUsed } = await ask('/memory');
      return { hostMb: heapUsed / 1e6, browserMb: usedSize / 1e6, nodes };
    },
    /** Saves a profile of the page, workbench and panel together, for people. */
    async profiled(file, work) {
      const devtools = await context.newCDPSession(page);
      await devtools.send('Profiler.enable');
      await devtools.send('Profiler.setSamplingInterval', { interval: 200 });
      await devtools.send('Profiler.start');
      await work();
      const { profile } = await devtools.send('Profiler.stop');
      fs.writeFileSync(file, JSON.stringify(profile));
      await devtools.detach();
    },
  };
}

export async function waitFor(what, ask, mostMs = longestWaitMs) {
  const end = performance.now() + mostMs;
  for (;;) {
    const value = await ask();
    if (value) return value;
    if (performance.now() > end) throw new Error(`Timed out after ${mostMs / 1000} s waiting for ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Runs in the panel: records the time between frames, and long frames with the share of the panel's scripts. */
function beginFrames() {
  const frames = { gaps: [], long: [], last: undefined, isOn: true };
  const next = (now) => {
    if (frames.last !== undefined) frames.gaps.push(now - frames.last);
    frames.last = now;
    if (frames.isOn) requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
  frames.observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const scripts = entry.scripts ?? [];
      const ours = scripts
        .filter(({ sourceURL }) => /\/webview\/panel/.test(sourceURL))
        .reduce((sum, { duration }) => sum + duration, 0);
      const afterScripts =
        entry.styleAndLayoutStart > 0 ? entry.startTime + entry.duration - entry.styleAndLayoutStart : 0;
      frames.long.push({ ms: entry.duration, ours, layout: afterScripts });
    }
  });
  frames.observer.observe({ type: 'long-animation-frame' });
  // Tasks of the panel itself, even if no frame was drawn after them.
  frames.tasks = [];
  frames.taskObserver = new PerformanceObserver((list) => {
    for (const { name, duration } of list.getEntries()) frames.tasks.push({ ms: duration, own: name === 'self' });
  });
  frames.taskObserver.observe({ type: 'longtask' });
  window.benchFrames = frames;
}

function endFrames() {
  const { benchFrames: frames } = window;
  frames.isOn = false;
  frames.observer.disconnect();
  frames.taskObserver.disconnect();
  return { gaps: frames.gaps, long: frames.long, tasks: frames.tasks };
}
