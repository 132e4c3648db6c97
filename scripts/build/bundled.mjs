import * as esbuild from 'esbuild';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { at, root } from '../repository.mjs';

/** Makes require() available to packages that are bundled into a module. */
const requireInModules =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";

/**
 * Bundles TypeScript sources and imports them. `sources`: the exports wanted, by module path from the root of the clone
 * without extension. Resolves to an object with all of these exports.
 */
export async function bundled(sources) {
  const contents = Object.entries(sources)
    .map(([source, names]) => `export { ${names.join(', ')} } from './${source}';`)
    .join('\n');
  // Inside the clone, so that packages that are not bundled are found.
  fs.mkdirSync(at('out'), { recursive: true });
  const folder = fs.mkdtempSync(at('out', 'bundled-'));
  try {
    const outfile = path.join(folder, 'bundled.mjs');
    await esbuild.build({
      absWorkingDir: root,
      stdin: { contents, resolveDir: root, loader: 'ts' },
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      external: ['@vscode/ripgrep-universal'],
      banner: { js: requireInModules },
      logLevel: 'warning',
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
