import type { InPieces } from '../text/slices';
import type { JsonObject } from './reading/json';

/**
 * Returns what `JSON.stringify(value, null, indent)` returns, and yields after each entry of the lists in `value`.
 * `spelled`: changes the text of each entry and field.
 */
export function* jsonInPieces(
  value: JsonObject,
  { indent = 0, spelled = (text: string): string => text } = {},
): InPieces<string> {
  const lineAt = (depth: number): string => (indent > 0 ? `\n${' '.repeat(indent * depth)}` : '');
  /** Breaks in JSON text are never inside strings. */
  const textAt = (depth: number, part: unknown): string | undefined => {
    const text = JSON.stringify(part, null, indent) as string | undefined;
    return text && spelled(indent > 0 ? text.replaceAll('\n', lineAt(depth)) : text);
  };
  const fields: string[] = [];
  for (const [key, part] of Object.entries(value)) {
    let text = textAt(1, Array.isArray(part) ? [] : part);
    if (Array.isArray(part) && part.length > 0) {
      const entries: string[] = [];
      for (const entry of part as unknown[]) {
        entries.push(`${lineAt(2)}${textAt(2, entry) ?? 'null'}`);
        yield;
      }
      text = `[${entries.join(',')}${lineAt(1)}]`;
    }
    if (text !== undefined) fields.push(`${lineAt(1)}${spelled(JSON.stringify(key))}:${indent > 0 ? ' ' : ''}${text}`);
  }
  return fields.length === 0 ? '{}' : `{${fields.join(',')}${lineAt(0)}}`;
}
