// Bundles test/**/*.test.ts (all but those that need a window) and runs mocha on them.
//   node scripts/unit.mjs [--grep TEXT] [folder or file below test/ …]
import * as esbuild from 'esbuild';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const args = process.argv.slice(2);
const grepAt = args.indexOf('--grep');
const grep = grepAt >= 0 ? args.splice(grepAt, 2) : [];
const wanted = args.map(arg => path.resolve(root, arg.startsWith('test/') ? arg : path.join('test', arg)));
const needsWindow = /^test\/(host|window|support|fixtures)\//;

const tests = fs.readdirSync(path.join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .map(name => path.join('test', name))
  .filter(name => /\.test\.tsx?$/.test(name) && !needsWindow.test(name))
  .filter(name => wanted.length === 0 || wanted.some(want => path.join(root, name).startsWith(want)));
if (tests.length === 0) { console.error('No test file matches.'); process.exit(1); }

const out = path.join(root, 'out', wanted.length ? `unit-${process.pid}` : 'unit');
fs.rmSync(out, { recursive: true, force: true });
await esbuild.build({
  absWorkingDir: root, entryPoints: tests, outdir: out, outbase: 'test', bundle: true, splitting: true, format: 'esm', platform: 'node', target: 'node22',
  sourcemap: 'inline', external: ['node-pty', 'mocha', 'esbuild', 'playwright-core', 'happy-dom', 'jsdom', 'axe-core', '@vscode/ripgrep-universal'],
  jsx: 'automatic', jsxImportSource: 'preact', outExtension: { '.js': '.mjs' }, loader: { '.css': 'empty', '.ttf': 'empty' },
  alias: { react: 'preact/compat', 'react-dom': 'preact/compat', 'react/jsx-runtime': 'preact/jsx-runtime' },
  banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
  define: { 'process.env.REPOSITORY': JSON.stringify(root) }, logLevel: 'warning',
});
const ran = spawnSync(process.execPath, ['--enable-source-maps', path.join(root, 'node_modules/mocha/bin/mocha.js'), '--reporter', process.env.MOCHA_REPORTER ?? 'dot', '--timeout', '30000', '--forbid-only', ...grep, `${out}/**/*.test.mjs`], { cwd: root, stdio: 'inherit' });
if (wanted.length) fs.rmSync(out, { recursive: true, force: true });
process.exit(ran.status ?? 1);
