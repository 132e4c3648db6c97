/** Values of a template, printed the way Python prints them. */

import { compareTexts } from '../order';

interface Value {
  readonly type: string;
  readonly value: unknown;
}

/** Formats a value like Python's `str()`. */
export const pythonText = (value: Value): string =>
  value.type === 'StringValue' ? (value.value as string) : pythonRepr(value);

function pythonRepr(value: Value): string {
  switch (value.type) {
    case 'StringValue':
      return quote(value.value as string);
    case 'NullValue':
      return 'None';
    case 'BooleanValue':
      return value.value ? 'True' : 'False';
    case 'FloatValue':
      return pythonFloat(value.value as number);
    case 'TupleValue':
      return `(${items(value).map(pythonRepr).join(', ')}${items(value).length === 1 ? ',' : ''})`;
    case 'ArrayValue':
      return `[${items(value).map(pythonRepr).join(', ')}]`;
    case 'ObjectValue':
      return `{${entries(value)
        .map(([key, each]) => `${quote(key)}: ${pythonRepr(each)}`)
        .join(', ')}}`;
    default:
      return String(value.value);
  }
}

/** Formats a value like Jinja's `tojson`: sorted keys, a space after comma and colon, ASCII only, safe inside HTML. */
export function pythonJson(value: Value, indent = 0): string {
  return json(value, indent, '\n').replace(/[<>&'\u007f-\uffff]/g, escape);
}

function json(value: Value, indent: number, line: string): string {
  const list = (open: string, parts: readonly string[], close: string): string => {
    if (parts.length === 0 || indent === 0) return open + parts.join(', ') + close;
    return `${open}${inner}${parts.join(`,${inner}`)}${line}${close}`;
  };
  const inner = line + ' '.repeat(indent);
  switch (value.type) {
    case 'NullValue':
      return 'null';
    case 'FloatValue':
      return pythonFloat(value.value as number)
        .replace('inf', 'Infinity')
        .replace('nan', 'NaN');
    case 'TupleValue':
    case 'ArrayValue':
      return list(
        '[',
        items(value).map((each) => json(each, indent, inner)),
        ']',
      );
    case 'NamespaceValue':
    case 'ObjectValue': {
      const sorted = entries(value).sort(([a], [b]) => compareTexts(a, b));
      return list(
        '{',
        sorted.map(([key, each]) => `${JSON.stringify(key)}: ${json(each, indent, inner)}`),
        '}',
      );
    }
    case 'FunctionValue':
    case 'UndefinedValue':
      throw new Error('Only values can be written as JSON');
    default:
      return JSON.stringify(value.value);
  }
}

/** Formats a number like a Python float: 2.0, 0.1, 1e-07, 1e+16. */
function pythonFloat(number: number): string {
  if (!Number.isFinite(number)) return String(number).replace('Infinity', 'inf').replace('NaN', 'nan');
  const [digits = '', power = '0'] = number.toExponential().split('e');
  const exponent = Number(power);
  if (number !== 0 && (exponent < -4 || exponent >= 16))
    return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
  if (Object.is(number, -0)) return '-0.0';
  return Number.isInteger(number) ? `${number}.0` : String(number);
}

const items = ({ value }: Value): readonly Value[] => value as readonly Value[];
const entries = ({ value }: Value): [string, Value][] => [...(value as ReadonlyMap<string, Value>)];
const escape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function quote(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  const inside = text.replace(
    /[\\\u0000-\u001f\u007f-\u00a0]/g,
    (character) => escapes[character] ?? `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
  return mark + (mark === "'" ? inside.replaceAll("'", "\\'") : inside) + mark;
}
