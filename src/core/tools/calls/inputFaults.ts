import { isRecord } from '../../text/parseJson';
import { schemaMisfit } from './schemaMisfit';
import { truncate } from '../../../protocol/plain/truncate';
import { distance } from 'fastest-levenshtein';
import { plainName } from '../../text/looseFields';

type Schema = Readonly<Record<string, unknown>>;

/**
 * Lists everything wrong with a call's input, worded for a model: missing arguments, unknown arguments, wrong types.
 */
export function inputFaults(schema: Schema, input: unknown): string[] {
  if (!isRecord(input)) return ['it must be an object'];
  return faultsOf(schema, input, '');
}

/** Thrown if a call's input does not match the tool's schema. */
export class InputProblem extends Error {
  constructor(
    tool: Exemplified,
    readonly faults: readonly string[],
  ) {
    super(inputProblem(tool, faults));
    this.name = 'InputProblem';
  }
}

/** Message for an unknown argument, with the argument that was likely meant. */
export function unknownArgument(name: string, schema: Schema): string {
  const all = Object.keys(isRecord(schema['properties']) ? schema['properties'] : {});
  return describeUnknownKey(name, '', all, all);
}

/**
 * Lists the missing arguments, each with a likely misspelling found in the input. For added tools: they validate the
 * rest of their input themselves.
 */
export function missingIn(input: Readonly<Record<string, unknown>>, schema: Schema): string[] {
  const properties = Object.keys(isRecord(schema['properties']) ? schema['properties'] : {});
  const required = Array.isArray(schema['required']) ? schema['required'].filter((key) => typeof key === 'string') : [];
  const missing = required.filter((key) => input[key] === undefined);
  if (missing.length === 0) return [];
  const strange = Object.keys(input).filter((key) => !properties.includes(key));
  const slips = strange.flatMap((key) => {
    const likely = likelyName(key, missing);
    return likely === undefined ? [] : [`there is no argument ${key} (${likely} is likely meant)`];
  });
  return [`${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing`, ...slips];
}

/** Maximum number of faults in a message. More do not help a model, and every later request would include them. */
const maxFaults = 8;
const maxFaultLength = 400;

/** Joins the faults into one message that ends with a valid call. */
export function inputProblem(tool: Exemplified, faults: readonly string[]): string {
  const shown = faults.slice(0, maxFaults).map((fault) => truncate(fault, maxFaultLength));
  const left = faults.length - shown.length;
  const more = left > 0 ? [`and ${left} more`] : [];
  return `Invalid input for ${tool.name}: ${[...shown, ...more].join('; ')}. A correct call: ${exampleCall(tool)}`;
}

function faultsOf(schema: Schema, value: Record<string, unknown>, at: string): string[] {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'].filter((key) => typeof key === 'string') : [];
  const isGiven = (key: string): boolean => Object.hasOwn(value, key) && value[key] !== undefined;
  const missing = required.filter((key) => !isGiven(key));
  const strange = !isOpen(schema)
    ? Object.keys(value).filter((key) => isGiven(key) && !Object.hasOwn(properties, key))
    : [];
  const namesOfCall = Object.keys(properties).filter(isGiven);
  const notGiven = Object.keys(properties).filter((name) => !isGiven(name));
  const missingFault = `${missing.map((key) => at + key).join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing`;
  return [
    ...(missing.length > 0 ? [missingFault] : []),
    ...strange.map((key) => describeUnknownKey(key, at, notGiven, Object.keys(properties))),
    ...namesOfCall.flatMap((key) => valueFaults(properties[key], value[key], at + key)),
  ];
}

/** True if objects of a schema may have properties that it does not name. A schema without `properties` is open. */
const isOpen = (schema: Schema): boolean =>
  !isRecord(schema['properties']) ||
  schema['additionalProperties'] === true ||
  isRecord(schema['additionalProperties']) ||
  schema['patternProperties'] !== undefined;

function describeUnknownKey(key: string, at: string, free: readonly string[], all: readonly string[]): string {
  const likely = likelyName(key, free) ?? likelyName(key, all);
  const meant =
    likely === undefined ? `it takes ${all.map((name) => at + name).join(', ')}` : `${at}${likely} is likely meant`;
  return `there is no argument ${at}${key} (${meant})`;
}

function valueFaults(schema: unknown, value: unknown, at: string): string[] {
  if (!isRecord(schema)) return [];
  if (isRecord(value) && isRecord(schema['properties'])) return faultsOf(schema, value, `${at}.`);
  const items = schema['items'];
  if (Array.isArray(value) && isRecord(items)) {
    const { items: _items, ...rest } = schema;
    const ofItems = value.flatMap((item, index) => valueFaults(items, item, `${at}[${index}]`));
    return [...misfit(rest, value, at), ...ofItems];
  }
  return misfit(schema, value, at);
}

function misfit(schema: Schema, value: unknown, at: string): string[] {
  const words = schemaMisfit(schema, value, at);
  return words === undefined ? [] : [words];
}

/** Returns a valid call of a tool on one line, made from its schema: `read_file {"path":"src/app.ts"}`. */
export function exampleCall({ name, parameters, example }: Exemplified): string {
  return `${name} ${JSON.stringify(example ?? exampleInput(parameters))}`;
}

/** A tool, or one form of it. `example` is a valid input, needed if the schema alone does not produce one. */
interface Exemplified {
  readonly name: string;
  readonly parameters: Schema;
  readonly example?: Readonly<Record<string, unknown>>;
}

/** Example input with all required arguments or, if none is required, the first optional one. */
function exampleInput(schema: Schema): Record<string, unknown> {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? (schema['required'] as string[]) : [];
  const shown = required.length > 0 ? required : Object.keys(properties).slice(0, 1);
  return Object.fromEntries(shown.map((name) => [name, exampleValue(name, properties[name])]));
}

function exampleValue(name: string, schema: unknown): unknown {
  if (!isRecord(schema)) return '…';
  if ('default' in schema) return schema['default'];
  if (Array.isArray(schema['enum']) && schema['enum'].length > 0) return schema['enum'][0] as unknown;
  const type = [schema['type']].flat()[0];
  switch (type) {
    case 'integer':
    case 'number':
      return typeof schema['minimum'] === 'number' ? schema['minimum'] : 1;
    case 'boolean':
      return true;
    case 'array':
      return [exampleValue(name, schema['items'])];
    case 'object':
      return exampleInput(schema);
    default:
      return exampleText(name);
  }
}

/** Example values for text arguments, by pattern of the argument name. */
const texts: readonly (readonly [RegExp, string])[] = [
  [/dir|folder/i, 'src'],
  [/path|file(?:name)?$/i, 'src/app.ts'],
  [/^(?:command|cmd)$/i, 'npm test'],
  [/pattern|query|regex/i, 'TODO'],
  [/^(?:patch|input)$/i, '*** Begin Patch\n*** Add File: a.txt\n+text\n*** End Patch'],
  [/^old/i, 'old text'],
  [/^new/i, 'new text'],
];

const exampleText = (name: string): string => texts.find(([names]) => names.test(name))?.[1] ?? '…';

/** Minimum number of letters in a name for each wrong letter. */
const lettersPerWrong = 3;

/**
 * Returns the name most likely meant: equal except for case and `_`, a typo, or one that shares a word ("old_string"
 * and "old_text").
 */
export function likelyName(wrong: string, names: readonly string[]): string | undefined {
  const wanted = plainName(wrong);
  const same = names.find((name) => plainName(name) === wanted);
  if (same !== undefined) return same;
  const room = Math.floor(wanted.length / lettersPerWrong);
  const near = names
    .map((name) => ({ name, away: distance(plainName(name), wanted) }))
    .sort((a, b) => a.away - b.away)[0];
  if (near && near.away <= room) return near.name;
  const words = new Set(splitName(wrong));
  return names.find((name) => splitName(name).some((word) => words.has(word)));
}

const splitName = (name: string): string[] =>
  name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');

/**
 * Arguments in which agents explain a call or say who may approve it. They do not change what a call does, so they are
 * accepted in any call.
 */
const ignoredNames: ReadonlySet<string> = new Set([
  'description',
  'explanation',
  'reason',
  'reasoning',
  'justification',
  'purpose',
  'intent',
  'thought',
  'thoughts',
  'comment',
  'requires_approval',
  'approved',
  'safe',
  'risk',
  'task_progress',
  'security_risk',
  'toolSummary',
  'toolAction',
  'waitForPreviousTools',
  'dangerouslyDisableSandbox',
]);

/** True if an unknown argument can be ignored silently. */
export const isIgnoredArgument = (name: string): boolean => ignoredNames.has(name);
