// Bundles test/**/*.test.ts (all but those that need a real VS Code) and runs mocha on them.
//   node scripts/unit.mjs [--grep TEXT] [--except PATH] [folder or file below test/ …]
import * as esbuild from 'esbuild';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { at, root } from './repository.mjs';

const { values, positionals } = parseArgs({ options: { grep: { type: 'string' }, except: { type: 'string', multiple: true } }, allowPositionals: true });
const below = name => at(name.startsWith('test/') ? name : path.join('test', name));
const wanted = positionals.map(below);
const unwanted = ['test/host', 'test/window', 'test/support', 'test/fixtures', ...values.except ?? []].map(below);
const inside = (file, places) => places.some(place => file === place || file.startsWith(place + path.sep));

const tests = fs.readdirSync(at('test'), { recursive: true, encoding: 'utf8' })
  .map(name => at('test', name))
  .filter(file => /\.test\.tsx?$/.test(file) && !inside(file, unwanted))
  .filter(file => wanted.length === 0 || wanted.some(want => file.startsWith(want)));
if (tests.length === 0) { console.error('No test file matches.'); process.exit(1); }

// Each run has its own folder, so that two at once do not pull the files from under each other.
fs.mkdirSync(at('out'), { recursive: true });
const out = fs.mkdtempSync(at('out', 'unit-'));
process.once('exit', () => fs.rmSync(out, { recursive: true, force: true }));
await esbuild.build({
  absWorkingDir: root, entryPoints: tests, outdir: out, outbase: 'test', bundle: true, splitting: true, format: 'esm', platform: 'node', target: 'node22',
  sourcemap: 'inline', external: ['node-pty', 'mocha', 'esbuild', 'typescript', 'playwright-core', 'happy-dom', 'jsdom', 'axe-core', '@vscode/ripgrep-universal'],
  jsx: 'automatic', jsxImportSource: 'preact', outExtension: { '.js': '.mjs' }, loader: { '.css': 'empty', '.ttf': 'empty' },
  alias: { react: 'preact/compat', 'react-dom': 'preact/compat', 'react/jsx-runtime': 'preact/jsx-runtime' },
  banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
  define: { 'process.env.REPOSITORY': JSON.stringify(root) }, logLevel: 'warning',
});
// The tests start it as a worker, as the extension does.
await esbuild.build({
  absWorkingDir: root, entryPoints: { pdfWorker: 'src/adapters/documents/pdfWorker.ts' }, outdir: out, bundle: true, format: 'esm', platform: 'node', target: 'node22',
  outExtension: { '.js': '.mjs' }, logLevel: 'warning',
});
const bundled = tests.map(file => path.join(out, path.relative(at('test'), file).replace(/\.tsx?$/, '.mjs')));
const ran = spawnSync(process.execPath, ['--enable-source-maps', at('scripts/mocha.mjs'), ...(values.grep ? ['--grep', values.grep] : []), ...bundled], { cwd: root, stdio: 'inherit' });
process.exit(ran.status ?? 1);
