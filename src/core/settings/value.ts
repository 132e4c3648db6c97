import { errorMessage } from '../text/errorMessage';

/**
 * Type of a setting's value, as plain data: the manifest, the validation schema and the command line flag are generated
 * from it. Printing the help therefore loads nothing else.
 */
export interface SettingType<T> {
  /** JSON Schema, as read by the settings editor of VS Code. */
  readonly json: JsonSchema;
  /** A sentence for each choice. */
  readonly choiceWords?: Readonly<Record<string, string>>;
  /** A list in the code whose entries are additional choices. */
  readonly moreChoices?: keyof ChoiceLists;
  /** A sentence for each field of an object, by name. */
  readonly fieldWords?: Readonly<Record<string, string>>;
  /** True if each text must be a regular expression. */
  readonly isPattern?: boolean;
  /** True if leading and trailing spaces are significant. */
  readonly verbatim?: boolean;
  /** Never set. Carries the type. */
  readonly type?: T;
}

/** The part of JSON Schema that settings use. */
export interface JsonSchema {
  readonly type: JsonType | readonly JsonType[];
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: JsonSchema;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
}

type JsonType = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object' | 'null';

/**
 * Lists in the code that settings choose from. Settings do not import them: they are passed to the code that writes the
 * manifest.
 */
export interface ChoiceLists {
  readonly providers: readonly SettingChoice[];
  readonly profiles: readonly SettingChoice[];
}

/** A value that a setting may have, and its description for people. */
export interface SettingChoice {
  readonly name: string;
  readonly words: string;
  /** True if the text is a name, which is the same in every language. */
  readonly isName?: boolean;
}

/** A string. Space around it is removed unless it is `verbatim`. */
export const text = ({ verbatim = false } = {}): SettingType<string> => ({
  json: { type: 'string' },
  ...(verbatim && { verbatim }),
});

/** One of several choices, each with a sentence that describes it. */
export const choice = <Name extends string>(choiceWords: Readonly<Record<Name, string>>): SettingType<Name> => ({
  json: { type: 'string', enum: Object.keys(choiceWords) },
  choiceWords,
});

/** One of several self-explanatory choices. */
export const plainChoice = <const Name extends string>(...names: readonly Name[]): SettingType<Name> => ({
  json: { type: 'string', enum: names },
});

/**
 * An entry of a list in the code, or one of the given choices. Any text is accepted: the code that uses the value
 * reports unknown entries.
 */
export const choiceFrom = (
  moreChoices: keyof ChoiceLists,
  choiceWords: Readonly<Record<string, string>> = {},
): SettingType<string> => ({ json: { type: 'string', enum: Object.keys(choiceWords) }, choiceWords, moreChoices });

/** A set of choices, each with a sentence that describes it. */
export const choices = <Name extends string>(
  choiceWords: Readonly<Record<Name, string>>,
): SettingType<readonly Name[]> => ({
  json: { type: 'array', items: { type: 'string', enum: Object.keys(choiceWords) }, uniqueItems: true },
  choiceWords,
});

interface Range {
  readonly minimum?: number;
  readonly maximum?: number;
}

export const integer = (range: Range): SettingType<number> => ({ json: { type: 'integer', ...range } });

/** Null means that the default is decided elsewhere. */
export const integerOrNull = (range: Range): SettingType<number | null> => ({
  json: { type: ['integer', 'null'], ...range },
});

export const decimal = (range: Range): SettingType<number> => ({ json: { type: 'number', ...range } });

/** Null means that the default is decided elsewhere. */
export const decimalOrNull = (range: Range): SettingType<number | null> => ({
  json: { type: ['number', 'null'], ...range },
});

export const yesOrNo: SettingType<boolean> = { json: { type: 'boolean' } };

export const texts: SettingType<readonly string[]> = { json: { type: 'array', items: { type: 'string' } } };

/** A regular expression. Spaces at its ends are significant. */
export const pattern: SettingType<string> = { json: { type: 'string' }, verbatim: true, isPattern: true };

export const patterns: SettingType<readonly string[]> = { ...texts, isPattern: true };

export const nameList: SettingType<readonly string[]> = {
  json: { type: 'array', items: { type: 'string' }, uniqueItems: true },
};

export const textByName: SettingType<Readonly<Record<string, string>>> = {
  json: { type: 'object', additionalProperties: { type: 'string' } },
};

export const namesByName: SettingType<Readonly<Record<string, readonly string[]>>> = {
  json: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
};

/** An object that is passed on unchanged. */
export const anyObject: SettingType<Readonly<Record<string, unknown>>> = { json: { type: 'object' } };

/** Integers by name, each with its minimum and a sentence. All are optional. */
export function integersByName<Name extends string>(
  fields: Readonly<Record<Name, { readonly minimum: number; readonly words: string }>>,
): SettingType<Readonly<Partial<Record<Name, number>>>> {
  const entries = Object.entries<{ readonly minimum: number; readonly words: string }>(fields);
  const properties = entries.map(([name, { minimum }]) => [name, { type: 'integer', minimum }] as const);
  return {
    json: { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false },
    fieldWords: Object.fromEntries(entries.map(([name, { words }]) => [name, words])),
  };
}

/** Any other value, given by its JSON Schema. */
export const jsonValue = <T>(json: JsonSchema): SettingType<T> => ({ json });

/** Describes a valid value, as the end of a sentence that begins with "It must be". */
export function expectedWords(json: JsonSchema): string {
  if (json.enum) return `one of ${json.enum.filter((name) => name !== '').join(', ')}`;
  const wanted = [json.type].flat().find((type) => type !== 'null');
  switch (wanted) {
    case 'integer':
      return `a whole number${range(json)}`;
    case 'number':
      return `a number${range(json)}`;
    case 'boolean':
      return 'true or false';
    case 'array':
      return json.items?.enum ? `one or more of ${json.items.enum.join(', ')}` : 'a list of strings';
    case 'object':
      return 'a JSON object';
    default:
      return 'a string';
  }
}

/** Returns what is wrong with the regular expressions of a setting, in a sentence. */
export function patternProblem(
  { isPattern = false }: Pick<SettingType<unknown>, 'isPattern'>,
  rawValue: unknown,
): string | undefined {
  for (const text of isPattern ? [rawValue].flat() : [])
    try {
      new RegExp(String(text));
    } catch (error) {
      return `“${String(text)}” is not a regular expression (${errorMessage(error)}).`;
    }
  return undefined;
}

function range({ minimum, maximum }: JsonSchema): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  return minimum === undefined ? '' : ` of ${minimum} or more`;
}
