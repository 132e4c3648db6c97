import fs from 'node:fs';
import { buildAll } from '../../esbuild.js';
import { at } from '../../scripts/repository.mjs';

/** Builds what is shipped and measures its size: an entry with everything that it imports statically. */
export async function measureBundles() {
  const outputs = Object.assign({}, ...(await buildAll()).map(({ outputs: some }) => some));
  const kb = (files) => [...files].reduce((sum, file) => sum + outputs[file].bytes, 0) / 1000;
  const startOf = (file, found = new Set()) => {
    if (found.has(file)) return found;
    found.add(file);
    for (const { path, kind, external } of outputs[file].imports)
      if (kind === 'import-statement' && !external) startOf(path, found);
    return found;
  };
  const chunks = Object.keys(outputs).filter((file) => /^dist\/((?:chunks|cli)\/.*|extension|cli)\.js$/.test(file));
  return [
    {
      measure: 'extension.js with its static imports',
      unit: 'KB',
      aim: 115,
      value: kb(startOf('dist/extension.js')),
    },
    { measure: 'cli.js with its static imports', unit: 'KB', value: kb(startOf('dist/cli.js')) },
    { measure: 'All code of the extension and the command line', unit: 'KB', value: kb(chunks) },
    { measure: 'panel.js', unit: 'KB', value: fs.statSync(at('dist/webview/panel.js')).size / 1000 },
  ];
}
