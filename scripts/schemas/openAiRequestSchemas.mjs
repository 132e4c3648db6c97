// Derives JSON Schemas of OpenAI's requests from its published API description, so that tests can validate recorded
// requests:
//   node scripts/schemas/openAiRequestSchemas.mjs openapi.json COMMIT > test/fixtures/openai/requestSchemas.json
// The description is at https://github.com/openai/openai-openapi (MIT licence). Unlike there, every object is closed:
// unknown keys are refused, as the service does.
import fs from 'node:fs';

const [file, commit] = process.argv.slice(2);
if (!file || !commit) throw new Error('Name the API description and the commit it is from.');
const description = JSON.parse(fs.readFileSync(file, 'utf8'));
const schemas = description.components.schemas;

const roots = { chat: 'CreateChatCompletionRequest', responses: 'CreateResponse' };

/** Documentation and annotations, and what would need a validator plug-in. */
const dropped = new Set([
  'description',
  'title',
  'example',
  'examples',
  'default',
  'deprecated',
  'discriminator',
  'externalDocs',
  'format',
  'nullable',
  '$recursiveAnchor',
]);
const isDropped = (key) => dropped.has(key) || key.startsWith('x-');

const nameIn = (ref) => ref.replace('#/components/schemas/', '');
const needed = new Set();
/** Name of the schema that is being closed, to which `$recursiveRef` refers. */
let current;

/** Returns the schema with refs into `$defs`, `allOf` merged, and every object that names its properties closed. */
function closed(schema) {
  if (typeof schema === 'boolean') return schema;
  if (schema.$ref) {
    needed.add(nameIn(schema.$ref));
    return { $ref: `#/$defs/${nameIn(schema.$ref)}` };
  }
  if (schema.$recursiveRef === '#') return { $ref: `#/$defs/${current}` };
  const { allOf, properties, oneOf, anyOf, items, additionalProperties, not, ...rest } = merged(schema);
  if (allOf) throw new Error(`This cannot be closed: ${JSON.stringify(schema).slice(0, 200)}`);
  const kept = Object.fromEntries(Object.entries(rest).filter(([key]) => !isDropped(key)));
  // Variants may overlap without their discriminator, so `anyOf` is enough.
  const variants = (oneOf ?? anyOf)?.map(closed);
  // An object without named properties is a map: the schema of a tool's arguments.
  const namesProperties = Object.keys(properties ?? {}).length > 0;
  const isOpenToVariants = variants?.some((variant) => variant.properties) ?? false;
  return {
    ...kept,
    ...(namesProperties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, closed(one)])),
    }),
    ...(variants && { anyOf: variants }),
    ...(items && { items: closed(items) }),
    ...(not && { not: closed(not) }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === 'object' ? closed(additionalProperties) : additionalProperties,
    }),
    ...(namesProperties && additionalProperties === undefined && !isOpenToVariants && { additionalProperties: false }),
  };
}

/** Returns the schema with its `allOf`, references included, merged into one object. */
function merged(schema) {
  if (!schema.allOf) return schema;
  const { allOf, ...own } = schema;
  const members = [...allOf.map((member) => merged(member.$ref ? schemas[nameIn(member.$ref)] : member)), own];
  const single = allOf.length === 1 && !own.properties;
  if (single) return { ...members[0], ...own };
  if (members.some((member) => member.oneOf || member.anyOf))
    throw new Error(`Variants inside allOf: ${JSON.stringify(schema).slice(0, 200)}`);
  return {
    ...Object.assign({}, ...members),
    properties: Object.assign({}, ...members.map((member) => member.properties)),
    required: [...new Set(members.flatMap((member) => member.required ?? []))],
  };
}

const found = {};
for (const name of Object.values(roots)) needed.add(name);
for (const name of needed) {
  current = name;
  found[name] = closed(schemas[name]);
}

// The service accepts encrypted reasoning back without its id if it stores nothing: OpenAI's own Codex omits the id
// (openai/codex, codex-rs/protocol/src/models.rs), which would refer to something that was not stored.
found.ReasoningItem.required = found.ReasoningItem.required.filter((key) => key !== 'id');

const about = [
  `Derived by scripts/schemas/openAiRequestSchemas.mjs from the API description ${description.info.version} of OpenAI,`,
  `https://github.com/openai/openai-openapi at ${commit}: the schemas of two requests, without words, with every object closed,`,
  'and with reasoning items whose id may be left out.',
  'MIT License, Copyright (c) OpenAI (https://openai.com); the whole text is in LICENSE beside this file.',
].join(' ');
const references = Object.fromEntries(Object.entries(roots).map(([key, name]) => [key, { $ref: `#/$defs/${name}` }]));
process.stdout.write(
  `${JSON.stringify({ $comment: about, $schema: 'https://json-schema.org/draft/2020-12/schema', properties: references, $defs: found })}\n`,
);
