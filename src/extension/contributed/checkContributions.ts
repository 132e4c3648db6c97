// Other extensions pass untyped JavaScript objects. They are checked before use, and errors say what is wrong.

import type { Tool } from '../../../api/waymark';

type RawFields = Readonly<Record<string, unknown>>;

/**
 * Returns a frozen copy of the tool, so that later changes to the given object have no effect. Throws an `Error` if
 * something is missing. `taken`: names that are already registered.
 */
export function checkedTool(tool: unknown, taken: readonly string[]): Tool {
  const { name, description, parameters, effect, risk, run, summarize } = object(
    'registerTool',
    tool,
    {},
  ) as unknown as Tool;
  object(
    'registerTool',
    { name, description, parameters, run },
    { name: 'string', description: 'string', parameters: 'object', run: 'function' },
  );
  if (!/^[\w-]{1,60}$/.test(name))
    refuse('registerTool', `"${name}" cannot be the name of a tool`, 'Use 1 to 60 letters, digits, "_" and "-".');
  if (taken.includes(name))
    refuse(
      'registerTool',
      `a tool named "${name}" already exists`,
      'Rename it, preferably starting with the name of your extension, or dispose of the other one first.',
    );
  if (description.trim() === '')
    refuse(
      'registerTool',
      `"${name}" has no description`,
      'Describe what it does and when to use it: the model knows nothing else about it.',
    );
  oneOf('registerTool', { effect }, 'effect', ['reads', 'writes', 'executes']);
  oneOf('registerTool', { risk }, 'risk', ['low', 'medium', 'high']);
  if (summarize !== undefined && typeof summarize !== 'function')
    refuse(
      'registerTool',
      `the "summarize" of "${name}" is not a function`,
      'Use a function that returns a line, or omit it.',
    );
  return Object.freeze({
    name,
    description,
    parameters: plainSchema(name, parameters),
    ...(effect !== undefined && { effect }),
    ...(risk !== undefined && { risk }),
    run: run.bind(tool),
    ...(summarize && { summarize: summarize.bind(tool) }),
  });
}

/** Returns a frozen copy of the schema that the model is sent. */
function plainSchema(name: string, parameters: unknown): Tool['parameters'] {
  const next = 'Use a JSON Schema of an object as plain data.';
  let copy: unknown;
  try {
    copy = JSON.parse(JSON.stringify(parameters));
  } catch {
    refuse('registerTool', `the parameters of "${name}" are not JSON`, next);
  }
  if (typeof copy !== 'object' || copy === null || Array.isArray(copy))
    refuse('registerTool', `the parameters of "${name}" are not a JSON object`, next);
  return frozen(copy as Record<string, unknown>);
}

function frozen<Value extends object>(value: Value): Value {
  for (const each of Object.values(value)) if (typeof each === 'object' && each !== null) frozen(each as object);
  return Object.freeze(value);
}

/** Throws if the model is invalid. `taken`: IDs of other models of the same extension. */
export function checkContributedModel(model: unknown, taken: readonly string[]): void {
  const fields = object('registerModel', model, { id: 'string', name: 'string', complete: 'function' });
  const id = fields['id'] as string;
  if (!/^[\w.:-]{1,100}$/.test(id))
    refuse(
      'registerModel',
      `"${id}" cannot be the id of a model`,
      'Use 1 to 100 letters, digits, "_", ".", ":" and "-".',
    );
  if (taken.includes(id))
    refuse(
      'registerModel',
      `your extension already has a model "${id}"`,
      'Use another id, or dispose of the other one first.',
    );
  if (fields['contextWindow'] !== undefined && !(Number(fields['contextWindow']) > 0))
    refuse('registerModel', `the context window of "${id}" is not a number above 0`, 'Give it in tokens, or omit it.');
}

/** Throws if the source is invalid. */
export function checkSkillSource(source: unknown): void {
  object('registerSkillSource', source, { find: 'function' });
}

/** Returns what is wrong with a skill of a source, in words, or undefined if it is valid. */
export function problemOfSkill(skill: unknown): string | undefined {
  const { name, description, text, triggers = [] } = (skill ?? {}) as RawFields;
  if (typeof name !== 'string' || name.length > 64 || !/^[a-z\d]+(?:-[a-z\d]+)*$/.test(name))
    return `Its name is ${JSON.stringify(name)}: a name has 1 to 64 lower case letters, digits and single hyphens.`;
  if (typeof description !== 'string' || description.trim() === '' || description.length > 1024)
    return `"${name}" needs a description of 1 to 1,024 characters.`;
  if (typeof text !== 'string' || text.trim() === '') return `"${name}" has no text.`;
  if (text.length > 1_000_000) return `The text of "${name}" has more than 1,000,000 characters.`;
  return Array.isArray(triggers) && triggers.every((trigger) => typeof trigger === 'string')
    ? undefined
    : `The triggers of "${name}" are not a list of strings.`;
}

function object(
  what: string,
  value: unknown,
  needs: Readonly<Record<string, 'string' | 'object' | 'function'>>,
): RawFields {
  if (typeof value !== 'object' || value === null)
    refuse(what, `it was given ${value === null ? 'null' : typeof value}`, 'See api/waymark.d.ts.');
  const fields = value as RawFields;
  for (const [key, kind] of Object.entries(needs)) {
    if (typeof fields[key] !== kind || fields[key] === null)
      refuse(
        what,
        `"${key}" is ${fields[key] === undefined ? 'missing' : `not ${kind === 'object' ? 'an' : 'a'} ${kind}`}`,
        'See api/waymark.d.ts.',
      );
  }
  return fields;
}

function oneOf(what: string, fields: RawFields, key: string, values: readonly string[]): void {
  if (fields[key] !== undefined && !values.includes(fields[key] as string))
    refuse(what, `"${key}" is ${JSON.stringify(fields[key])}`, `Use one of ${values.join(', ')}, or omit it.`);
}

function refuse(what: string, why: string, next: string): never {
  throw new Error(`Waymark did not do ${what}: ${why}. ${next}`);
}
