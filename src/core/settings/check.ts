import * as z from 'zod';
import { expected } from './expected';
import { settings, type GivenSettings, type SettingKey, type SettingValues } from './table';
import type { JsonSchema, Value } from './value';

/** The schema of a value, made from its description. */
function schemaOf(json: JsonSchema): z.ZodType {
  const types = [json.type].flat();
  const schema = schemaOfType(
    types.find((type) => type !== 'null')!,
    json,
  );
  return types.includes('null') ? schema.nullable() : schema;
}

function schemaOfType(type: string, json: JsonSchema): z.ZodType {
  switch (type) {
    case 'integer':
      return inRange(z.int(), json);
    case 'number':
      return inRange(z.number(), json);
    case 'boolean':
      return z.boolean();
    case 'array':
      return z.array(json.items ? schemaOf(json.items) : z.unknown());
    case 'object':
      return objectSchema(json);
    default:
      return json.enum ? z.enum(json.enum as [string, ...string[]]) : z.string();
  }
}

const inRange = (number: z.ZodNumber, { minimum = -Infinity, maximum = Infinity }: JsonSchema): z.ZodNumber =>
  number.min(minimum).max(maximum);

function objectSchema({ properties, required = [], additionalProperties }: JsonSchema): z.ZodType {
  if (!properties)
    return z.record(
      z.string(),
      typeof additionalProperties === 'object' ? schemaOf(additionalProperties) : z.unknown(),
    );
  const fields = Object.entries(properties).map(([name, json]) => {
    const schema = schemaOf(json);
    return [name, required.includes(name) ? schema : schema.optional()] as const;
  });
  const object = Object.fromEntries(fields);
  return additionalProperties === false ? z.strictObject(object) : z.looseObject(object);
}

const made = new Map<JsonSchema, z.ZodType>();

function knownSchemaOf(value: Value<unknown>): z.ZodType {
  const json = checkedPart(value);
  const known = made.get(value.json) ?? schemaOf(json);
  made.set(value.json, known);
  return known;
}

/** An entry of a list of the code may be any text here: who uses it says when there is no such entry. */
const checkedPart = ({ json, moreChoices }: Value<unknown>): JsonSchema => (moreChoices ? { type: 'string' } : json);

/** What of a value is wrong, in a sentence; undefined where nothing is. */
function misfit(value: Value<unknown>, given: unknown): string | undefined {
  const [issue] = knownSchemaOf(value).safeParse(given).error?.issues ?? [];
  if (!issue) return undefined;
  if (issue.code === 'unrecognized_keys') return `There is no field ${issue.keys.join(', ')}.`;
  const place = issue.path.join('.');
  const wanted = expected(jsonAt(checkedPart(value), issue.path));
  return place === '' ? `It must be ${wanted}.` : `“${place}” must be ${wanted}.`;
}

/** The description of the part of a value that `path` leads to. */
function jsonAt(json: JsonSchema, path: readonly PropertyKey[]): JsonSchema {
  let at = json;
  for (const step of path) {
    const { properties, items, additionalProperties } = at;
    const inObject =
      properties?.[String(step)] ?? (typeof additionalProperties === 'object' ? additionalProperties : at);
    at = items ?? inObject;
  }
  return at;
}

export interface Checked<T> {
  readonly value: T;
  /** What was wrong with the value that was given, in a sentence. */
  readonly problem?: string;
}

/**
 * The value of a setting. Of one that is wrong the right parts count: a name in a list that is no text does not bring the other names back.
 * Where nothing is left, the default counts.
 */
export function checked<Key extends SettingKey>(key: Key, given: unknown): Checked<SettingValues[Key]> {
  const { value, default: usual } = settings[key];
  const problem = misfit(value, given);
  if (problem === undefined) return { value: tidy(value, given) as SettingValues[Key] };
  const kept = rightPart(value.json, given);
  return { value: (kept === undefined ? usual : tidy(value, kept)) as SettingValues[Key], problem };
}

function tidy(value: Value<unknown>, given: unknown): unknown {
  if (typeof given === 'string') return value.verbatim ? given : given.trim();
  return Array.isArray(given) ? given.filter((each) => typeof each !== 'string' || each.trim() !== '') : given;
}

function rightPart({ items, properties, additionalProperties }: JsonSchema, given: unknown): unknown {
  if (Array.isArray(given) && items) {
    const schema = schemaOf(items);
    return given.filter((each) => schema.safeParse(each).success);
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined;
  const fits = (name: string, each: unknown): boolean => {
    const json = properties?.[name] ?? additionalProperties;
    return typeof json === 'object' ? schemaOf(json).safeParse(each).success : json !== false;
  };
  return Object.fromEntries(Object.entries(given).filter(([name, each]) => fits(name, each)));
}

/** The first name of an object that is no setting; undefined where all are. What is no object is said as JSON. */
export function firstUnknown(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value);
  return Object.keys(value).find((name) => !Object.hasOwn(settings, name));
}

/** The first thing that is wrong with what a person gave, with the name of the setting. */
export function firstProblem(given: GivenSettings): { readonly key: SettingKey; readonly problem: string } | undefined {
  for (const [key, value] of Object.entries(given)) {
    const problem = misfit(settings[key as SettingKey].value, value);
    if (problem !== undefined) return { key: key as SettingKey, problem };
  }
  return undefined;
}
