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
  const fieldsNamed = (words: readonly string[]): [string, unknown][] =>
    words.filter((word) => schema[word] !== undefined).map((word) => [word, schema[word]]);
  return [
    ...fieldsNamed(single).flatMap(([word, value]): [string, unknown][] =>
      word === 'items' && Array.isArray(value)
        ? value.map((each, index) => [`${word}.${index}`, each])
        : [[word, value]],
    ),
    ...fieldsNamed(lists).flatMap(([word, value]): [string, unknown][] =>
      Array.isArray(value) ? value.map((each, index) => [`${word}.${index}`, each]) : [[word, null]],
    ),
    ...fieldsNamed(byName).flatMap(([word, value]): [string, unknown][] =>
      isRecord(value) ? Object.entries(value).map(([name, each]) => [`${word}.${name}`, each]) : [[word, null]],
    ),
  ];
}
const shownValue = (value: unknown): string => (JSON.stringify(value) ?? 'absent').slice(0, 100);
