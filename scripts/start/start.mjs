// `npm start`: downloads what is missing, builds, and opens VS Code with Waymark on a fresh copy of examples/first-run.
//   npm start                  desktop VS Code if available, else a VS Code server and its address
//   npm start -- --server      always the server
//   npm start -- --restricted  the server, with workspace trust on
//   npm start -- --run         performs the main job unattended and prints each step; exit code 0 only if the example was repaired
import { parseArgs } from 'node:util';
import { ensureChromium } from '../host/chromium.mjs';
import { ensurePackages } from '../host/packages.mjs';
import { ensureTools } from '../host/tools.mjs';
import { report } from '../host/report.mjs';
import { root } from '../repository.mjs';
import { copyExample } from './example.mjs';

process.on('uncaughtException', (error) => {
  console.error(error.message);
  process.exit(1);
});

const { values } = parseArgs({
  options: { run: { type: 'boolean' }, server: { type: 'boolean' }, restricted: { type: 'boolean' } },
});
await ensurePackages(root);
const { buildAll } = await import('../../esbuild.js');
await buildAll();
report('built');

if (values.run) {
  const [{ runMainJob }] = await Promise.all([import('./mainJob.mjs'), ensureTools(), ensureChromium()]);
  process.exit((await runMainJob()) ? 0 : 1);
}
const folder = copyExample();
const { openDesktop } = await import('./openDesktop.mjs');
if (values.server || values.restricted || !(await openDesktop(folder))) {
  const { serveExample } = await import('./serveExample.mjs');
  await serveExample(folder, { trust: values.restricted === true });
}
