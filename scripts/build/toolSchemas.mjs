import fs from 'node:fs';
import { bundled } from './bundled.mjs';

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

/** The sources do not change during a build. */
let known;

async function computed() {
  const { knownToolsets, builtSchemaKey } = await bundled({
    'src/core/tools/toolsets': ['knownToolsets'],
    'src/core/tools/calls/builtSchemas': ['builtSchemaKey'],
  });
  return schemasOf(
    knownToolsets.flatMap(({ tools }) => tools),
    builtSchemaKey,
  );
}

function schemasOf(tools, builtSchemaKey) {
  const schemas = {};
  for (const tool of new Set(tools)) {
    const name = builtSchemaKey(tool.name, tool.description);
    if (Object.hasOwn(schemas, name)) throw new Error(`Two tools are called ${name}`);
    schemas[name] = JSON.stringify(tool.parameters);
  }
  return schemas;
}
