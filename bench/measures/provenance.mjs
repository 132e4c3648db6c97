// @ts-check
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { median, quantile } from '../statistics.mjs';
import { bundled } from '../../scripts/build/bundled.mjs';

/** Modules under test. */
const load = () =>
  bundled({
    'src/core/trajectory/provenance': ['textAfterChange', 'isStep', 'markedText'],
    'src/core/trajectory/provenance/fingerprints': ['fingerprints'],
    'src/adapters/provenance/folderProvenance': ['FolderProvenance'],
  });

/** @typedef {Awaited<ReturnType<typeof load>>} Modules Modules under test. */

const lines = 10_000;
const runs = 60;
const line = (number) => `  const value${number} = compute(${number}, 'name-${number % 97}'); // what it says`;

/** Changes the file's text for each run; half of its lines are the agent's. */
const changes = {
  'one line typed': (texts, run) => texts.with((run * 163) % lines, `typed ${run};`),
  'every 20th line changed': (texts, run) =>
    texts.map((text, at) => (at % 20 === run % 20 ? `${text} changed ${run}` : text)),
  'blocks moved, every 20th line changed': (texts, run) =>
    [...texts.slice(7000), ...texts.slice(2000, 7000), ...texts.slice(0, 2000)].map((text, at) =>
      at % 20 === run % 20 ? `changed ${run} ${at}` : text,
    ),
  'file rewritten': (texts, run) => texts.map((_text, at) => `new ${run} ${at};`),
  'repetitive lines, every 100th changed': (texts, run) =>
    texts.map((_text, at) => (at % 100 === run ? 'x' : ['{', '}', '', 'return;'][(at * 7 + (at >> 3)) % 4])),
};

/** Measures a changed file of 10,000 lines, from its text to the step of each line: fingerprints, matching, marks. */
export async function measureProvenance({ quick }) {
  const { textAfterChange, fingerprints, isStep, markedText, FolderProvenance } = await load();
  const rows = [];
  for (const [name, change] of Object.entries(changes)) {
    const texts = name.startsWith('repetitive')
      ? change(Array(lines).fill(''), -1)
      : Array.from({ length: lines }, (_, number) => line(number));
    const whole = markedText(texts.join('\n'), 'unknown');
    const before = {
      lines: whole.lines,
      origins: whole.origins.map((origin, at) => (at % 2 === 0 ? origin : { session: 's', action: `call_${at % 50}` })),
    };
    const times = [];
    for (let run = 0; run < (quick ? runs / 4 : runs); run++) {
      const text = change(texts, run).join('\n');
      const started = performance.now();
      const after = textAfterChange(before, fingerprints(text), 'person');
      times.push(performance.now() - started);
      if (name !== 'file rewritten' && after.origins.filter(isStep).length < (lines / 2) * 0.9)
        throw new Error(`${name}: marks were lost.`);
    }
    rows.push(
      { measure: `Provenance update, ${name}: median`, unit: 'ms', aim: 20, value: median(times) },
      { measure: `Provenance update, ${name}: 95th percentile`, unit: 'ms', aim: 20, value: quantile(times, 0.95) },
    );
  }
  return [...rows, ...(await measureCommands(FolderProvenance, quick ? 2_000 : 20_000))];
}

/**
 * Measures how long a command waits in a large repository, and how soon its lines are attributed.
 *
 * @param {Modules['FolderProvenance']} FolderProvenance
 */
async function measureCommands(FolderProvenance, files) {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-bench-')));
  const [work, kept] = [path.join(folder, 'work'), path.join(folder, 'kept')];
  const by = (number) => ({ session: 's', action: `call_${number}` });
  try {
    for (let at = 0; at < files / 100; at++) {
      fs.mkdirSync(path.join(work, `src/part${at}`), { recursive: true });
      for (let file = 0; file < 100; file++)
        fs.writeFileSync(
          path.join(work, `src/part${at}/file${file}.ts`),
          Array.from({ length: 20 }, (_, number) => line(number + file)).join('\n') + '\n',
        );
    }
    const git = (...args) =>
      execFileSync(
        'git',
        ['-c', 'user.name=B', '-c', 'user.email=b@example.org', '-c', 'commit.gpgsign=false', ...args],
        { cwd: work, stdio: ['ignore', 'ignore', 'inherit'] },
      );
    git('init', '-q');
    git('add', '-A');
    git('commit', '-qm', 'All.');
    const provenance = new FolderProvenance(work, kept, undefined, (problem) => {
      throw problem;
    });
    const began = performance.now();
    await provenance.begin();
    const reading = performance.now() - began;
    const waits = [];
    const knows = [];
    for (let run = 0; run < runs; run++) {
      const started = performance.now();
      const ended = await provenance.commandBegan(by(run));
      waits.push(performance.now() - started);
      const name = `src/part${run % 20}/file${run % 100}.ts`;
      fs.appendFileSync(path.join(work, name), `const written${run} = true;\n`);
      ended();
      await new Promise((resolve) => {
        setTimeout(resolve, 15);
      });
      const told = performance.now();
      provenance.fileChanged(name);
      await provenance.settled();
      knows.push(performance.now() - told);
      const marks = await provenance.marksOf(name, fs.readFileSync(path.join(work, name), 'utf8'), false);
      if (marks?.origins.at(-1)?.action !== `call_${run}`)
        throw new Error('The line written by a command was not attributed.');
    }
    const name = `Provenance, repository of ${files.toLocaleString('en')} files`;
    return [
      { measure: `${name}: delay of a command (median)`, unit: 'ms', aim: 5, value: median(waits) },
      { measure: `${name}: delay of a command (95th percentile)`, unit: 'ms', value: quantile(waits, 0.95) },
      { measure: `${name}: attribute a command’s lines, in the background (median)`, unit: 'ms', value: median(knows) },
      { measure: `${name}: initial read, during the first model call`, unit: 'ms', value: reading },
    ];
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
