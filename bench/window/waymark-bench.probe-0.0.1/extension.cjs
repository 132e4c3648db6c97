// An extension of the bench. It lives in the same extension host as Waymark and says, over loopback, how long the
// event loop was blocked, by whom, and how much memory the host holds. It also has the least view there can be.
const fs = require('node:fs');
const http = require('node:http');
const inspector = require('node:inspector');
const path = require('node:path');
const { monitorEventLoopDelay } = require('node:perf_hooks');
const v8 = require('node:v8');
const vm = require('node:vm');
const vscode = require('vscode');

/** A block is noted from this length on. Milliseconds. */
const noted = 20;
const lookEvery = 5;
const sampleEvery = 1000; // microseconds

const nowMicros = () => Number(process.hrtime.bigint() / 1000n);
/** CPU time of this thread, in microseconds: what a busy machine does not change. */
const cpuMicros = () => {
  const { user, system } = process.threadCpuUsage?.() ?? { user: NaN, system: NaN };
  return user + system;
};

exports.activate = (context) => {
  context.subscriptions.push(vscode.window.registerWebviewViewProvider('probe.view', leastView));
  const { WAYMARK_BENCH_PROBE: file } = process.env;
  if (!file) return;
  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc');
  const loop = new Loop();
  const answers = {
    '/begin': () => loop.begin(),
    '/end': () => loop.end(),
    '/memory': () => {
      collect();
      collect();
      const { heapUsed, rss, external } = process.memoryUsage();
      return { heapUsed, rss, external };
    },
  };
  const server = http.createServer(async (request, response) => {
    try {
      const url = new URL(request.url, 'http://127.0.0.1');
      const answer = await answers[url.pathname]?.();
      if (answer?.profile && url.searchParams.has('keep')) keepProfile(url.searchParams.get('keep'), answer.profile);
      response.end(JSON.stringify({ ...answer, profile: undefined }));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  server.listen(0, '127.0.0.1', () => {
    fs.writeFileSync(`${file}.new`, String(server.address().port));
    fs.renameSync(`${file}.new`, file);
  });
  context.subscriptions.push({ dispose: () => server.close() });
};

function keepProfile(file, profile) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, JSON.stringify(profile));
}

const leastView = {
  resolveWebviewView({ webview }) {
    webview.options = { enableScripts: true };
    webview.html = `<!DOCTYPE html><body><input id="probe"><script>document.getElementById('probe').focus()</script></body>`;
  },
};

/** Watches the event loop from `begin` to `end`. */
class Loop {
  #histogram = monitorEventLoopDelay({ resolution: 2 });
  #blocks = [];
  #timer;
  #session;

  async begin() {
    const session = new inspector.Session();
    session.connect();
    const post = (method, parameters) =>
      new Promise((resolve, reject) =>
        session.post(method, parameters, (error, result) => (error ? reject(error) : resolve(result))),
      );
    this.#session = { post, end: () => session.disconnect() };
    await post('Profiler.enable');
    await post('Profiler.setSamplingInterval', { interval: sampleEvery });
    await post('Profiler.start');
    // What it takes to begin is nobody's.
    await new Promise((resolve) => setTimeout(resolve, 300));
    this.#blocks = [];
    this.#histogram.enable();
    this.#histogram.reset();
    let last = nowMicros();
    let lastCpu = cpuMicros();
    this.#timer = setInterval(() => {
      const now = nowMicros();
      const cpuNow = cpuMicros();
      const late = (now - last) / 1000 - lookEvery;
      if (late >= noted) this.#blocks.push({ from: last, to: now, cpu: (cpuNow - lastCpu) / 1000 });
      last = now;
      lastCpu = cpuNow;
    }, lookEvery);
    return { began: true };
  }

  async end() {
    clearInterval(this.#timer);
    this.#histogram.disable();
    const milliseconds = (nanoseconds) => nanoseconds / 1e6;
    const delay = {
      median: milliseconds(this.#histogram.percentile(50)),
      p99: milliseconds(this.#histogram.percentile(99)),
      most: milliseconds(this.#histogram.max),
    };
    const { profile } = await this.#session.post('Profiler.stop');
    this.#session.end();
    const blocks = this.#blocks.map((block) => attributed(block, profile));
    return { delay, blocks, profile: { ...profile, blocks } };
  }
}

/** How long a block was, how much of it code of Waymark stood on the stack, and which function took most. */
function attributed({ from, to, cpu }, { nodes, samples, timeDeltas, startTime }) {
  const byId = new Map(nodes.map((node) => [node.id, { ...node }]));
  for (const node of nodes) for (const child of node.children ?? []) byId.get(child).parent = node.id;
  const ours = new Map();
  const isOurs = (id) => {
    if (id === undefined) return undefined;
    if (!ours.has(id)) {
      const { callFrame, parent } = byId.get(id);
      ours.set(id, isOurs(parent) ?? (callFrame.url.includes('/waymark.waymark-') ? nameOf(callFrame) : undefined));
    }
    return ours.get(id);
  };
  let at = startTime;
  let mine = 0;
  // Samples are only taken while the thread runs, so their number is a measure of CPU time.
  let taken = 0;
  let takenInOurs = 0;
  const names = new Map();
  samples.forEach((id, index) => {
    at += timeDeltas[index];
    if (at < from || at > to) return;
    const entry = isOurs(id);
    const { callFrame } = byId.get(id);
    if (entry) mine += timeDeltas[index] / 1000;
    if (callFrame.functionName !== '(idle)') {
      taken++;
      if (entry) takenInOurs++;
    }
    const name = `${entry ?? '-'} > ${nameOf(callFrame)}`;
    names.set(name, (names.get(name) ?? 0) + timeDeltas[index] / 1000);
  });
  const top = [...names].sort((one, other) => other[1] - one[1]).slice(0, 4);
  return {
    ms: (to - from) / 1000 - lookEvery,
    ours: mine,
    cpu,
    oursCpu: taken > 0 ? (cpu * takenInOurs) / taken : 0,
    from,
    to,
    top: top.map(([name, ms]) => `${name} ${ms.toFixed(0)}`),
  };
}

const nameOf = ({ functionName, url, lineNumber }) =>
  `${functionName || '(anonymous)'}@${url.split('/').at(-1)}:${lineNumber + 1}`;
