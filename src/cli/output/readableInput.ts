import { isRecord } from '../../core/text/parseJson';

/**
 * Formats the input of a call for people at a terminal: one value per line, and each line of a longer text behind a bar,
 * so that code reads as code and cannot look like another value.
 */
export function readableInput(input: unknown): string {
  const values = isRecord(input) || Array.isArray(input) ? input : { input };
  return valuesOf(values).join('\n');
}

const valuesOf = (values: Record<string, unknown> | readonly unknown[]): string[] =>
  Object.entries(values).flatMap(([name, value]) =>
    linesOf(Array.isArray(values) ? `${Number(name) + 1}` : name, value),
  );

function linesOf(name: string, value: unknown): string[] {
  if (typeof value === 'string' && value.includes('\n'))
    return [`${name}:`, ...value.split('\n').map((line) => `  │ ${line}`)];
  if (isRecord(value) || Array.isArray(value)) return [`${name}:`, ...valuesOf(value).map((line) => `  ${line}`)];
  return [`${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`];
}
