// Bundles test/chaos and starts it; see test/chaos/main.ts.
//   npm run chaos [-- KIND …]      CHAOS_SEED=7 FAULTS_RUNS=100 CHAOS_JOBS=2
import * as esbuild from 'esbuild';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { at, root } from './repository.mjs';

fs.mkdirSync(at('out'), { recursive: true });
const out = fs.mkdtempSync(at('out', 'chaos-'));
process.once('exit', () => fs.rmSync(out, { recursive: true, force: true }));
process.once('SIGINT', () => process.exit(130));
const program = path.join(out, 'main.mjs');
const requireShim =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";
await esbuild.build({
  absWorkingDir: root,
  entryPoints: ['test/chaos/main.ts'],
  outfile: program,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  external: ['node-pty'],
  banner: { js: requireShim },
  define: { 'process.env.REPOSITORY': JSON.stringify(root) },
  logLevel: 'warning',
});
await import(pathToFileURL(program).href);
