// Packs what was built, installs it into real VS Code windows and runs test/window on them. Needs a build.
//   node scripts/window-tests.mjs [--grep TEXT] [--target universal] [file below test/window …]
import * as esbuild from 'esbuild';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { packVsix } from './package/vsix.mjs';
import { at, root } from './repository.mjs';

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
  sourcemap: 'inline',
  outExtension: { '.js': '.mjs' },
  packages: 'external',
  define: { 'process.env.REPOSITORY': JSON.stringify(root) },
  logLevel: 'warning',
});
const vsix = await packVsix({ target, outdir: out });
const files = tests.map((name) => path.join(out, name.replace(/\.ts$/, '.mjs')));
const ran = spawnSync(
  process.execPath,
  ['--enable-source-maps', at('scripts/mocha.mjs'), ...(grep ? ['--grep', grep] : []), ...files],
  { cwd: root, stdio: 'inherit', env: { MOCHA_REPORTER: 'spec', ...process.env, WAYMARK_VSIX: vsix } },
);
const figures = process.env.WAYMARK_TEST_RESULT;
if (figures && fs.existsSync(figures)) {
  const told = JSON.parse(fs.readFileSync(figures, 'utf8'));
  const sourceOf = (file) => path.relative(out, file).replace(/\.mjs$/, '.ts');
  const failing = (told.failing ?? []).map((test) => ({ ...test, file: sourceOf(test.file) }));
  fs.writeFileSync(figures, JSON.stringify({ ...told, failing }));
}
process.exit(ran.status ?? 1);
