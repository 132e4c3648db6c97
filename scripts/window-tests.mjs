// Packs the build, installs it into real VS Code windows and runs test/window on them. Needs a build.
//   node scripts/window-tests.mjs [--grep TEXT] [--target universal] [file below test/window …]
import * as esbuild from 'esbuild';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { steadyPorts } from './host/server.mjs';
import { packVsix } from './package/vsix.mjs';
import { at, root } from './repository.mjs';
import { runParts } from './testParts.mjs';

const options = {
  grep: { type: 'string' },
  target: { type: 'string', default: `${process.platform}-${process.arch}` },
};
const {
  values: { grep, target },
  positionals,
} = parseArgs({ options, allowPositionals: true });
const tests = fs
  .readdirSync(at('test/window'), { recursive: true, encoding: 'utf8' })
  .filter(
    (name) =>
      name.endsWith('.test.ts') &&
      (positionals.length === 0 || positionals.some((want) => name.startsWith(want.replace(/^(test\/)?window\//, '')))),
  );
if (tests.length === 0) {
  console.error('No window test matches.');
  process.exit(1);
}

/** Several, so that a lane that ends early can take the next part. */
const partsPerLane = 5;
const out = at('out/window');
fs.rmSync(out, { recursive: true, force: true });
await esbuild.build({
  absWorkingDir: root,
  entryPoints: tests.map((name) => at('test/window', name)),
  outdir: out,
  outbase: at('test/window'),
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  sourcemap: 'linked',
  sourcesContent: false,
  outExtension: { '.js': '.mjs' },
  packages: 'external',
  define: { 'process.env.REPOSITORY': JSON.stringify(root) },
  logLevel: 'warning',
});
const vsix = await packVsix({ target, outdir: out });
const sources = new Map(tests.map((name) => [path.join(out, name.replace(/\.ts$/, '.mjs')), name]));
const workers = Math.min(windowLanes(), tests.length);
// Outside the repository, whose packages an extension would otherwise find.
const kept = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'wm-kept-'));
process.once('exit', () => fs.rmSync(kept, { recursive: true, force: true, maxRetries: 5 }));
const ports = await steadyPorts(workers);
process.exitCode = await runParts(partsOf([...sources.keys()], workers * partsPerLane), {
  workers,
  folder: out,
  sourceOf: (file) => sources.get(file) ?? file,
  options: grep ? ['--grep', grep] : [],
  env: {
    MOCHA_REPORTER: process.env.MOCHA_REPORTER ?? 'spec',
    NODE_COMPILE_CACHE: path.join(out, 'compiled'),
  },
  envOf: (worker) => ({
    WAYMARK_LANE: JSON.stringify({ vsix, kept, port: ports[worker], profile: path.join(kept, `profile-${worker}`) }),
  }),
  ...(workers === 1 && { onOutput: (text) => process.stdout.write(text) }),
});

/** Number of windows open in parallel: one per CPU, since each window keeps one busy while it starts. */
function windowLanes() {
  const wanted = Number(process.env.WINDOW_LANES);
  return wanted > 0 ? wanted : Math.min(os.availableParallelism(), 4);
}

/**
 * Divides the files into at most `count` parts of about the same estimated duration, longest first. The files of a part
 * share a process and its browser, whose start takes a third of the CPU time of a first window. Files whose suites share
 * a window are in one part, one after the other.
 */
function partsOf(files, count) {
  const byWindow = new Map();
  for (const file of files) {
    const window = sharedAs(file) ?? file;
    byWindow.set(window, [...(byWindow.get(window) ?? []), file]);
  }
  const groups = [...byWindow.values()]
    .map((together) => ({ together, seconds: together.reduce((sum, file) => sum + secondsOf(file), 0) }))
    .toSorted((a, b) => b.seconds - a.seconds);
  const parts = Array.from({ length: Math.min(count, groups.length) }, () => ({ files: [], seconds: 0 }));
  for (const { together, seconds } of groups) {
    const least = parts.reduce((one, other) => (other.seconds < one.seconds ? other : one));
    least.files.push(...together);
    least.seconds += seconds;
  }
  return parts.toSorted((a, b) => b.seconds - a.seconds).map((part) => part.files);
}

/** The name under which suites of a file share a window, if they do. */
function sharedAs(file) {
  return /\buseSharedWindow\('(\w+)'/.exec(fs.readFileSync(at('test/window', sources.get(file)), 'utf8'))?.[1];
}

/** Estimated duration of a file in seconds, by what it does: the longest start first. */
function secondsOf(file) {
  const source = fs.readFileSync(at('test/window', sources.get(file)), 'utf8');
  const count = (pattern) => source.match(pattern)?.length ?? 0;
  const windows = count(/\buse(?:Agent)?Window\(/g);
  const reloads = count(/\b(?:reload|changeSettings|newPage)\(/g);
  return 10 * windows + 5 * reloads + 3 * count(/\bit\(/g);
}
