/** A number that Python writes as a float: 3.0, not 3. */
export class PythonFloat {
  constructor(readonly value: number) {}
}

const mark = '\u0000float:';

/** `json.dump(value, indent=2, ensure_ascii=False)`: a file as Hermes Agent writes it, without a line end. */
export function pythonFile(value: unknown): string {
  const text = JSON.stringify(
    value,
    (_, part: unknown) => (part instanceof PythonFloat ? `${mark}${floatText(part.value)}` : part),
    2,
  );
  return text.replace(/"\\u0000float:([^"]*)"/g, '$1');
}

function floatText(value: number): string {
  const text = String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

/** Python's `round(value, 2)`, near enough for percentages and seconds. */
export const rounded = (value: number): PythonFloat => new PythonFloat(Number(value.toFixed(2)));
