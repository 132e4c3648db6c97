import { isRecord } from '../text/parseJson';

const types = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);
/** Schema keywords that contain schemas: a single one (or a list, for `items`), a list, or a map by name. */
const single = [
  'items',
  'additionalItems',
  'additionalProperties',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
];
const lists = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const byName = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
const maxDepth = 64;

/**
 * Returns why model servers reject a JSON Schema, as "PLACE may not be VALUE", or undefined if they accept it. One
 * rejected schema fails every request that contains it.
 */
export function schemaProblem(schema: unknown, place: string, depth = 0): string | undefined {
  if (typeof schema === 'boolean' && depth > 0) return undefined;
  if (!isRecord(schema)) return `${place} must not be ${shownValue(schema)}`;
  if (depth > maxDepth) return `${place} is nested too deeply`;
  const { type, required, enum: values } = schema;
  if (type !== undefined && !isTypeOrList(type)) return `${place}.type must not be ${shownValue(type)}`;
  if (required !== undefined && !(Array.isArray(required) && required.every((each) => typeof each === 'string')))
    return `${place}.required must not be ${shownValue(required)}`;
  if (values !== undefined && !Array.isArray(values)) return `${place}.enum must not be ${shownValue(values)}`;
  for (const [where, inner] of innerOf(schema)) {
    const problem = schemaProblem(inner, `${place}.${where}`, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Returns whether the value of "type" is the name of a type, or a list of such names. */
function isTypeOrList(type: unknown): boolean {
  const names: readonly unknown[] = Array.isArray(type) && type.length > 0 ? type : [type];
  return names.every((name) => typeof name === 'string' && types.has(name));
}

/**
 * Returns the direct subschemas of a schema, by place. A place with something other than the expected schemas counts as
 * one invalid schema.
 */
function innerOf(schema: Readonly<Record<string, unknown>>): [string, unknown][] {
  const inner: [string, unknown][] = [];
  const present = (names: readonly string[]): string[] => names.filter((name) => schema[name] !== undefined);
  const addAll = (word: string, subschemas: readonly (readonly [string | number, unknown])[]): void => {
    for (const [key, subschema] of subschemas) inner.push([`${word}.${key}`, subschema]);
  };
  for (const word of present(single)) {
    const value = schema[word];
    if (word === 'items' && Array.isArray(value)) addAll(word, [...(value as readonly unknown[]).entries()]);
    else inner.push([word, value]);
  }
  for (const word of present(lists)) {
    const value = schema[word];
    if (Array.isArray(value)) addAll(word, [...(value as readonly unknown[]).entries()]);
    else inner.push([word, null]);
  }
  for (const word of present(byName)) {
    const value = schema[word];
    if (isRecord(value)) addAll(word, Object.entries(value));
    else inner.push([word, null]);
  }
  return inner;
}
const shownValue = (value: unknown): string => (JSON.stringify(value) ?? 'absent').slice(0, 100);
