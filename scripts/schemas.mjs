// JSON schemas of the files that a repository keeps for Waymark, made of what reads them, in media/schemas/.
//   node scripts/schemas.mjs [--check]
import * as esbuild from 'esbuild';
import fs from 'node:fs';
import { pathToFileURL } from 'node:url';
import { at, root } from './repository.mjs';

/** ★ The schemas: the file, where its source is, and an expression that makes it (`z` is zod). `contributes.jsonValidation` of package.json says which files they are for. */
const sources = [
  { file: 'hooks.schema.json', imports: "import { HookFile } from './src/core/hooks/hookFile';", schema: "z.toJSONSchema(HookFile, { target: 'draft-7', io: 'input' })" },
  { file: 'mcp.schema.json', imports: "import { ServerFile } from './src/core/mcp/serverFile';", schema: "z.toJSONSchema(ServerFile, { target: 'draft-7', io: 'input' })" },
  ...['skill', 'rules', 'persona'].map(kind => ({ file: `${kind}.schema.json`, imports: "import { skillSchema } from './src/core/skills/fieldWords';", schema: `skillSchema('${kind}')` })),
];

export async function schemas() {
  const folder = fs.mkdtempSync(at('out', 'schemas-'));
  try {
    const result = {};
    for (const { file, imports, schema } of sources) {
      const outfile = `${folder}/${file}.mjs`;
      await esbuild.build({ absWorkingDir: root, stdin: { contents: `import * as z from 'zod';\n${imports}\nexport const schema = ${schema};`, resolveDir: root, loader: 'ts' }, outfile, bundle: true, format: 'esm', platform: 'node', packages: 'external', logLevel: 'warning' });
      result[file] = `${JSON.stringify((await import(pathToFileURL(outfile).href)).schema, null, 2)}\n`;
    }
    return result;
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

fs.mkdirSync(at('out'), { recursive: true });
const made = await schemas();
const place = file => at('media/schemas', file);
const text = file => { try { return fs.readFileSync(place(file), 'utf8'); } catch { return ''; } };
const stale = Object.keys(made).filter(file => text(file) !== made[file]);
if (process.argv.includes('--check')) {
  if (stale.length > 0) console.error(`Not up to date: ${stale.join(', ')}. Run node scripts/schemas.mjs.`);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  fs.mkdirSync(at('media/schemas'), { recursive: true });
  for (const file of stale) fs.writeFileSync(place(file), made[file]);
  console.log(stale.length > 0 ? `Written: ${stale.join(', ')}.` : 'All up to date.');
}
