import { errorMessage } from '../text/errorMessage';
import type { JsonSchema, Value } from './value';

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
  { isPattern = false }: Pick<Value<unknown>, 'isPattern'>,
  given: unknown,
): string | undefined {
  for (const text of isPattern ? [given].flat() : [])
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
