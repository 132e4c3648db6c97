import { Float, type Value } from './engine';
import { pythonJson, pythonText } from './python';

export interface Arguments {
  readonly positional: readonly Value[];
  readonly named: ReadonlyMap<string, Value>;
}

/**
 * Returns the filter's result as a plain value, or undefined if the package's own filter handles the case correctly.
 */
type Filter = (operand: Value, given: Arguments) => unknown;

/**
 * Filters that the package lacks or implements differently from Jinja. Only `default` ever receives undefined operands.
 */
export const filters: Readonly<Record<string, Filter>> = {
  tojson: (operand, given) => pythonJson(operand, Number(argument(given, 0, 'indent')?.value ?? 0)),
  string: (operand) => pythonText(operand),
  length: (operand) => (operand.type === 'StringValue' ? [...(operand.value as string)].length : undefined),
  count: (operand) => {
    if (operand.value instanceof Map) return operand.value.size;
    return [...(operand.value as unknown as Iterable<unknown>)].length;
  },
  join: (operand, given) => {
    const separator = argument(given, 0, 'd');
    if (operand.type !== 'ArrayValue' && operand.type !== 'TupleValue') return undefined;
    return (operand.value as unknown as Value[]).map(pythonText).join(separator ? pythonText(separator) : '');
  },
  round: (operand, given) => {
    const answer = rounded(Number(operand.value), Number(argument(given, 0, 'precision')?.value ?? 0));
    return operand.type === 'FloatValue' ? new Float(answer) : answer;
  },
};

const argument = ({ positional, named }: Arguments, index: number, name: string): Value | undefined =>
  positional[index] ?? named.get(name);

/** Rounds halves to even. */
function rounded(number: number, precision: number): number {
  const scaled = number * 10 ** precision;
  const below = Math.floor(scaled);
  if (scaled - below === 0.5) return (below % 2 === 0 ? below : below + 1) / 10 ** precision;
  return precision >= 0 ? Number(number.toFixed(precision)) : Math.round(scaled) / 10 ** precision;
}

/** Equality as Python's `==` defines it. */
export function equal(a: Value, b: Value): boolean {
  if (isNumber(a) && isNumber(b)) return Number(a.value) === Number(b.value);
  if (a.type !== b.type) return false;
  if (Array.isArray(a.value)) {
    const others = b.value as unknown as Value[];
    return (
      a.value.length === others.length &&
      (a.value as unknown as Value[]).every((item, index) => equal(item, others[index]!))
    );
  }
  if (!(a.value instanceof Map)) return a.value === b.value;
  const others = b.value as unknown as Map<string, Value>;
  return (
    a.value.size === others.size &&
    [...(a.value as unknown as Map<string, Value>)].every(
      ([key, value]) => others.has(key) && equal(value, others.get(key)!),
    )
  );
}

const isNumber = ({ type }: Value): boolean =>
  type === 'IntegerValue' || type === 'FloatValue' || type === 'BooleanValue';
