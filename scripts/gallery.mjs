// Draws every state of the panel in four themes at 280 and 600 px, and of the inspector wide and narrow, into
// out/gallery/ and checks each with axe.
//   node scripts/gallery.mjs [part of a scene's name] [theme] [language]
import * as esbuild from 'esbuild';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
process.env.REPOSITORY = root;
const outfile = path.join(root, `out/gallery-${process.pid}.mjs`);
await esbuild.build({
  entryPoints: [path.join(root, 'test/webview/gallery/gallery.ts')],
  outfile,
  bundle: true,
  format: 'esm',
  platform: 'node',
  external: ['esbuild', 'playwright-core', 'axe-core'],
  logLevel: 'warning',
});
const { drawGallery } = await import(pathToFileURL(outfile).href);
const [only, theme, language] = process.argv.slice(2);
const found = await drawGallery(path.join(root, 'out/gallery'), { only, theme, language });
(await import('node:fs')).rmSync(outfile, { force: true });
for (const line of found) console.log(line);
console.log(found.length ? `${found.length} things to mend.` : 'Nothing found. The pictures are in out/gallery/.');
process.exit(found.length ? 1 : 0);
