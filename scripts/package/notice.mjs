// Writes NOTICE: every package whose code is shipped, with its licence, as determined from the bundles. Packaging runs
// it, so it is never committed and always up to date.
//   node scripts/package/notice.mjs
import * as esbuild from 'esbuild';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundles } from '../../esbuild.js';
import { at } from '../repository.mjs';

/** Shipped in addition to the bundles. */
const NATIVE = ['node-pty', '@vscode/ripgrep-universal', '@vscode/codicons', '@vscode/tree-sitter-wasm', 'unpdf'];

const head = `Waymark contains or comes with the following packages. Their licences apply to them.
Codicons are licensed under CC-BY-4.0 by Microsoft; DOMPurify is used under Apache-2.0;
unpdf holds PDF.js by the Mozilla Foundation, which is licensed under Apache-2.0.
`;

/** Builds in memory: the files in dist/ may be in use. */
export async function writeNotice() {
  const results = await Promise.all(bundles.map((options) => esbuild.build({ ...options, write: false })));
  const bundled = results
    .flatMap(({ metafile }) => Object.keys(metafile.inputs))
    .flatMap((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []);
  const names = [...new Set([...bundled, ...NATIVE])].sort();
  const line = '-'.repeat(80);
  fs.writeFileSync(at('NOTICE'), [head, ...names.map(entry)].join(`\n${line}\n\n`));
}

/** Returns a package with its version, home page and licence texts. */
function entry(name) {
  const folder = at('node_modules', name);
  const { version, license, repository } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const address = typeof repository === 'string' ? repository : (repository?.url ?? '');
  const home = address.replace(/^git\+/, '').replace(/\.git$/, '');
  const texts = fs
    .readdirSync(folder)
    .filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
    .map((file) => fs.readFileSync(path.join(folder, file), 'utf8').replaceAll('\r', '').trim());
  return [`${name} ${version} (${license})`, home, '', ...texts, ''].join('\n');
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await writeNotice();
