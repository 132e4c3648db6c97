import { expected } from './expected';
import type { JsonSchema, Value } from './value';

/** The value that a person typed on the command line. Throws an `Error` in words where it cannot be one. */
export function fromText({ json, verbatim, moreChoices }: Value<unknown>, text: string): unknown {
  const wanted = [json.type].flat().find((type) => type !== 'null');
  switch (wanted) {
    case 'integer':
    case 'number':
      return numberIn(text, json);
    case 'array':
      return namesIn(text, json);
    case 'object':
      return objectIn(text);
    default:
      if (json.enum && !moreChoices && !json.enum.includes(text)) throw mustBe(json);
      return verbatim ? text : text.trim();
  }
}

const mustBe = (json: JsonSchema, example = ''): Error => new Error(`It must be ${expected(json)}${example}.`);

function numberIn(text: string, json: JsonSchema): number {
  const value = text.trim() === '' ? NaN : Number(text);
  if (!isInRange(value, json)) throw mustBe(json);
  return value;
}

function isInRange(value: number, { type, minimum = -Infinity, maximum = Infinity }: JsonSchema): boolean {
  const isWhole = ![type].flat().includes('integer') || Number.isSafeInteger(value);
  return Number.isFinite(value) && isWhole && value >= minimum && value <= maximum;
}

/** Names with commas between. */
function namesIn(text: string, json: JsonSchema): string[] {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const allowed = json.items?.enum;
  if (allowed && !names.every((name) => allowed.includes(name))) throw mustBe(json);
  return names;
}

function objectIn(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Said below.
  }
  throw new Error(`It must be a JSON object, such as '{"name":"value"}'.`);
}
