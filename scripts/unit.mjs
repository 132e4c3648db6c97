// Bundles test/**/*.test.ts (all but those that need a real VS Code) and runs mocha on them.
//   node scripts/unit.mjs [--grep TEXT] [--except PATH] [folder or file below test/ …]
import * as esbuild from 'esbuild';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { run } from './host/processes.mjs';
import { at, root } from './repository.mjs';

const { values, positionals } = parseArgs({
  options: { grep: { type: 'string' }, except: { type: 'string', multiple: true } },
  allowPositionals: true,
});
const below = (name) => at(name.startsWith('test/') ? name : path.join('test', name));
const wanted = positionals.map(below);
const unwanted = ['test/host', 'test/window', 'test/support', 'test/fixtures', ...(values.except ?? [])].map(below);
const inside = (file, places) => places.some((place) => file === place || file.startsWith(place + path.sep));

const tests = fs
  .readdirSync(at('test'), { recursive: true, encoding: 'utf8' })
  .map((name) => at('test', name))
  .filter((file) => /\.test\.tsx?$/.test(file) && !inside(file, unwanted))
  .filter((file) => wanted.length === 0 || wanted.some((want) => file.startsWith(want)));
if (tests.length === 0) {
  console.error('No test file matches.');
  process.exit(1);
}

// Each run has its own folder, so that two at once do not pull the files from under each other.
fs.mkdirSync(at('out'), { recursive: true });
const out = fs.mkdtempSync(at('out', 'unit-'));
process.once('exit', () => fs.rmSync(out, { recursive: true, force: true }));
await esbuild.build({
  absWorkingDir: root,
  entryPoints: tests,
  outdir: out,
  outbase: 'test',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  sourcemap: 'inline',
  external: [
    'node-pty',
    'mocha',
    'esbuild',
    'typescript',
    'playwright-core',
    'happy-dom',
    'jsdom',
    'axe-core',
    '@vscode/ripgrep-universal',
  ],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  outExtension: { '.js': '.mjs' },
  loader: { '.css': 'empty', '.ttf': 'empty' },
  alias: { react: 'preact/compat', 'react-dom': 'preact/compat', 'react/jsx-runtime': 'preact/jsx-runtime' },
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  define: { 'process.env.REPOSITORY': JSON.stringify(root) },
  logLevel: 'warning',
});
// The tests start it as a worker, as the extension does.
await esbuild.build({
  absWorkingDir: root,
  entryPoints: { pdfWorker: 'src/adapters/documents/pdfWorker.ts' },
  outdir: out,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  outExtension: { '.js': '.mjs' },
  logLevel: 'warning',
});
const bundleOf = (file) => path.join(out, path.relative(at('test'), file).replace(/\.tsx?$/, '.mjs'));
const bundled = tests.map(bundleOf);
const sourceOf = new Map(tests.map((file) => [bundleOf(file), path.relative(at('test'), file)]));
const mocha = ['--enable-source-maps', at('scripts/mocha.mjs'), ...(values.grep ? ['--grep', values.grep] : [])];
process.exitCode = wanted.length > 0 ? inOneProcess(bundled) : await onAllCores(bundled);

/** Runs the files one after the other and shows what they print as they print it. Answers the exit code. */
function inOneProcess(files) {
  const ran = spawnSync(process.execPath, [...mocha, ...files], { cwd: root, stdio: 'inherit' });
  const figures = process.env.WAYMARK_TEST_RESULT;
  if (figures && fs.existsSync(figures)) {
    const told = JSON.parse(fs.readFileSync(figures, 'utf8'));
    fs.writeFileSync(figures, JSON.stringify({ ...told, failing: inSources(told.failing) }));
  }
  return ran.status ?? 1;
}

/** The failed tests with the files they are written in instead of the bundles that ran. */
function inSources(failing = []) {
  return failing.map((test) => ({ ...test, file: sourceOf.get(test.file) ?? test.file }));
}

/**
 * Runs the files in parts, as many parts at once as there are cores (four at most), and adds
 * up their figures. Answers the exit code.
 */
async function onAllCores(files) {
  const partSize = 8;
  const parts = [];
  for (let from = 0; from < files.length; from += partSize) parts.push(files.slice(from, from + partSize));
  const sum = {};
  let status = 0;
  const inTurn = async () => {
    for (let part = parts.shift(); part; part = parts.shift()) {
      const figures = path.join(out, `${path.basename(part[0])}.${parts.length}.json`);
      const { code, output } = await run(process.execPath, [...mocha, ...part], {
        cwd: root,
        env: { ...process.env, WAYMARK_TEST_RESULT: figures },
      });
      process.stdout.write(output);
      if (code !== 0) status = 1;
      const told = fs.existsSync(figures) ? JSON.parse(fs.readFileSync(figures, 'utf8')) : {};
      for (const name of ['passes', 'failures', 'pending']) sum[name] = (sum[name] ?? 0) + (told[name] ?? 0);
      sum.failing = [...(sum.failing ?? []), ...inSources(told.failing)];
      // A process that ended badly without a failed test crashed: its tests were not all run.
      if (code !== 0 && !told.failures) sum.crashed = true;
      for (const [file, ms] of Object.entries(told.fileMs ?? {}))
        sum.fileMs = { ...sum.fileMs, [sourceOf.get(file) ?? file]: ms };
      sum.slowest = [...(sum.slowest ?? []), ...(told.slowest ?? [])].sort((a, b) => b.ms - a.ms).slice(0, 20);
      if (process.env.WAYMARK_TEST_RESULT) fs.writeFileSync(process.env.WAYMARK_TEST_RESULT, JSON.stringify(sum));
    }
  };
  await Promise.all(Array.from({ length: Math.min(4, os.availableParallelism()) }, inTurn));
  return status;
}
