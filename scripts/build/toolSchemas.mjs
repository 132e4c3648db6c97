import * as esbuild from 'esbuild';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { at, root } from '../repository.mjs';

/** esbuild plugin: fills in `builtSchemas` with the JSON Schema of each tool, computed from the same sources. */
export const toolSchemas = {
  name: 'tool-schemas',
  setup(build) {
    build.onLoad({ filter: /[\\/]src[\\/]core[\\/]tools[\\/]calls[\\/]builtSchemas\.ts$/ }, async ({ path: file }) => {
      const source = fs.readFileSync(file, 'utf8');
      const empty = 'Readonly<Record<string, string>> = {};';
      if (!source.includes(empty)) throw new Error(`${file} has no empty list of schemas to fill in.`);
      const filled = `Readonly<Record<string, string>> = ${JSON.stringify(await (known ??= computed()))};`;
      return { contents: source.replace(empty, () => filled), loader: 'ts' };
    });
  },
};

/** The sources do not change while they are built. */
let known;

async function computed() {
  fs.mkdirSync(at('out'), { recursive: true });
  const folder = fs.mkdtempSync(at('out', 'schemas-'));
  try {
    const outfile = path.join(folder, 'tools.mjs');
    const contents = [
      "export { knownToolsets } from './src/core/tools/toolsets';",
      "export { builtName } from './src/core/tools/calls/builtSchemas';",
    ].join('\n');
    await esbuild.build({
      absWorkingDir: root,
      stdin: { contents, resolveDir: root, loader: 'ts' },
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      logLevel: 'warning',
    });
    const { knownToolsets, builtName } = await import(pathToFileURL(outfile).href);
    return schemasOf(
      knownToolsets.flatMap(({ tools }) => tools),
      builtName,
    );
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function schemasOf(tools, builtName) {
  const schemas = {};
  for (const tool of new Set(tools)) {
    const name = builtName(tool.name, tool.description);
    if (Object.hasOwn(schemas, name)) throw new Error(`Two tools are called ${name}`);
    schemas[name] = JSON.stringify(tool.parameters);
  }
  return schemas;
}
