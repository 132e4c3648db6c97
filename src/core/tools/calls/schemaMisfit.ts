import { isRecord } from '../../text/parseJson';

type Schema = Readonly<Record<string, unknown>>;
type Check = (rule: unknown, value: unknown, schema: Schema, place: string) => string | undefined;

/**
 * Returns the first reason why a value does not match a JSON Schema, worded for a model, or undefined if it matches.
 * `place`: how the message names the value, such as `the input` or `edits[0].path`.
 * Supports the common keywords of draft 7. Unknown keywords count as satisfied, so a tool must validate what matters to
 * it.
 */
export function schemaMisfit(schema: unknown, value: unknown, place = 'the input'): string | undefined {
  if (schema === false) return `${place} is not allowed`;
  if (typeof schema !== 'object' || schema === null) return undefined;
  for (const [word, rule] of Object.entries(schema)) {
    const wrong = Object.hasOwn(checks, word) ? checks[word]!(rule, value, schema as Schema, place) : undefined;
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

const checks: Readonly<Record<string, Check>> = {
  type: (rule, value, _schema, place) => {
    const types = [rule].flat().filter((type) => typeof type === 'string');
    return types.length === 0 || types.some((type) => isOf(type, value))
      ? undefined
      : `${place} must be ${types.join(' or ')}, not ${typeOf(value)}`;
  },
  enum: (rule, value, _schema, place) =>
    !Array.isArray(rule) || rule.some((one) => same(one, value))
      ? undefined
      : `${place} must be one of ${rule.map((one) => JSON.stringify(one)).join(', ')}`,
  const: (rule, value, _schema, place) => (same(rule, value) ? undefined : `${place} must be ${JSON.stringify(rule)}`),
  minimum: bounded('number', 'at least'),
  maximum: bounded('number', 'at most'),
  minLength: bounded('string', 'at least'),
  maxLength: bounded('string', 'at most'),
  minItems: bounded('array', 'at least'),
  maxItems: bounded('array', 'at most'),
  required: (rule, value, _schema, place) => {
    const missing =
      isRecord(value) && Array.isArray(rule)
        ? rule.filter((key) => typeof key === 'string' && (!Object.hasOwn(value, key) || value[key] === undefined))
        : [];
    return missing.length === 0 ? undefined : `${place} lacks ${missing.join(', ')}`;
  },
  properties: (rule, value, _schema, place) => {
    if (!isRecord(value) || !isRecord(rule)) return undefined;
    return first(Object.entries(rule), ([key, each]) =>
      Object.hasOwn(value, key) && value[key] !== undefined
        ? schemaMisfit(each, value[key], below(place, key))
        : undefined,
    );
  },
  additionalProperties: (rule, value, { properties = {}, patternProperties }, place) => {
    if (!isRecord(value) || patternProperties !== undefined) return undefined;
    return first(
      Object.keys(value).filter((key) => !Object.hasOwn(properties as object, key)),
      (key) => (rule === false ? `${place} has no ${key}` : schemaMisfit(rule, value[key], below(place, key))),
    );
  },
  items: (rule, value, _schema, place) =>
    Array.isArray(value) && !Array.isArray(rule)
      ? first([...value.entries()], ([index, each]) => schemaMisfit(rule, each, `${place}[${index}]`))
      : undefined,
  allOf: (rule, value, _schema, place) =>
    Array.isArray(rule) ? first(rule, (each) => schemaMisfit(each, value, place)) : undefined,
  anyOf: (rule, value, _schema, place) =>
    Array.isArray(rule) && rule.length > 0 && rule.every((each) => schemaMisfit(each, value, place) !== undefined)
      ? schemaMisfit(rule[0], value, place)
      : undefined,
  oneOf: (rule, value, schema, place) => checks['anyOf']!(rule, value, schema, place),
};

/** Checks a number, the length of a text or the length of a list. */
function bounded(origin: 'number' | 'string' | 'array', bound: 'at least' | 'at most'): Check {
  return (limit, value, _schema, place) => {
    const size = typeOf(value) === origin ? measuredSize(value) : undefined;
    if (size === undefined) return undefined;
    const isBroken = bound === 'at least' ? size < Number(limit) : size > Number(limit);
    return isBroken ? `${place} ${boundWords(origin, bound, limit)}` : undefined;
  };
}

function measuredSize(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'string') return [...value].length;
  return Array.isArray(value) ? value.length : undefined;
}

function first<Item>(items: readonly Item[], wrong: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const words = wrong(item);
    if (words !== undefined) return words;
  }
  return undefined;
}

const below = (place: string, key: string): string => (place === 'the input' ? key : `${place}.${key}`);

/** Returns the name of a value's type in a JSON Schema. */
function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

const isOf = (type: unknown, value: unknown): boolean =>
  type === 'integer' ? Number.isInteger(value) : type === typeOf(value);
const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

type Bound = 'at least' | 'more than' | 'at most' | 'less than';

/**
 * Says which bound a value does not keep, without its name: "must have at least 2 items". `origin`: "string" for the
 * length of a text, "array" for that of a list; otherwise the value itself is bounded.
 */
export function boundWords(origin: string, bound: Bound, limit: unknown): string {
  const amount = `${bound} ${String(limit)}`;
  if (origin === 'string') return `must have ${amount} characters`;
  if (origin === 'array') return `must have ${amount} items`;
  return `must be ${amount}`;
}
