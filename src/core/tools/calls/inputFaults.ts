import { isRecord } from '../../text/parseJson';
import { exampleCall, type Exemplified } from './exampleCall';
import { likelyName } from './likelyName';
import { schemaMisfit } from './schemaMisfit';
import { truncate } from '../../../protocol/plain/truncate';

type Schema = Readonly<Record<string, unknown>>;

/**
 * Lists everything wrong with a call's input, worded for a model: missing arguments, unknown arguments, wrong types.
 * `closed` makes arguments that the schema does not name faults.
 */
export function inputFaults(schema: Schema, input: unknown, closed = true): string[] {
  if (!isRecord(input)) return ['it must be an object'];
  return faultsOf(schema, input, '', closed);
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

function faultsOf(schema: Schema, value: Record<string, unknown>, at: string, closed: boolean): string[] {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'].filter((key) => typeof key === 'string') : [];
  const isGiven = (key: string): boolean => Object.hasOwn(value, key) && value[key] !== undefined;
  const missing = required.filter((key) => !isGiven(key));
  const strange =
    closed && !isOpen(schema)
      ? Object.keys(value).filter((key) => isGiven(key) && !Object.hasOwn(properties, key))
      : [];
  const namesOfCall = Object.keys(properties).filter(isGiven);
  return [
    ...(missing.length > 0
      ? [`${missing.map((key) => at + key).join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing`]
      : []),
    ...strange.map((key) =>
      describeUnknownKey(
        key,
        at,
        Object.keys(properties).filter((name) => !isGiven(name)),
        Object.keys(properties),
      ),
    ),
    ...namesOfCall.flatMap((key) => valueFaults(properties[key], value[key], at + key, closed)),
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
