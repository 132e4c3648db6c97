import {
  Float,
  type TemplateValue,
  valuesOf,
  type Engine,
  type TemplateScope,
  dottedName,
  optionalOperand,
  nodeName,
  type Node,
} from './engine';
import { pythonJson, pythonText } from './python';
import { type ParsedTemplate, describeTemplateError, TemplateProblem } from './parse';

interface Arguments {
  readonly positional: readonly TemplateValue[];
  readonly named: ReadonlyMap<string, TemplateValue>;
}

/**
 * Returns the filter's result as a plain value, or undefined if the package's own filter handles the case correctly.
 */
type Filter = (operand: TemplateValue, filterArguments: Arguments) => unknown;

/**
 * Filters that the package lacks or implements differently from Jinja. Only `default` ever receives undefined operands.
 */
const filters: Readonly<Record<string, Filter>> = {
  tojson: (operand, filterArguments) => pythonJson(operand, Number(argument(filterArguments, 0, 'indent')?.value ?? 0)),
  string: (operand) => pythonText(operand),
  length: (operand) => (operand.type === 'StringValue' ? [...(operand.value as string)].length : undefined),
  count: (operand) => {
    if (operand.value instanceof Map) return operand.value.size;
    return [...(operand.value as unknown as Iterable<unknown>)].length;
  },
  join: (operand, filterArguments) => {
    const separator = argument(filterArguments, 0, 'd');
    if (operand.type !== 'ArrayValue' && operand.type !== 'TupleValue') return undefined;
    return (operand.value as unknown as TemplateValue[]).map(pythonText).join(separator ? pythonText(separator) : '');
  },
  round: (operand, filterArguments) => {
    const answer = rounded(Number(operand.value), Number(argument(filterArguments, 0, 'precision')?.value ?? 0));
    return operand.type === 'FloatValue' ? new Float(answer) : answer;
  },
};

const argument = ({ positional, named }: Arguments, index: number, name: string): TemplateValue | undefined =>
  positional[index] ?? named.get(name);

/** Rounds halves to even. */
function rounded(number: number, precision: number): number {
  const scaled = number * 10 ** precision;
  const below = Math.floor(scaled);
  if (scaled - below === 0.5) return (below % 2 === 0 ? below : below + 1) / 10 ** precision;
  return precision >= 0 ? Number(number.toFixed(precision)) : Math.round(scaled) / 10 ** precision;
}

/** Equality as Python's `==` defines it. */
function equal(a: TemplateValue, b: TemplateValue): boolean {
  if (isNumber(a) && isNumber(b)) return Number(a.value) === Number(b.value);
  if (a.type !== b.type) return false;
  if (Array.isArray(a.value)) {
    const others = b.value as unknown as TemplateValue[];
    return (
      a.value.length === others.length &&
      (a.value as unknown as TemplateValue[]).every((item, index) => equal(item, others[index]!))
    );
  }
  if (!(a.value instanceof Map)) return a.value === b.value;
  const others = b.value as unknown as Map<string, TemplateValue>;
  return (
    a.value.size === others.size &&
    [...(a.value as unknown as Map<string, TemplateValue>)].every(
      ([key, value]) => others.has(key) && equal(value, others.get(key)!),
    )
  );
}

const isNumber = ({ type }: TemplateValue): boolean =>
  type === 'IntegerValue' || type === 'FloatValue' || type === 'BooleanValue';

const statements = new Set([
  'Set',
  'If',
  'For',
  'Macro',
  'CallStatement',
  'FilterStatement',
  'Break',
  'Continue',
  'StringLiteral',
]);
const maxItems = 100_000;

/** Names that are defined in every template. */
export const globals: Readonly<Record<string, unknown>> = {
  true: true,
  false: false,
  none: null,
  True: true,
  False: false,
  None: null,
  range,
};

/**
 * Renders a template as Jinja does with `StrictUndefined`. Reading a variable that does not exist is an error, even if
 * its value would not be needed. Throws `TemplateProblem`.
 */
export function interpret(
  engine: Engine,
  { where, program, lines, verbatim }: ParsedTemplate,
  variables: Readonly<Record<string, unknown>>,
): string {
  const { Environment, Interpreter } = engine.jinja;
  const toValue = valuesOf(engine);
  const scope = new Environment();
  for (const [name, plain] of [...Object.entries(globals), ...Object.entries(variables), ...verbatim])
    scope.setVariable(name, toValue(plain));
  const interpreter = new Interpreter(scope);
  const original = interpreter.evaluate.bind(interpreter) as unknown as (
    node: Node,
    scope: TemplateScope,
  ) => TemplateValue | undefined;
  const evaluate = (node: Node, within: TemplateScope): TemplateValue =>
    interpreter.evaluate(node as unknown as Parameters<typeof interpreter.evaluate>[0], within);
  const lenient = new Set<Node>();
  let line = 1;

  interpreter.evaluate = ((node: Node | undefined, within: TemplateScope): TemplateValue => {
    // An omitted bound of a slice.
    if (!node) return toValue(undefined);
    const outer = line;
    line = lines.get(node) ?? line;
    const operand = optionalOperand(node);
    if (operand) lenient.add(operand);
    const value = ownAnswer(node, within) ?? original(node, within) ?? toValue(undefined);
    if (value.type === 'UndefinedValue' && !lenient.has(node)) refuseUndefined(node, within);
    line = outer;
    return lines.has(node) && !statements.has(node.type) && printsOtherwise.has(value.type)
      ? toValue(pythonText(value))
      : value;
  }) as unknown as typeof interpreter.evaluate;

  try {
    return pythonText(evaluate(program, scope));
  } catch (error) {
    throw error instanceof TemplateProblem
      ? error
      : new TemplateProblem({ where, line }, { why: describeTemplateError(error as Error), next: 'Correct it.' });
  }

  /** Evaluates nodes that the package gets wrong or does not support. Returns undefined for all others. */
  function ownAnswer(node: Node, within: TemplateScope): TemplateValue | undefined {
    const operator = node.type === 'BinaryExpression' ? node.operator!.value : '';
    if (['==', '!=', '~'].includes(operator)) {
      const [left, right] = [evaluate(node.left!, within), evaluate(node.right!, within)];
      return toValue(
        operator === '~' ? pythonText(left) + pythonText(right) : equal(left, right) === (operator === '=='),
      );
    }
    if (node.type !== 'FilterExpression') return undefined;
    const name = nodeName(node.filter);
    const filter = Object.hasOwn(filters, name) ? filters[name] : undefined;
    if (!filter && name !== 'default' && name !== 'd') return undefined;
    const value = evaluate(node.operand!, within);
    const args = argumentsOf(node.filter!, within);
    if (!filter)
      return value.type === 'UndefinedValue' ||
        (isTrue(args.positional[1] ?? args.named.get('boolean')) && !isTrue(value))
        ? (args.positional[0] ?? args.named.get('default_value') ?? toValue(''))
        : value;
    const answer = filter(value, args);
    return answer === undefined ? undefined : toValue(answer);
  }

  function argumentsOf(filter: Node, within: TemplateScope): Arguments {
    const args = filter.type === 'CallExpression' ? filter.args! : [];
    const isNamed = ({ type }: Node): boolean => type === 'KeywordArgumentExpression';
    return {
      positional: args.filter((arg) => !isNamed(arg)).map((arg) => evaluate(arg, within)),
      named: new Map(args.filter(isNamed).map(({ key, value }) => [nodeName(key), evaluate(value as Node, within)])),
    };
  }

  function refuseUndefined(node: Node, within: TemplateScope): void {
    const variable = dottedName(node);
    if (node.type === 'Identifier')
      throw undefinedVariable(engine, { where, line, variable: nodeName(node), known: variableNames(within) });
    if (node.type === 'MemberExpression' && variable !== undefined)
      throw undefinedVariable(engine, { where, line, variable, known: keysOf(evaluate(node.object!, within)) });
    if (node.type !== 'SelectExpression')
      throw new TemplateProblem(
        { where, line },
        { why: 'The value here does not exist.', next: 'Correct it, or write | default("") after it.' },
      );
  }
}

const keysOf = ({ value }: TemplateValue): string[] =>
  value instanceof Map ? [...(value.keys() as Iterable<string>)] : [];
const variableNames = (scope: TemplateScope | undefined): string[] =>
  scope ? [...scope.variables.keys(), ...variableNames(scope.parent)] : [];

/** Creates the problem for a variable that does not exist. `known` lists the names that do exist in its place. */
export function undefinedVariable(
  engine: Engine,
  {
    where,
    line,
    variable,
    known,
  }: { readonly where: string; readonly line: number; readonly variable: string; readonly known: readonly string[] },
): TemplateProblem {
  const last = variable.split('.').at(-1)!;
  const near = engine.likelyWord(last, known);
  const like = near === undefined ? '' : ` Did you mean ${variable.slice(0, variable.length - last.length)}${near}?`;
  return new TemplateProblem(
    { where, line },
    {
      why: `The variable ${variable} does not exist.${like}`,
      next: 'Correct its name, or write | default("") after it.',
      variable,
    },
  );
}

/** Values whose text differs between Python and JavaScript. */
const printsOtherwise = new Set([
  'NullValue',
  'BooleanValue',
  'FloatValue',
  'ArrayValue',
  'TupleValue',
  'ObjectValue',
  'NamespaceValue',
]);

const isTrue = (value: TemplateValue | undefined): boolean =>
  value !== undefined && value.type !== 'UndefinedValue' && value.__bool__().value;

function range(...args: number[]): number[] {
  const [first = 0, second, step = 1] = args;
  const [from, to] = second === undefined ? [0, first] : [first, second];
  const count = Math.max(0, Math.ceil((to - from) / step));
  if (!(count <= maxItems)) throw new Error(`range has more than ${maxItems} items`);
  return Array.from({ length: count }, (_item, index) => from + index * step);
}
