/** A number that Python writes as a float: 3.0, not 3. */
export class PythonFloat {
  constructor(readonly value: number) {}
}

const floatMark = '\u0000float:';

/**
 * Same output as `json.dump(value, indent=2, ensure_ascii=False)`: a file as Hermes Agent writes it, without a final
 * newline.
 */
export function pythonFile(value: unknown): string {
  const text = JSON.stringify(
    value,
    (_, part: unknown) => (part instanceof PythonFloat ? `${floatMark}${floatText(part.value)}` : part),
    2,
  );
  return text.replace(/"\\u0000float:([^"]*)"/g, '$1');
}

function floatText(value: number): string {
  const text = String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

/** Approximates Python's `round(value, 2)`, close enough for percentages and seconds. */
export const rounded = (value: number): PythonFloat => new PythonFloat(Number(value.toFixed(2)));
