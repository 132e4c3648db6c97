// Packs what was built, installs it into real VS Code windows and runs test/window on them. Needs a build.
//   node scripts/window-tests.mjs [--grep TEXT] [--target universal] [file below test/window …]
import * as esbuild from 'esbuild';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
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
const lanes = shareOut([...sources.keys()], windowLanes());
const prefixed = (text, lane) => text.replace(/^(?=.)/gm, `${lane + 1} │ `);
process.exitCode = await runParts(lanes, {
  workers: lanes.length,
  folder: out,
  sourceOf: (file) => sources.get(file) ?? file,
  options: grep ? ['--grep', grep] : [],
  env: { MOCHA_REPORTER: process.env.MOCHA_REPORTER ?? 'spec', WAYMARK_VSIX: vsix },
  onOutput: (text, lane) => process.stdout.write(lanes.length === 1 ? text : prefixed(text, lane)),
});

/**
 * How many windows may be open at once: one, unless somebody asks for more. Two are a third faster on two cores, but
 * then a key now and then reaches a list before the list has the focus.
 */
function windowLanes() {
  const wanted = Number(process.env.WINDOW_LANES);
  return wanted > 0 ? wanted : 1;
}

/** As many lists of files, each with about as many tests as the others. */
function shareOut(files, count) {
  const weightOf = (file) =>
    fs.readFileSync(at('test/window', sources.get(file)), 'utf8').match(/\bit\(/g)?.length ?? 1;
  const weights = new Map(files.map((file) => [file, weightOf(file)]));
  const shares = Array.from({ length: Math.min(count, files.length) }, () => ({ files: [], weight: 0 }));
  for (const file of files.toSorted((a, b) => weights.get(b) - weights.get(a))) {
    const lightest = shares.reduce((least, share) => (share.weight < least.weight ? share : least));
    lightest.files.push(file);
    lightest.weight += weights.get(file);
  }
  return shares.map((share) => share.files.toSorted());
}
