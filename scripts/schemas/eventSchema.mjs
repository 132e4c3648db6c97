// The JSON schema of the output of `waymark run --json`, generated from the zod schemas of the protocol and their doc
// comments.
import * as z from 'zod';
import { declarationsIn, describe, eventFields } from './docComments.mjs';

/** Required and optional fields of every line, in addition to those of its event. */
const envelope = {
  seq: 'The place of the event in its log, from 0 without gaps. Order is by this number, not by the clock.',
  at: 'When it happened: milliseconds since 1970.',
  type: 'What happened. Skip types that you do not know.',
  foreign: 'What a file of another format said beside this event. Only in runs that were read from such a file.',
};
const child = {
  type: 'string',
  description:
    'The id of the session that the event belongs to, where it works for another one. Absent for events of the run itself.',
};

/** `modules`: the exports of the protocol; `texts`: its sources. */
export function eventSchema({ modules, texts, words, version }) {
  const declared = declarationsIn(texts);
  const registry = z.registry();
  const named = Object.entries(modules).filter(([name, value]) => value instanceof z.ZodType && name !== 'Event');
  for (const [name, schema] of named) registry.add(schema, { id: name });
  for (const option of modules.Event.options) registry.add(option, { id: option.shape.type.value });
  // Describes input, not output: fields may be added within a version, and no old schema may refuse them.
  const made = z.toJSONSchema(modules.Event, {
    target: 'draft-2020-12',
    io: 'input',
    metadata: registry,
    unrepresentable: 'any',
  });
  const { oneOf, $defs } = withoutIds(made);
  for (const [name, { expression, doc }] of declared) {
    if (!$defs[name]) continue;
    if (doc) $defs[name].description = doc;
    describe($defs[name], expression, declared);
  }
  for (const [type, fields] of eventFields(declared)) {
    const definition = $defs[type];
    definition.description = words[type];
    describe(definition, fields, declared);
    for (const [name, description] of Object.entries(envelope)) definition.properties[name].description = description;
    definition.properties.child = child;
  }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:waymark:events:${version}`,
    title: `Waymark events, version ${version}`,
    description:
      'One line that `waymark run --json` prints. Fields and types may be added within a version: ignore those that you do not know.',
    oneOf,
    $defs: Object.fromEntries(Object.entries($defs).sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** zod also writes the name of a definition into it. */
function withoutIds(schema) {
  for (const [name, definition] of Object.entries(schema.$defs)) if (definition.id === name) delete definition.id;
  return schema;
}
