// Generates JSON schemas from the code that reads the data: of Waymark's files in a repository, in media/schemas/, and
// of its events, in docs/.
//   node scripts/schemas.mjs [--check]
import * as esbuild from 'esbuild';
import fs from 'node:fs';
import { pathToFileURL } from 'node:url';
import { at, root } from './repository.mjs';
import { eventSchema } from './schemas/eventSchema.mjs';

/**
 * ★ The schemas: the file, where its source is, and an expression that makes it (`z` is zod).
 * `contributes.jsonValidation` of package.json says which files they are for.
 */
const sources = [
  {
    file: 'hooks.schema.json',
    imports: "import { hookFileSchema } from './src/core/hooks/hookFile';",
    schema: "z.toJSONSchema(hookFileSchema, { target: 'draft-7', io: 'input' })",
  },
  {
    file: 'mcp.schema.json',
    imports: "import { ServerFile } from './src/core/mcp/serverFile';",
    schema: "z.toJSONSchema(ServerFile, { target: 'draft-7', io: 'input' })",
  },
  ...['skill', 'rules', 'persona'].map((kind) => ({
    file: `${kind}.schema.json`,
    imports: "import { skillSchema } from './src/core/skills/fieldWords';",
    schema: `skillSchema('${kind}')`,
  })),
];

/** Returns the exports of the protocol's sources, and their text. */
async function protocolOf(folder) {
  const files = ['event', 'beginning', 'reply', 'result', 'details', 'confirmation', 'hookRan', 'risk'];
  const source = [...files, 'eventWords'].map((file) => `export * from './src/protocol/events/${file}';`).join('\n');
  const modules = await imported(`${folder}/protocol.mjs`, source);
  const texts = files.map((file) => fs.readFileSync(at(`src/protocol/events/${file}.ts`), 'utf8'));
  return { modules, texts, words: modules.eventWords, version: modules.eventsVersion };
}

/** Returns the exports of a piece of TypeScript, resolved from the root of the repository. */
async function imported(outfile, contents) {
  const stdin = { contents, resolveDir: root, loader: 'ts' };
  await esbuild.build({
    absWorkingDir: root,
    stdin,
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'warning',
  });
  return import(pathToFileURL(outfile).href);
}

/** Returns the text of each schema, by path. */
export async function schemas() {
  const folder = fs.mkdtempSync(at('out', 'schemas-'));
  const text = (schema) => `${JSON.stringify(schema, null, 2)}\n`;
  try {
    const result = {};
    for (const { file, imports, schema } of sources) {
      const made = await imported(
        `${folder}/${file}.mjs`,
        `import * as z from 'zod';\n${imports}\nexport const schema = ${schema};`,
      );
      result[`media/schemas/${file}`] = text(made.schema);
    }
    result['docs/events.schema.json'] = text(eventSchema(await protocolOf(folder)));
    return result;
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

fs.mkdirSync(at('out'), { recursive: true });
const made = await schemas();
const written = (file) => {
  try {
    return fs.readFileSync(at(file), 'utf8');
  } catch {
    return '';
  }
};
const stale = Object.keys(made).filter((file) => written(file) !== made[file]);
if (process.argv.includes('--check')) {
  if (stale.length > 0) console.error(`Not up to date: ${stale.join(', ')}. Run node scripts/schemas.mjs.`);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  fs.mkdirSync(at('media/schemas'), { recursive: true });
  for (const file of stale) fs.writeFileSync(at(file), made[file]);
  console.log(stale.length > 0 ? `Written: ${stale.join(', ')}.` : 'All up to date.');
}
