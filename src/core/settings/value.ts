/**
 * What may stand in a setting. It is plain data: the manifest, the schema that checks a value, and the flag of the
 * command line are made from it, so nothing has to be loaded to print help.
 */
export interface Value<T> {
  /** JSON Schema, as the settings editor of VS Code reads it. */
  readonly json: JsonSchema;
  /** A sentence for each choice, by the choice. */
  readonly choiceWords?: Readonly<Record<string, string>>;
  /** A list of the code whose entries are further choices. */
  readonly moreChoices?: keyof ChoiceLists;
  /** A sentence for each field of an object, by its name. */
  readonly fieldWords?: Readonly<Record<string, string>>;
  /** Spaces around a text belong to it. */
  readonly verbatim?: boolean;
  /** Never set: it carries the type. */
  readonly type?: T;
}

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

export type JsonType = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object' | 'null';

/**
 * Lists of the code that a setting chooses from. The settings do not import them: they
 * are handed to whoever writes the manifest.
 */
export interface ChoiceLists {
  readonly providers: readonly Choice[];
  readonly profiles: readonly Choice[];
}

export interface Choice {
  readonly name: string;
  readonly words: string;
  /** The words are a name, which is the same in every language. */
  readonly isName?: boolean;
}

export const text = ({ verbatim = false } = {}): Value<string> => ({
  json: { type: 'string' },
  ...(verbatim && { verbatim }),
});

/** One of several words, each with a sentence that says what it does. */
export const choice = <Name extends string>(choiceWords: Readonly<Record<Name, string>>): Value<Name> => ({
  json: { type: 'string', enum: Object.keys(choiceWords) },
  choiceWords,
});

/** One of several words that explain themselves. */
export const plainChoice = <const Name extends string>(...names: readonly Name[]): Value<Name> => ({
  json: { type: 'string', enum: names },
});

/**
 * An entry of a list of the code, or one of the words here. Any text is read: who
 * uses it says when there is no such entry.
 */
export const choiceFrom = (
  moreChoices: keyof ChoiceLists,
  choiceWords: Readonly<Record<string, string>> = {},
): Value<string> => ({ json: { type: 'string', enum: Object.keys(choiceWords) }, choiceWords, moreChoices });

/** Several words of a few, each with a sentence that says what it does. */
export const choices = <Name extends string>(choiceWords: Readonly<Record<Name, string>>): Value<readonly Name[]> => ({
  json: { type: 'array', items: { type: 'string', enum: Object.keys(choiceWords) }, uniqueItems: true },
  choiceWords,
});

interface Range {
  readonly minimum?: number;
  readonly maximum?: number;
}

export const integer = (range: Range): Value<number> => ({ json: { type: 'integer', ...range } });

/** Null where somebody else decides. */
export const integerOrNull = (range: Range): Value<number | null> => ({
  json: { type: ['integer', 'null'], ...range },
});

export const decimal = (range: Range): Value<number> => ({ json: { type: 'number', ...range } });

/** Null where somebody else decides. */
export const decimalOrNull = (range: Range): Value<number | null> => ({
  json: { type: ['number', 'null'], ...range },
});

export const yesOrNo: Value<boolean> = { json: { type: 'boolean' } };

export const texts: Value<readonly string[]> = { json: { type: 'array', items: { type: 'string' } } };

export const names: Value<readonly string[]> = {
  json: { type: 'array', items: { type: 'string' }, uniqueItems: true },
};

export const textByName: Value<Readonly<Record<string, string>>> = {
  json: { type: 'object', additionalProperties: { type: 'string' } },
};

export const namesByName: Value<Readonly<Record<string, readonly string[]>>> = {
  json: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
};

/** An object that is passed on as it is. */
export const anyObject: Value<Readonly<Record<string, unknown>>> = { json: { type: 'object' } };

/** Whole numbers by name, each with its least value and a sentence. All may be left out. */
export function integersByName<Name extends string>(
  fields: Readonly<Record<Name, { readonly minimum: number; readonly words: string }>>,
): Value<Readonly<Partial<Record<Name, number>>>> {
  const entries = Object.entries<{ readonly minimum: number; readonly words: string }>(fields);
  const properties = entries.map(([name, { minimum }]) => [name, { type: 'integer', minimum }] as const);
  return {
    json: { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false },
    fieldWords: Object.fromEntries(entries.map(([name, { words }]) => [name, words])),
  };
}

/** Any other value, by its JSON Schema. */
export const shaped = <T>(json: JsonSchema): Value<T> => ({ json });
