/** Accessors for untyped JSON. Each returns undefined if there is no such value. */

import { isRecord } from '../../text/parseJson';
import { errorMessage } from '../../text/errorMessage';

/** An object of a file that another program may have written. */
export type JsonObject = Record<string, unknown>;

export const objectIn = (value: unknown, key: string): JsonObject | undefined =>
  isRecord(value) && isRecord(ownField(value, key)) ? (ownField(value, key) as JsonObject) : undefined;
export const listIn = (value: unknown, key: string): unknown[] | undefined =>
  isRecord(value) && Array.isArray(ownField(value, key)) ? (ownField(value, key) as unknown[]) : undefined;
export const textIn = (value: unknown, key: string): string | undefined =>
  isRecord(value) && typeof ownField(value, key) === 'string' ? (ownField(value, key) as string) : undefined;
/** Returns a finite number. */
export const numberIn = (value: unknown, key: string): number | undefined =>
  isRecord(value) && Number.isFinite(ownField(value, key)) ? (ownField(value, key) as number) : undefined;

const ownField = (value: JsonObject, key: string): unknown => (Object.hasOwn(value, key) ? value[key] : undefined);

/** Maximum nesting depth. No valid run nests deeper, and recursive functions would overflow the stack. */
export const maxNesting = 200;
const tooDeep = '[nested too deeply to be shown]';

/** Replaces, in place, everything nested deeper than `left`, and returns the value. */
export function withinMaxNesting(value: unknown, left = maxNesting): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (left === 0) return tooDeep;
  for (const [key, part] of Object.entries(value)) {
    if (typeof part !== 'object' || part === null) continue;
    const kept = withinMaxNesting(part, left - 1);
    if (kept !== part) (value as JsonObject)[key] = kept;
  }
  return value;
}

/** Parses a text, limited to the depth `maxNesting`. Returns the reason if it is not JSON. */
export function parseBoundedJson(text: string): { value: unknown } | { problem: string } {
  try {
    return { value: withinMaxNesting(JSON.parse(text)) };
  } catch (thrown) {
    return { problem: errorMessage(thrown) };
  }
}
