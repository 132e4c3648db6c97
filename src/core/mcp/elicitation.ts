import { anyOf, sequence } from '../text/alternatives';
import { withoutInvisible } from '../text/spotlight';
import { secrets } from '../secrets/secrets';

/** A question of a server to the person. All text is from the server, without invisible characters. */
export interface Elicitation {
  readonly message: string;
  readonly fields: readonly ElicitedField[];
}

/** A value that the server requests. */
export interface ElicitedField {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly required: boolean;
  readonly kind: 'text' | 'number' | 'integer' | 'yes_no' | 'one' | 'several';
  /** Choices for `one` and `several`. */
  readonly options: readonly { readonly value: string; readonly label: string }[];
  /** Default value of the server. For `yes_no` "true" or "false"; for `several` a list. */
  readonly fallback?: string | readonly string[];
  /** True if it seems to ask for a secret, which servers must not request in this way. */
  readonly secret: boolean;
  readonly format?: string;
  readonly least?: number;
  readonly most?: number;
}

/** The answer to one field. Several chosen options are a list. */
export type ElicitedValue = string | number | boolean | string[];

/** `decline`: the person refused. `cancel`: the person dismissed the question. */
export type Elicited =
  | { readonly action: 'accept'; readonly content: Record<string, ElicitedValue> }
  | { readonly action: 'decline' | 'cancel' };

const maxFields = 30;

/** Parses a server's question from its schema. Fields of kinds that are not in the protocol become text fields. */
export function elicitationOf({
  message,
  requestedSchema,
}: {
  readonly message: string;
  readonly requestedSchema?: unknown;
}): Elicitation {
  const { properties, required } = record(requestedSchema);
  const needed = Array.isArray(required) ? required : [];
  return {
    message: secrets.beginning(withoutInvisible(message).trim(), 4000),
    fields: Object.entries(record(properties))
      .slice(0, maxFields)
      .map(([name, schema]) => fieldOf(name, record(schema), needed.includes(name))),
  };
}

/** Returns the value of the last of these keywords that is a number. */
const lastNumber = (schema: Readonly<Record<string, unknown>>, keywords: readonly string[]): number | undefined =>
  keywords.map((keyword) => schema[keyword]).findLast((value) => typeof value === 'number');

function fallbackIn(offered: unknown): string | string[] | undefined {
  if (Array.isArray(offered)) return offered.filter((each) => typeof each === 'string');
  return ['string', 'number', 'boolean'].includes(typeof offered) ? String(offered) : undefined;
}

function fieldOf(name: string, schema: Readonly<Record<string, unknown>>, required: boolean): ElicitedField {
  const { type, title, description, format, items } = schema;
  const isMultiple = type === 'array';
  const options = optionsOf(isMultiple ? record(items) : schema);
  const kind = isMultiple ? 'several' : kindOfOne(type, options);
  const [words, explanation] = [visibleText(title) ?? withoutInvisible(name), visibleText(description) ?? ''];
  const least = lastNumber(schema, ['minLength', 'minimum', 'minItems']);
  const greatest = lastNumber(schema, ['maxLength', 'maximum', 'maxItems']);
  const fallback = fallbackIn(schema['default']);
  return {
    name,
    title: words,
    description: explanation,
    required,
    kind,
    options,
    secret:
      kind === 'text' &&
      secretWords.test(`${name.replace(/([a-z])([A-Z])/g, '$1 $2')} ${words} ${explanation}`.replace(/[_-]+/g, ' ')),
    ...(fallback !== undefined && { fallback }),
    ...(typeof format === 'string' && { format }),
    ...(least !== undefined && { least }),
    ...(greatest !== undefined && { most: greatest }),
  };
}

const secretWords = sequence(
  [
    /\b/,
    anyOf([
      /passwords?/,
      /passphrases?/,
      'passwd pwd',
      /secrets?/,
      /tokens?/,
      /api ?keys?/,
      /private keys?/,
      /access keys?/,
      /credentials?/,
      'pin cvc cvv otp',
      /one time (code|password)/,
      /recovery codes?/,
      /seed phrase/,
      /card numbers?/,
      'iban ssn',
      /social security/,
    ]),
    /\b/,
  ],
  'i',
);

function optionsOf({
  enum: values,
  enumNames,
  oneOf,
  anyOf,
}: Readonly<Record<string, unknown>>): ElicitedField['options'] {
  const titled = [oneOf, anyOf].find(Array.isArray) as unknown[] | undefined;
  if (titled)
    return titled
      .map(record)
      .flatMap(({ const: value, title }) =>
        typeof value === 'string' ? [{ value, label: visibleText(title) ?? withoutInvisible(value) }] : [],
      );
  const names = Array.isArray(enumNames) ? enumNames : [];
  return Array.isArray(values)
    ? values.flatMap((value, index) =>
        typeof value === 'string' ? [{ value, label: visibleText(names[index]) ?? withoutInvisible(value) }] : [],
      )
    : [];
}

/**
 * Converts a person's input to the value for the server. Undefined if it is empty. Throws an `Error` with a message for
 * people if it is invalid.
 */
export function elicitedValue(field: ElicitedField, input: string | readonly string[]): ElicitedValue | undefined {
  const { kind, required, options } = field;
  if (typeof input !== 'string') return chosenValues(field, input);
  const words = kind === 'text' ? input : input.trim();
  if (words === '') {
    if (required) throw new Error('Enter a value.');
    return undefined;
  }
  switch (kind) {
    case 'yes_no':
      if (/^(y|yes|true|1)$/i.test(words)) return true;
      if (/^(n|no|false|0)$/i.test(words)) return false;
      throw new Error('Answer yes or no.');
    case 'number':
    case 'integer':
      return enteredNumber(field, Number(words));
    case 'one': {
      const found = options.find(({ value, label }) => value === words || label === words);
      if (!found) throw new Error(`Choose one of ${options.map(({ label }) => label).join(', ')}.`);
      return found.value;
    }
    default:
      return checkedText(words, field);
  }
}

function chosenValues(
  { required, options, least = -Infinity, most: greatest = Infinity }: ElicitedField,
  input: readonly string[],
): string[] | undefined {
  const chosen = input.filter((each) => options.length === 0 || options.some(({ value }) => value === each));
  if (chosen.length === 0 && !required) return undefined;
  if (chosen.length < Math.max(least, required ? 1 : 0) || chosen.length > greatest)
    throw new Error(`Choose ${rangeWords(Math.max(least, 1), greatest)}.`);
  return chosen;
}

function enteredNumber({ kind, least = -Infinity, most: greatest = Infinity }: ElicitedField, number: number): number {
  if (kind === 'integer' && !Number.isInteger(number)) throw new Error('Enter a whole number.');
  if (!Number.isFinite(number)) throw new Error('Enter a number.');
  if (number < least || number > greatest) throw new Error(`The number must be ${rangeWords(least, greatest)}.`);
  return number;
}

function checkedText(words: string, { format, least = 0, most: greatest = Infinity }: ElicitedField): string {
  if (words.length < least || words.length > greatest)
    throw new Error(`The value must have ${rangeWords(least, greatest)} characters.`);
  if (format === 'email' && !/^[^\s@]+@[^\s@]+$/.test(words)) throw new Error('Enter an email address.');
  if (format === 'uri' && !/^[a-z][a-z0-9+.-]*:\S+$/i.test(words))
    throw new Error('Enter a URL, such as https://example.com.');
  if (format === 'date' && !(/^\d{4}-\d\d-\d\d$/.test(words) && !Number.isNaN(Date.parse(words))))
    throw new Error('Enter a date, such as 2026-01-31.');
  if (format === 'date-time' && !(/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(words) && !Number.isNaN(Date.parse(words))))
    throw new Error('Enter a date and time, such as 2026-01-31T12:00:00Z.');
  return words;
}

/** Kind of a field with a single value. */
function kindOfOne(type: unknown, options: readonly unknown[]): Exclude<ElicitedField['kind'], 'several'> {
  if (options.length > 0) return 'one';
  if (type === 'boolean') return 'yes_no';
  return type === 'number' || type === 'integer' ? type : 'text';
}

function rangeWords(least: number, greatest: number): string {
  if (least === greatest) return `exactly ${least}`;
  if (least === -Infinity || least === 0) return `at most ${greatest}`;
  return greatest === Infinity ? `at least ${least}` : `${least} to ${greatest}`;
}

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
const visibleText = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? withoutInvisible(value) : undefined;
