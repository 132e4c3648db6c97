import { isRecord } from '../../text/fields';
import { exampleCall, type Exemplified } from './exampleCall';
import { likelyName } from './likelyName';
import { schemaMisfit } from './schemaMisfit';

type Schema = Readonly<Record<string, unknown>>;

/**
 * Everything that is wrong with the input of a call, in words for a model: what is missing, what there is no place for,
 * what has the wrong type. `closed`: whether arguments that the schema does not name are faults.
 */
export function inputFaults(schema: Schema, input: unknown, closed = true): string[] {
  if (!isRecord(input)) return ['it must be an object'];
  return faultsOf(schema, input, '', closed);
}

/** A call whose input a tool does not take. */
export class InputProblem extends Error {
  constructor(
    tool: Exemplified,
    readonly faults: readonly string[],
  ) {
    super(inputProblem(tool, faults));
    this.name = 'InputProblem';
  }
}

/** That a tool has no argument of a name, and which one is likely meant. */
export function strangeArgument(name: string, schema: Schema): string {
  const all = Object.keys(isRecord(schema['properties']) ? schema['properties'] : {});
  return strangeWords(name, '', all, all);
}

/**
 * What an input lacks, each with the argument that is likely meant instead. For tools of others: they check the rest of
 * their input themselves, and know better what may stand in it.
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

/** More faults tell a model no more, and every later request would carry them. */
const mostFaults = 8;
const longestFault = 400;

/** The faults in one message that ends with a right call. */
export function inputProblem(tool: Exemplified, faults: readonly string[]): string {
  const told = faults
    .slice(0, mostFaults)
    .map((fault) => (fault.length > longestFault ? `${fault.slice(0, longestFault)}…` : fault));
  const left = faults.length - told.length;
  const more = left > 0 ? [`and ${left} more`] : [];
  return `The input of ${tool.name} does not fit: ${[...told, ...more].join('; ')}. A right call: ${exampleCall(tool)}`;
}

function faultsOf(schema: Schema, value: Record<string, unknown>, at: string, closed: boolean): string[] {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'].filter((key) => typeof key === 'string') : [];
  const isGiven = (key: string): boolean => Object.hasOwn(value, key) && value[key] !== undefined;
  const missing = required.filter((key) => !isGiven(key));
  const strange =
    closed && !isOpen(schema)
      ? Object.keys(value).filter((key) => isGiven(key) && !Object.hasOwn(properties, key))
      : [];
  const known = Object.keys(properties).filter(isGiven);
  return [
    ...(missing.length > 0
      ? [`${missing.map((key) => at + key).join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing`]
      : []),
    ...strange.map((key) =>
      strangeWords(
        key,
        at,
        Object.keys(properties).filter((name) => !isGiven(name)),
        Object.keys(properties),
      ),
    ),
    ...known.flatMap((key) => valueFaults(properties[key], value[key], at + key, closed)),
  ];
}

/** Whether objects of a schema may hold what it does not name. A schema without properties names nothing. */
const isOpen = (schema: Schema): boolean =>
  !isRecord(schema['properties']) ||
  schema['additionalProperties'] === true ||
  isRecord(schema['additionalProperties']) ||
  schema['patternProperties'] !== undefined;

function strangeWords(key: string, at: string, free: readonly string[], all: readonly string[]): string {
  const likely = likelyName(key, free) ?? likelyName(key, all);
  const meant =
    likely === undefined ? `it takes ${all.map((name) => at + name).join(', ')}` : `${at}${likely} is likely meant`;
  return `there is no argument ${at}${key} (${meant})`;
}

function valueFaults(schema: unknown, value: unknown, at: string, closed: boolean): string[] {
  if (!isRecord(schema)) return [];
  if (isRecord(value) && isRecord(schema['properties'])) return faultsOf(schema, value, `${at}.`, closed);
  const items = schema['items'];
  if (Array.isArray(value) && isRecord(items)) {
    const { items: _items, ...rest } = schema;
    const ofItems = value.flatMap((item, index) => valueFaults(items, item, `${at}[${index}]`, closed));
    return [...misfit(rest, value, at), ...ofItems];
  }
  return misfit(schema, value, at);
}

function misfit(schema: Schema, value: unknown, at: string): string[] {
  const words = schemaMisfit(schema, value, at);
  return words === undefined ? [] : [words];
}
