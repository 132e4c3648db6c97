// Builds and packs installable extensions; for this machine's platform by default.
//   npm run package [-- --target linux-x64|…|universal|all]
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildAll } from '../../esbuild.js';
import { writeNotice } from './notice.mjs';
import { PLATFORMS } from './natives.mjs';
import { packVsix } from './vsix.mjs';
import { root } from '../repository.mjs';

const {
  values: { target = `${process.platform}-${process.arch}` },
} = parseArgs({ options: { target: { type: 'string' } } });
const all = [...PLATFORMS, 'universal'];
if (target !== 'all' && !all.includes(target)) {
  console.error(`There is no target ${target}. There are: ${all.join(', ')}, and all.`);
  process.exit(1);
}
await buildAll();
await writeNotice();
for (const one of target === 'all' ? all : [target]) {
  const file = await packVsix({ target: one });
  console.log(`${(fs.statSync(file).size / 1e6).toFixed(2).padStart(6)} MB  ${path.relative(root, file)}`);
}
