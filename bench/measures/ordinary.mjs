import fs from 'node:fs';
import path from 'node:path';
import { besides } from '../besides.mjs';
import { median } from '../statistics.mjs';
import { cloneOfThisRepository, typicalCalls } from '../typicalRun.mjs';

/** Measures a typical run: in a repository, with a model that takes a moment, started without options. */
export async function measureOrdinary({ model, quick }) {
  const runs = quick ? 3 : 9;
  const rows = [];
  /** Target: a step takes no more in a large root folder than in a small one. CPU time in ms, by kind of command. */
  const inSmallRoot = {};
  for (const names of [5, 60, 2000])
    for (const [kind, command] of Object.entries(commands)) {
      const both = await besides(model, callsOf(command, quick ? 20 : 50), runs, { prepare: repositoryOf(names) });
      const where = `Repository with ${names.toLocaleString('en')} root entries, commands that ${kind}`;
      rows.push({ measure: `${where}: median per step`, unit: 'ms', ...both(({ gaps }) => median(gaps)) });
      const cpu = both(({ cpuMs }) => cpuMs);
      rows.push({ measure: `${where}: total CPU time`, unit: 'ms', aim: inSmallRoot[kind], ...cpu });
      inSmallRoot[kind] ??= cpu.value;
    }
  const steps = quick ? 24 : 80;
  const inClone = await besides(model, typicalCalls(steps), quick ? 2 : 5, { prepare: cloneOfThisRepository });
  const clone = `Clone of Waymark’s repository, ${steps} typical commands`;
  const gap = inClone(({ gaps }) => median(gaps));
  rows.push({ measure: `${clone}: median per step`, unit: 'ms', aim: 1.3 * gap.durable, ...gap });
  rows.push({ measure: `${clone}: total CPU time`, unit: 'ms', ...inClone(({ cpuMs }) => cpuMs) });
  rows.push({ measure: `${clone}: start to first request`, unit: 'ms', ...inClone(({ startMs }) => startMs) });
  const prepare = repositoryOf(60);
  const first = await besides(model, callsOf(commands.read, 2), runs, { prepare, thinkMs: 300 });
  const command = first(({ gaps }) => gaps[0]);
  rows.push({ measure: 'First command, model latency 300 ms', unit: 'ms', aim: 2 * command.floor, ...command });
  const plain = await besides(model, callsOf(commands.read, 2), runs, { prepare, ownCache: true });
  const start = plain(({ startMs }) => startMs);
  rows.push({
    measure: 'Start to first request, reused home folder',
    unit: 'ms',
    aim: 1.8 * start.floor,
    ...start,
  });
  const newcomer = await besides(model, callsOf(commands.read, 2), quick ? 2 : 5, { prepare, isNew: true });
  rows.push({
    measure: 'Start to first request, first run on this machine',
    unit: 'ms',
    ...newcomer(({ startMs }) => startMs),
  });
  rows.push({
    measure: 'Exit time after 2 commands, reused home folder',
    unit: 'ms',
    aim: 30,
    ...plain(({ exitMs }) => exitMs),
  });
  return rows;
}

const commands = {
  read: (step) => `echo step-${step}`,
  write: (step) => `echo step-${step} | tee written-${step % 3}.txt`,
};

const callsOf = (command, count) =>
  Array.from({ length: count }, (_, step) => ({
    tool: 'run_command',
    input: { command: command(step) },
    expect: `step-${step}`,
  }));

/** Creates a repository with this many entries at its top, every tenth of them a folder. */
function repositoryOf(names) {
  return (work) => {
    for (const folder of ['.git/objects', '.git/refs/heads'])
      fs.mkdirSync(path.join(work, folder), { recursive: true });
    fs.writeFileSync(path.join(work, '.git/HEAD'), 'ref: refs/heads/main\n');
    for (let name = 0; name < names; name++) {
      const isFolder = name % 10 === 9;
      if (isFolder) fs.mkdirSync(path.join(work, `folder-${name}`));
      fs.writeFileSync(path.join(work, isFolder ? `folder-${name}/index.ts` : `file-${name}.ts`), `// ${name}\n`);
    }
  };
}
