import { MarkupProblem, readElements } from '../../text/elements';
import { plainName } from '../../text/looseFields';
import { isRecord } from '../../text/parseJson';
import { readLooseJson } from '../../text/looseJson';

type Schema = Readonly<Record<string, unknown>>;

/**
 * Converts arguments written as text to the types of a JSON Schema: numbers, booleans, lists and objects (as JSON, or
 * as elements: `<item>a</item>`), and a single value to a list. Names match regardless of case, `_` and `-`. Values
 * that do not fit stay unchanged, so that the tool can report what it expects.
 */
export function fitArguments(args: Readonly<Record<string, unknown>>, parameters: Schema): Record<string, unknown> {
  const properties = propertiesOf(parameters);
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      const known = nameIn(properties, name);
      const free = known !== undefined && (known === name || !Object.hasOwn(args, known));
      return free ? [known, fit(value, properties[known])] : [name, value];
    }),
  );
}

/** Uses `target` for the missing required argument, if exactly one is missing. */
export function withTarget(
  args: Readonly<Record<string, unknown>>,
  target: string,
  parameters: Schema,
): Record<string, unknown> {
  const required = Array.isArray(parameters.required) ? (parameters.required as string[]) : [];
  const missing = required.filter((name) => !Object.hasOwn(args, name));
  return missing.length === 1 ? fitArguments({ ...args, [missing[0]!]: target }, parameters) : { ...args };
}

function fit(value: unknown, schema: unknown): unknown {
  const alternatives = alternativesOf(schema);
  const types = new Set(alternatives.flatMap(typesOf));
  if (types.has('string') || types.size === 0)
    return types.size === 1 && ['number', 'boolean'].includes(typeof value) ? String(value) : value;
  const list = alternatives.find((alternative) => typesOf(alternative).includes('array'));
  if (list) return listFrom(value, list.items);
  const object = alternatives.find((alternative) => typesOf(alternative).includes('object'));
  if (object) return recordFrom(value, object);
  if (typeof value !== 'string') return value;
  const word = value.trim().toLowerCase();
  if ((types.has('number') || types.has('integer')) && /^[+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?$/.test(word))
    return Number(word);
  if (types.has('boolean') && ['true', 'yes', 'false', 'no'].includes(word)) return word === 'true' || word === 'yes';
  if (types.has('null') && ['', 'null', 'none'].includes(word)) return null;
  return value;
}

function listFrom(value: unknown, items: unknown): unknown[] {
  const many = (values: readonly unknown[]): unknown[] => values.map((item) => fit(item, items));
  if (Array.isArray(value)) return many(value);
  if (typeof value !== 'string') return many([value]);
  if (value.trim() === '') return [];
  const json = jsonIn(value);
  if (Array.isArray(json)) return many(json);
  const elements = elementsIn(value);
  const fields = alternativesOf(items).some((item) =>
    elements?.some(([name]) => nameIn(propertiesOf(item), name) !== undefined),
  );
  return many(elements && !fields ? elements.map(([, text]) => text) : [value]);
}

function recordFrom(value: unknown, schema: Schema): unknown {
  if (isRecord(value)) return fitArguments(value, schema);
  if (typeof value !== 'string') return value;
  const json = jsonIn(value);
  if (isRecord(json)) return fitArguments(json, schema);
  const elements = elementsIn(value);
  return elements ? fitArguments(Object.fromEntries(elements), schema) : value;
}

function jsonIn(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  const read = readLooseJson(text);
  return read.problem === undefined && text.slice(read.end).trim() === '' ? read.value : undefined;
}

/** Names and texts of the elements at the start of a text. */
function elementsIn(text: string): [string, string][] | undefined {
  if (!/^\s*</.test(text)) return undefined;
  try {
    return readElements(text, () => false).map((element) => [element.name, element.text]);
  } catch (thrown) {
    if (thrown instanceof MarkupProblem) return undefined;
    throw thrown;
  }
}

function nameIn(properties: Schema, name: string): string | undefined {
  return Object.hasOwn(properties, name)
    ? name
    : Object.keys(properties).find((key) => plainName(key) === plainName(name));
}

const propertiesOf = (schema: Schema): Schema => (isRecord(schema.properties) ? schema.properties : {});
const alternativesOf = (schema: unknown): Schema[] =>
  isRecord(schema) ? [schema, ...[schema.anyOf, schema.oneOf].flat().flatMap(alternativesOf)] : [];

function typesOf(schema: Schema): string[] {
  const named = [schema.type].flat().filter((type) => typeof type === 'string');
  const values = [
    ...(Array.isArray(schema.enum) ? (schema.enum as readonly unknown[]) : []),
    ...('const' in schema ? [schema.const] : []),
  ];
  return named.length > 0 ? named : values.map((value) => (value === null ? 'null' : typeof value));
}
