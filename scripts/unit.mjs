// Bundles test/**/*.test.ts (all but those that need a real VS Code) and runs mocha on them.
//   node scripts/unit.mjs [--grep TEXT] [--except PATH] [folder or file below test/ …]
import * as esbuild from 'esbuild';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { compiledCode } from './compiledCode.mjs';
import { at, root } from './repository.mjs';
import { runParts } from './testParts.mjs';
import { partsOf } from './stage/unitParts.mjs';

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

// Each run has its own folder, so that two concurrent runs do not overwrite each other's files.
fs.mkdirSync(at('out'), { recursive: true });
const out = fs.mkdtempSync(at('out', 'unit-'));
process.once('exit', () => fs.rmSync(out, { recursive: true, force: true }));
const keptCode = compiledCode(path.join(out, 'command-line'));
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
  // Read only for a test that fails: Node itself would read all of them.
  sourcemap: 'linked',
  sourcesContent: false,
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
const panelFolder = path.join(out, 'panel-site');
if (tests.some((file) => inside(file, ['test/webview', 'test/security/incidents'].map(below)))) {
  const { webview } = await import('../esbuild.js');
  await esbuild.build({ ...webview, outdir: panelFolder });
}
const codeFolder = await keptCode;
const bundleOf = (file) => path.join(out, path.relative(at('test'), file).replace(/\.tsx?$/, '.mjs'));
const sources = new Map(tests.map((file) => [bundleOf(file), path.relative(at('test'), file)]));
const sourceOf = (file) => sources.get(file) ?? file;
const bundled = [...sources.keys()];
const { parts, beside } = wanted.length > 0 ? { parts: [bundled], beside: [] } : partsOf(bundled, sourceOf);
process.exitCode = await runParts(parts, {
  // More than cores: many tests wait for a program that they started.
  workers: Math.min(8, os.availableParallelism() * 2),
  beside,
  folder: out,
  sourceOf,
  options: values.grep ? ['--grep', values.grep] : [],
  env: {
    NODE_COMPILE_CACHE: path.join(out, 'compiled'),
    ...(codeFolder !== undefined && { WAYMARK_TEST_CODE: codeFolder }),
    ...(fs.existsSync(panelFolder) && { WAYMARK_TEST_PANEL: panelFolder }),
  },
  ...(wanted.length > 0 && { onOutput: (text) => process.stdout.write(text) }),
});
