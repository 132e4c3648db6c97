// Writes NOTICE: every package whose code is shipped, with its licence, as the bundles themselves tell.
//   node scripts/notice.mjs [--check]   --check exits 1 where NOTICE misses a package or names one too many
import fs from 'node:fs';
import path from 'node:path';
import { buildAll } from '../esbuild.js';
import { at } from './repository.mjs';

/** Shipped beside the bundles. */
const NATIVE = ['node-pty', '@vscode/ripgrep-universal', '@vscode/codicons', '@vscode/tree-sitter-wasm', 'unpdf'];

const metafiles = await buildAll();
const bundled = metafiles
  .flatMap(({ inputs }) => Object.keys(inputs))
  .flatMap((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []);
const names = [...new Set([...bundled, ...NATIVE])].sort();

const entry = (name) => {
  const folder = at('node_modules', name);
  const { version, license, repository } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const home = typeof repository === 'string' ? repository : (repository?.url ?? '');
  const texts = fs
    .readdirSync(folder)
    .filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
    .map((file) => fs.readFileSync(path.join(folder, file), 'utf8').replaceAll('\r', '').trim());
  return [`${name} ${version} (${license})`, home.replace(/^git\+/, '').replace(/\.git$/, ''), '', ...texts, ''].join(
    '\n',
  );
};

const head = `Waymark contains or comes with the following packages. Their licences apply to them.\nCodicons are licensed under CC-BY-4.0 by Microsoft; DOMPurify is used under Apache-2.0;\nunpdf holds PDF.js by the Mozilla Foundation, which is licensed under Apache-2.0.\n`;
const text = [head, ...names.map(entry)].join(`\n${'-'.repeat(80)}\n\n`);
if (!process.argv.includes('--check')) fs.writeFileSync(at('NOTICE'), text);
else if (!fs.existsSync(at('NOTICE')) || fs.readFileSync(at('NOTICE'), 'utf8') !== text) {
  console.error('NOTICE is out of date. Run node scripts/notice.mjs.');
  process.exitCode = 1;
}
