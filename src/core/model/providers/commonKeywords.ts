type Schema = Readonly<Record<string, unknown>>;

/** The keywords of one schema that every provider accepts, and those that only words can express. */
export interface CommonKeywords {
  readonly kept: Record<string, unknown>;
  readonly inWords: Record<string, unknown>;
}

/**
 * Rewrites the keywords of one schema, without those nested in it, to JSON Schema 2020-12: providers reject each request
 * with a tool that does not follow it, and many MCP servers use older drafts. Values of a wrong type are removed, and
 * regular expressions of which some provider may not know the syntax are to be described. Sources:
 * test/support/providerJudge/README.md.
 */
export function commonKeywords(schema: Schema): CommonKeywords {
  const kept: Record<string, unknown> = {};
  const inWords: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(withNumericBounds(schema))) {
    if (valueTests.get(key)?.(value) === false) continue;
    if (isForAll(key, value)) kept[key] = lists.has(key) && Array.isArray(value) ? distinct(value) : value;
    else inWords[key] = value;
  }
  return { kept, inWords };
}

/** Keywords whose values are lists, each value once. */
const lists = new Set(['enum', 'required', 'type']);

/** Returns whether every provider knows the keyword and its value. */
function isForAll(key: string, value: unknown): boolean {
  if (key === 'pattern') return isCommonPattern(value as string);
  if (key === 'patternProperties') return Object.keys(value as Schema).every(isCommonPattern);
  if (key === 'format') return commonFormats.has(value as string);
  if (sizes.has(key)) return (value as number) <= maxSize;
  return !['dependencies', 'dependentRequired'].includes(key);
}

/** The formats that OpenAI knows. It rejects others for some models. */
const commonFormats = new Set(['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid']);

/** Keywords for the size of a value. */
const sizes = new Set(['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties']);

/**
 * Maximum size that remains a constraint. llama.cpp makes a grammar of all tools, in which sizes count as repetitions, and
 * rejects the request above 2,000 of them.
 */
const maxSize = 500;

const types = new Set<unknown>(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);
const isMap = (value: unknown): value is Schema => typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): boolean => typeof value === 'string';
const isFlag = (value: unknown): boolean => typeof value === 'boolean';
const isNumber = (value: unknown): boolean => typeof value === 'number';
const isCount = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0;
const isType = (value: unknown): boolean => types.has(value);
const isTextList = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

/** Whether a value is one that JSON Schema 2020-12 allows, by keyword. Other keywords may have any value. */
const valueTests = new Map<string, (value: unknown) => boolean>([
  ...['title', 'description', 'format', 'pattern', 'contentEncoding', 'contentMediaType'].map(
    (key) => [key, isText] as const,
  ),
  ...['uniqueItems', 'deprecated', 'readOnly', 'writeOnly'].map((key) => [key, isFlag] as const),
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].map((key) => [key, isNumber] as const),
  ...[
    'minLength',
    'maxLength',
    'minItems',
    'maxItems',
    'minProperties',
    'maxProperties',
    'minContains',
    'maxContains',
  ].map((key) => [key, isCount] as const),
  ['type', (value) => isType(value) || (Array.isArray(value) && value.length > 0 && value.every(isType))],
  ['multipleOf', (value) => typeof value === 'number' && value > 0],
  ['enum', (value) => Array.isArray(value) && value.length > 0],
  ['examples', Array.isArray],
  ['required', isTextList],
  ['patternProperties', isMap],
  ['dependentRequired', (value) => isMap(value) && Object.values(value).every(isTextList)],
]);

/** Until draft 4 of JSON Schema, `exclusiveMinimum: true` said that the value of `minimum` itself is not allowed. */
function withNumericBounds(schema: Schema): Schema {
  const { exclusiveMinimum, exclusiveMaximum, ...rest } = schema;
  if (typeof exclusiveMinimum !== 'boolean' && typeof exclusiveMaximum !== 'boolean') return schema;
  const { minimum, maximum, ...others } = rest;
  return {
    ...others,
    ...(exclusiveMinimum === true ? { exclusiveMinimum: minimum } : { minimum, exclusiveMinimum }),
    ...(exclusiveMaximum === true ? { exclusiveMaximum: maximum } : { maximum, exclusiveMaximum }),
  };
}

/** Returns the values without those that are equal as JSON to an earlier one. */
const distinct = (values: readonly unknown[]): unknown[] => [
  ...new Map(values.map((value) => [JSON.stringify(value), value])).values(),
];

/** What engines of linear time (Rust's, RE2), Python's and JavaScript's do not read alike. */
const uncommon = [
  // Groups other than `(?:…)`: names, assertions, flags.
  /\(\?(?!:)/,
  // References to groups, and escapes of letters and digits that not all know.
  /\\(?![dDwWsSbBnrtfv]|x[0-9a-fA-F]{2}|[^a-zA-Z0-9])/,
  // An empty class, and sets within a class.
  /\[\^?\]/,
  /\[(?:[^\]\\]|\\.)*(?:\[|&&|--|~~)/,
  // Large counts, which engines that build automata refuse.
  /\{\d*,?\d{4}/,
];

/**
 * Returns whether every provider can read a regular expression. OpenAI compiles them with Python's engine and generates
 * with one that knows no assertions; it rejects the request if either fails.
 */
export function isCommonPattern(pattern: string): boolean {
  if (pattern.length > maxPatternLength || uncommon.some((part) => part.test(pattern))) return false;
  const withPlainEscapes = pattern.replace(/\\[^a-zA-Z0-9]/g, '\\.');
  try {
    // The flag `u` makes JavaScript as strict as others are, but for escaped punctuation.
    new RegExp(withPlainEscapes, 'u');
    return true;
  } catch {
    return false;
  }
}

const maxPatternLength = 1000;
