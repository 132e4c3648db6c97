import { maxValueDepth, isDeeperThan } from '../../text/parseJson';
import type { SchemaSubset } from './provider';
import { truncate } from '../../../protocol/plain/truncate';
import { commonKeywords } from './commonKeywords';

type Schema = Record<string, unknown>;

/**
 * A schema that a provider accepts. `note`: constraints that it cannot express, in words for the description of the
 * tool.
 */
export interface FittedSchema {
  readonly schema: Schema;
  readonly note: string;
}

/** Maximum depth, more than any tool needs. Recursive references end here. */
const maxDepth = 12;

/**
 * Maximum number of characters that references may add to a schema. A few that refer to each other could expand to
 * gigabytes.
 */
const maxAddedCharacters = 40_000;

/** Maximum length of constraints in a description, in characters, as they can be quoted in one another. */
const maxWordsLength = 1000;
const maxSets = 10;

/**
 * Converts the schema of a tool's arguments to the subset that a provider accepts. Constraints the subset cannot
 * express are described in words, so no meaning is lost. Sources: test/support/providerJudge/README.md. Throws an `Error` whose message is
 * part of a sentence if the schema does not describe an object.
 */
export function fitSchema(parameters: unknown, subset: SchemaSubset): FittedSchema {
  if (!isSchema(parameters)) throw new Error('its parameters are not a JSON Schema');
  if (isDeeperThan(maxValueDepth, parameters)) throw new Error('its parameters are nested too deeply');
  const { type = 'object' } = parameters;
  if (![type].flat().includes('object'))
    throw new Error(`its parameters are of type ${JSON.stringify(type)}, not an object`);
  const whole = inlineReferences(parameters, new References(parameters), []) as Schema;
  const { schema: root, note } = withoutRootCombinators(whole);
  const fitted = fit(root, subset);
  return {
    schema: { ...fitted, type: 'object', properties: isSchema(fitted.properties) ? fitted.properties : {} },
    note,
  };
}

/** Returns the schema with every `$ref` resolved. */
function inlineReferences(value: unknown, references: References, within: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => inlineReferences(item, references, within));
  if (!isSchema(value)) return value;
  const { $ref: reference, $defs: _defs, definitions: _definitions, ...rest } = value;
  const inlinePart = (key: string, item: unknown): unknown => {
    if (verbatim.has(key)) return item;
    if (!maps.has(key) || !isSchema(item)) return inlineReferences(item, references, within);
    return Object.fromEntries(
      Object.entries(item).map(([name, one]) => [name, inlineReferences(one, references, within)]),
    );
  };
  const own = Object.fromEntries(Object.entries(rest).map(([key, item]) => [key, inlinePart(key, item)]));
  if (typeof reference !== 'string') return own;
  const endsHere = within.includes(reference) || within.length >= maxDepth;
  const named = endsHere ? undefined : references.spend(reference);
  if (named !== undefined)
    return { ...(inlineReferences(named, references, [...within, reference]) as Schema), ...own };
  return { ...own, description: joinSentences(own.description, `As ${reference.split('/').at(-1) ?? 'above'}.`) };
}

/** Resolves the references of a schema within a size limit. */
class References {
  private room = maxAddedCharacters;
  private readonly sizes = new Map<string, number>();

  constructor(private readonly root: Schema) {}

  /** Returns the target of a reference. Undefined if it does not exist or would exceed the limit. */
  spend(reference: string): Schema | undefined {
    const target = targetOf(reference, this.root);
    if (target === undefined) return undefined;
    const size = this.sizes.get(reference) ?? JSON.stringify(target).length;
    this.sizes.set(reference, size);
    if (size > this.room) return undefined;
    this.room -= size;
    return target;
  }
}

/** Keywords whose values are not schemas. */
const verbatim = new Set(['enum', 'const', 'default', 'examples', 'required', 'description']);

/** Keywords whose values map names to schemas. A property may be called "enum" or "definitions". */
const maps = new Set(['properties', 'patternProperties']);

/** Target of a reference such as "#/$defs/Name". */
function targetOf(reference: string, root: Schema): Schema | undefined {
  if (!reference.startsWith('#')) return undefined;
  const steps = reference
    .slice(1)
    .split('/')
    .filter(Boolean)
    .map((step) => decodeStep(step).replaceAll('~1', '/').replaceAll('~0', '~'));
  const target = steps.reduce<unknown>(
    (value, step) => (isHolder(value) && Object.hasOwn(value, step) ? (value as Schema)[step] : undefined),
    root,
  );
  return isSchema(target) ? target : undefined;
}

const isHolder = (value: unknown): value is object => isSchema(value) || Array.isArray(value);

function decodeStep(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

/**
 * Merges alternatives at the root, which no provider accepts for certain: joins their properties and describes in words
 * which belong together.
 */
function withoutRootCombinators(root: Schema): FittedSchema {
  const { anyOf, oneOf, allOf, not, if: condition, then, else: otherwise, enum: values, const: only, ...rest } = root;
  const every = schemasIn(allOf);
  const either = [...schemasIn(anyOf), ...schemasIn(oneOf)];
  const merged = every.length === 0 ? rest : merge([rest, ...every], 'both');
  const schema = either.length === 0 ? merged : merge([merged, merge(either, 'either')], 'both');
  const allSets = either
    .map((part) => `{${requiredOf(part).join(', ') || Object.keys(propertiesOf(part)).join(', ')}}`)
    .filter((set) => set !== '{}');
  const sets = [...new Set(allSets)].slice(0, maxSets);
  const further = Object.entries({ not, if: condition, then, else: otherwise, enum: values, const: only }).filter(
    ([, value]) => value !== undefined,
  );
  return {
    schema,
    note: joinSentences(
      sets.length > 1 ? `Give the arguments of one of these sets: ${sets.join(' or ')}.` : '',
      further.length > 0 ? describeConstraints(Object.fromEntries(further)) : '',
    ),
  };
}

/**
 * Merges object schemas. With `both`, whatever one of them requires is required; with `either`, only what all require.
 */
function merge(parts: readonly Schema[], how: 'both' | 'either'): Schema {
  const byName = new Map<string, Map<string, unknown>>();
  for (const part of parts) {
    for (const [name, schema] of Object.entries(propertiesOf(part))) {
      const distinct = byName.get(name) ?? new Map<string, unknown>();
      distinct.set(JSON.stringify(schema), schema);
      byName.set(name, distinct);
    }
  }
  const properties = Object.fromEntries(
    [...byName].map(([name, distinct]) => {
      const schemas = [...distinct.values()];
      return [name, schemas.length === 1 ? schemas[0] : { anyOf: schemas }];
    }),
  );
  const required = requiredOfAll(parts.map(requiredOf), how);
  // If several define a keyword, the first one wins.
  const words = Object.assign({}, ...parts.toReversed()) as Schema;
  delete words.required;
  return { ...words, properties, ...(required.length > 0 && { required }) };
}

function requiredOfAll([first = [], ...others]: readonly (readonly string[])[], how: 'both' | 'either'): string[] {
  if (how === 'both') return [...new Set([...first, ...others.flat()])];
  const sets = others.map((names) => new Set(names));
  return first.filter((name) => sets.every((names) => names.has(name)));
}

const dropped = new Set(['$schema', '$id', '$anchor', '$comment', '$vocabulary', '$dynamicRef', '$dynamicAnchor']);

/** Converts a nested schema to the subset. */
function fit(schema: Schema, subset: SchemaSubset): Schema {
  const { kept, inWords } = commonKeywords(schema);
  const allowed = Object.fromEntries(Object.entries(kept).filter(([key]) => !dropped.has(key)));
  const described = withConstraints(allowed, inWords);
  const placed = subset === 'moonshot' ? typesInBranches(described) : described;
  const sound = withItems(withNamedProperties(withFittedParts(placed, subset)));
  if (subset === 'plain') return sound;
  return subset === 'moonshot' ? withTypes(sound) : googles(sound);
}

/** Keywords that contain one schema, a list of schemas, or schemas by name. */
const single = new Set([
  'items',
  'additionalItems',
  'unevaluatedItems',
  'contains',
  'propertyNames',
  'additionalProperties',
  'unevaluatedProperties',
  'not',
  'if',
  'then',
  'else',
]);
const lists = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const byName = new Set(['properties', 'patternProperties', 'dependentSchemas']);

/** Converts all nested schemas. `true` and `false` become schema objects; what is no schema is removed. */
const withFittedParts = (schema: Schema, subset: SchemaSubset): Schema =>
  Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
      if (byName.has(key)) return isSchema(value) ? [[key, fitMap(value, subset)]] : [];
      if (lists.has(key) || (key === 'items' && Array.isArray(value))) {
        const parts = fitList(value, subset);
        return parts.length === 0 ? [] : [[key === 'items' ? 'prefixItems' : key, parts]];
      }
      if (!single.has(key)) return [[key, value]];
      const part = fitSingle(key, value, subset);
      return part === undefined ? [] : [[key, part]];
    }),
  );

function fitMap(parts: Schema, subset: SchemaSubset): Schema {
  const fitted = Object.entries(parts).map(([name, part]) => [name, fitPart(part, subset)] as const);
  return Object.fromEntries(fitted.filter(([, part]) => part !== undefined));
}

const fitList = (parts: unknown, subset: SchemaSubset): Schema[] =>
  Array.isArray(parts) ? parts.map((part) => fitPart(part, subset)).filter((part) => part !== undefined) : [];

function fitSingle(key: string, value: unknown, subset: SchemaSubset): Schema | boolean | undefined {
  if (key === 'additionalProperties' && typeof value === 'boolean') return value;
  if (key === 'additionalProperties' && isEmpty(value)) return true;
  return key === 'items' && typeof value === 'boolean' ? undefined : fitPart(value, subset);
}

/** Converts a nested schema. Undefined for one that nothing fits, such as `false`, and for what is no schema. */
function fitPart(value: unknown, subset: SchemaSubset): Schema | undefined {
  if (value === true) return {};
  return isSchema(value) && !fitsNothing(value) ? fit(value, subset) : undefined;
}

/** True for `{ not: {} }`, as Zod 3 writes the absence of an optional value, which Moonshot rejects. */
const fitsNothing = (schema: Schema): boolean => Object.keys(schema).join() === 'not' && isEmpty(schema.not);

const isEmpty = (value: unknown): boolean => isSchema(value) && Object.keys(value).length === 0;

/** Adds `items` to every array. A tuple becomes a list of any of its items, with their order described in words. */
function withItems(schema: Schema): Schema {
  const { prefixItems, ...rest } = schema;
  const parts = schemasIn(prefixItems);
  if (parts.length > 0) {
    const distinct = [...new Map(parts.map((part) => [JSON.stringify(part), part])).values()];
    const items = distinct.length === 1 ? distinct[0] : { anyOf: distinct };
    const named = parts.map((part) =>
      typeof part.description === 'string' ? part.description : typesOf(part).join(' or ') || 'any',
    );
    const order = `In this order: ${named.join('; ')}.`;
    return {
      ...rest,
      items,
      minItems: rest.minItems ?? parts.length,
      maxItems: rest.maxItems ?? parts.length,
      description: joinSentences(rest.description, order),
    };
  }
  return typesOf(rest).includes('array') && rest.items === undefined ? { ...rest, items: {} } : rest;
}

/** Adds a schema for every required property. */
function withNamedProperties(schema: Schema): Schema {
  const missing = requiredOf(schema).filter((name) => !Object.hasOwn(propertiesOf(schema), name));
  if (missing.length === 0) return schema;
  return {
    ...schema,
    properties: { ...propertiesOf(schema), ...Object.fromEntries(missing.map((name) => [name, {}])) },
  };
}

const branchesIn = (schema: Schema): string | undefined =>
  ['anyOf', 'oneOf'].find((name) => Array.isArray(schema[name]));

/** Moonshot requires the type in each branch, not next to them, and no default next to them either. */
function typesInBranches(schema: Schema): Schema {
  const key = branchesIn(schema);
  if (key === undefined) return schema;
  const { type, default: usual, ...rest } = schema;
  const isBare = (branch: Schema): boolean => branch.type === undefined && branchesIn(branch) === undefined;
  const branches = schemasIn(schema[key]).map((branch) =>
    type !== undefined && isBare(branch) ? { type, ...branch } : branch,
  );
  const description = joinSentences(rest.description, usual === undefined ? '' : `Default: ${JSON.stringify(usual)}.`);
  return { ...rest, [key]: branches, ...(description && { description }) };
}

/**
 * Moonshot requires a type wherever there are no alternatives, also in items and properties that were added as blanks.
 */
function withTypes(schema: Schema): Schema {
  const isTyped = schema.type !== undefined || branchesIn(schema) !== undefined || schema.allOf !== undefined;
  const named = Object.entries(propertiesOf(schema)).map(([name, one]) => [name, isSchema(one) ? withTypes(one) : one]);
  return {
    ...schema,
    ...(isTyped ? {} : guessedType(schema)),
    ...(isSchema(schema.items) && { items: withTypes(schema.items) }),
    ...(schema.properties !== undefined && { properties: Object.fromEntries(named) as Schema }),
  };
}

const scalars: readonly Schema[] = [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }];
const anything: readonly Schema[] = [
  ...scalars,
  { type: 'object' },
  { type: 'array', items: { anyOf: [...scalars, { type: 'object' }] } },
];

/** Returns the type of a schema without one, derived from its values or keywords. Any type if they do not tell. */
function guessedType({ enum: values, const: only, properties, items }: Schema): Schema {
  if (properties !== undefined) return { type: 'object' };
  if (items !== undefined) return { type: 'array' };
  const allowed = Array.isArray(values) ? values : [only].filter((value) => value !== undefined);
  const types = [...new Set(allowed.map((value) => typeof value))];
  return types.length === 1 && types[0] !== 'object' ? { type: types[0] } : { anyOf: anything };
}

/**
 * Keywords that Google's API supports, but for `pattern`: this subset is also the last resort after a refusal, and some
 * providers accept no regular expressions.
 */
const googleWords = new Set([
  'type',
  'format',
  'title',
  'description',
  'nullable',
  'enum',
  'properties',
  'required',
  'minProperties',
  'maxProperties',
  'items',
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'anyOf',
  'default',
]);

function googles(schema: Schema): Schema {
  const { oneOf, const: only, ...rest } = schema;
  const known: Schema = { ...rest };
  const describedOnly: Schema = {};
  if (Array.isArray(oneOf)) known.anyOf = [...schemasIn(known.anyOf), ...schemasIn(oneOf)];
  if (only !== undefined) known.enum = [only];
  if (Array.isArray(known.enum) && !known.enum.every((value) => typeof value === 'string')) {
    describedOnly.enum = known.enum;
    delete known.enum;
  }
  if (known.enum !== undefined && known.type === undefined) known.type = 'string';
  for (const [key, name, step] of [
    ['exclusiveMinimum', 'minimum', 1],
    ['exclusiveMaximum', 'maximum', -1],
  ] as const) {
    const bound = known[key];
    if (typeof bound !== 'number') continue;
    if (known.type === 'integer' && Number.isInteger(bound)) known[name] = bound + step;
    else describedOnly[key] = bound;
    delete known[key];
  }
  if (known.format !== undefined && known.format !== 'date-time') {
    describedOnly.format = known.format;
    delete known.format;
  }
  for (const key of Object.keys(known)) {
    if (googleWords.has(key)) continue;
    // A value of `false`, as for `additionalProperties`, needs no description.
    if (known[key] !== false) describedOnly[key] = known[key];
    delete known[key];
  }
  return withConstraints(oneType(known), describedOnly);
}

/** Converts a list of types to one nullable type, or to alternatives. */
function oneType(schema: Schema): Schema {
  if (!Array.isArray(schema.type)) return schema;
  const { type: _types, ...rest } = schema;
  const types = typesOf(schema).filter((type) => type !== 'null');
  const nullable = types.length < schema.type.length && { nullable: true };
  return types.length === 1
    ? { type: types[0], ...rest, ...nullable }
    : {
        ...rest,
        ...nullable,
        anyOf: types.map((type) => (type === 'array' ? { type, items: rest.items ?? {} } : { type })),
      };
}

/** Adds constraints to the description of a schema, if there are any. */
const withConstraints = (schema: Schema, constraints: Schema): Schema =>
  Object.keys(constraints).length === 0
    ? schema
    : { ...schema, description: joinSentences(schema.description, describeConstraints(constraints)) };

/** Describes constraints in words, such as "exclusiveMinimum: 0, format: "uri"". */
function describeConstraints(constraints: Schema): string {
  const words = Object.entries(constraints)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
    .join(', ');
  return `Must hold: ${truncate(words, maxWordsLength)}.`;
}

const joinSentences = (...texts: readonly unknown[]): string =>
  texts.filter((text) => typeof text === 'string' && text !== '').join(' ');
const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const schemasIn = (value: unknown): Schema[] => (Array.isArray(value) ? value.filter(isSchema) : []);
const typesOf = (schema: Schema): string[] =>
  [schema.type].flat().filter((type): type is string => typeof type === 'string');
const propertiesOf = (schema: Schema): Schema => (isSchema(schema.properties) ? schema.properties : {});
const requiredOf = (schema: Schema): string[] =>
  Array.isArray(schema.required) ? schema.required.filter((name): name is string => typeof name === 'string') : [];
