import { settings, type UserSettings, type SettingKey, type SettingValues } from './table';
import { type JsonSchema, type SettingType, expectedWords, patternProblem } from './value';
import { isRecord } from '../text/parseJson';

/** The first part of a value that does not match its schema. */
interface Misfit {
  /** Path to the part, from the root of the value. */
  readonly path: readonly (string | number)[];
  readonly json: JsonSchema;
  /** Names of unknown fields, if these are the mismatch. */
  readonly unknownFields?: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

const fits = (json: JsonSchema, value: unknown): boolean => misfitIn(json, value) === undefined;

function misfitIn(json: JsonSchema, value: unknown, path: Misfit['path'] = []): Misfit | undefined {
  const types = [json.type].flat();
  if (value === null && types.includes('null')) return undefined;
  const isRight = isOfType(
    types.find((type) => type !== 'null')!,
    json,
    value,
  );
  if (!isRight) return { path, json };
  if (Array.isArray(value)) return json.items && misfitInList(json.items, value, path);
  return isRecord(value) ? misfitInFields(json, value, path) : undefined;
}

/** Checks a value without its parts. */
function isOfType(type: string, json: JsonSchema, value: unknown): boolean {
  switch (type) {
    case 'integer':
      return Number.isSafeInteger(value) && isInRange(value as number, json);
    case 'number':
      return Number.isFinite(value) && isInRange(value as number, json);
    case 'boolean':
      return typeof value === 'boolean';
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isRecord(value);
    default:
      return typeof value === 'string' && (json.enum === undefined || json.enum.includes(value));
  }
}

const isInRange = (number: number, { minimum = -Infinity, maximum = Infinity }: JsonSchema): boolean =>
  number >= minimum && number <= maximum;

function misfitInList(items: JsonSchema, list: readonly unknown[], path: Misfit['path']): Misfit | undefined {
  for (const [index, each] of list.entries()) {
    const misfit = misfitIn(items, each, [...path, index]);
    if (misfit) return misfit;
  }
  return undefined;
}

function misfitInFields(json: JsonSchema, value: Fields, path: Misfit['path']): Misfit | undefined {
  const { properties = {}, required = [], additionalProperties } = json;
  for (const [name, field] of Object.entries(properties)) {
    const mayBeAbsent = value[name] === undefined && !required.includes(name);
    const misfit = mayBeAbsent ? undefined : misfitIn(field, value[name], [...path, name]);
    if (misfit) return misfit;
  }
  const others = Object.keys(value).filter((name) => !Object.hasOwn(properties, name));
  if (additionalProperties === false && others.length > 0) return { path, json, unknownFields: others };
  if (typeof additionalProperties !== 'object') return undefined;
  for (const name of others) {
    const misfit = misfitIn(additionalProperties, value[name], [...path, name]);
    if (misfit) return misfit;
  }
  return undefined;
}

/** Accepts any text for entries from `ChoiceLists`: the code that uses the value reports unknown entries. */
const checkedPart = ({ json, moreChoices }: SettingType<unknown>): JsonSchema =>
  moreChoices ? { type: 'string' } : json;

/** Describes what is wrong with a value in a sentence. Returns undefined if it is valid. */
function problemOf(value: SettingType<unknown>, rawValue: unknown): string | undefined {
  const misfit = misfitIn(checkedPart(value), rawValue);
  if (!misfit) return patternProblem(value, rawValue);
  if (misfit.unknownFields) return `There is no field ${misfit.unknownFields.join(', ')}.`;
  const wanted = expectedWords(misfit.json);
  return misfit.path.length === 0 ? `It must be ${wanted}.` : `“${misfit.path.join('.')}” must be ${wanted}.`;
}

/** A setting that is safe to use, and what was wrong with the configured value. */
interface Checked<T> {
  readonly value: T;
  /** What is wrong with the given value, in a sentence. */
  readonly problem?: string;
}

/**
 * Returns the checked value of a setting. If it is invalid, keeps its valid parts: an invalid entry in a list does not
 * bring the default entries back. If nothing valid is left, returns the default.
 */
export function checkedSetting<Key extends SettingKey>(key: Key, rawValue: unknown): Checked<SettingValues[Key]> {
  const { value, default: usual } = settings[key];
  const problem = problemOf(value, rawValue);
  if (problem === undefined) return { value: trimValue(value, rawValue) as SettingValues[Key] };
  const rightGiven = rightPart(value, rawValue);
  return { value: (rightGiven === undefined ? usual : trimValue(value, rightGiven)) as SettingValues[Key], problem };
}

function trimValue(value: SettingType<unknown>, rawValue: unknown): unknown {
  if (typeof rawValue === 'string') return value.verbatim ? rawValue : rawValue.trim();
  return Array.isArray(rawValue) ? rawValue.filter((each) => typeof each !== 'string' || each.trim() !== '') : rawValue;
}

function rightPart(value: SettingType<unknown>, rawValue: unknown): unknown {
  const { items, properties, additionalProperties } = value.json;
  if (Array.isArray(rawValue) && items)
    return rawValue.filter((each) => fits(items, each) && patternProblem(value, each) === undefined);
  if (!isRecord(rawValue)) return undefined;
  const isRight = ([name, each]: [string, unknown]): boolean => {
    const json = properties?.[name] ?? additionalProperties;
    return typeof json === 'object' ? fits(json, each) : json !== false;
  };
  return Object.fromEntries(Object.entries(rawValue).filter(isRight));
}

/**
 * Returns the first key of an object that is not a setting, or undefined if all are. If the value is not an object,
 * returns it as JSON.
 */
export function firstUnknown(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value);
  return Object.keys(value).find((name) => !Object.hasOwn(settings, name));
}

/** Returns the first invalid value among the given settings, with the key of the setting. */
export function firstProblem(
  userSettings: UserSettings,
): { readonly key: SettingKey; readonly problem: string } | undefined {
  for (const [key, value] of Object.entries(userSettings)) {
    const problem = problemOf(settings[key as SettingKey].value, value);
    if (problem !== undefined) return { key: key as SettingKey, problem };
  }
  return undefined;
}
