import { type Engine, dottedName, optionalOperand, nodeName, type Node } from './engine';
import { globals, undefinedVariable } from './interpret';
import type { ParsedTemplate } from './parse';

const builtIn = [...Object.keys(globals), 'namespace', 'loop', 'caller', 'varargs', 'kwargs'];
const methods = ['get', 'items', 'keys', 'values', 'dictsort'];

/**
 * Checks every branch of a template, including those that a given rendering does not reach. Throws `TemplateProblem`
 * for the first variable that is not in `variables`, whose objects are complete. Variables that the template assigns or
 * tests with `is defined` may be missing.
 */
export function checkNames(
  engine: Engine,
  { where, program, lines, verbatim }: ParsedTemplate,
  variables: Readonly<Record<string, unknown>>,
): void {
  const assigned = new Set<string>([...builtIn, ...verbatim.map(([name]) => name)]);
  const guarded = new Set<string>();
  for (const { node } of nodesOf(program, lines)) {
    for (const target of targetsOf(node)) assigned.add(target);
    const operand = optionalOperand(node);
    const name = operand && dottedName(operand);
    if (name !== undefined) guarded.add(name);
  }
  for (const { node, line } of nodesOf(program, lines)) {
    const name = dottedName(node);
    if (name === undefined || assigned.has(name.split('.')[0]!)) continue;
    const known = possibleNames(name, variables);
    if (known && !guarded.has(name) && !known.includes(name.split('.').at(-1)!))
      throw undefinedVariable(engine, { where, line, variable: name, known });
  }
}

/** Returns the possible values of the last segment of a dotted name, or undefined if they are unknown. */
function possibleNames(name: string, variables: Readonly<Record<string, unknown>>): string[] | undefined {
  const path = name.split('.').slice(0, -1);
  let at: unknown = variables;
  for (const part of path) at = isMapping(at) && Object.hasOwn(at, part) ? at[part] : undefined;
  return isMapping(at) ? [...Object.keys(at), ...(path.length > 0 ? methods : [])] : undefined;
}

const isMapping = (value: unknown): value is Record<string, unknown> =>
  value !== null &&
  typeof value === 'object' &&
  [Object.prototype, null].includes(Object.getPrototypeOf(value) as null);

/**
 * Yields every node that is evaluated, with the line of its tag. Names of filters, tests, arguments, attributes and
 * operators are skipped.
 */
function* nodesOf(node: Node, lines: ReadonlyMap<Node, number>, line = 1): Iterable<{ node: Node; line: number }> {
  const at = lines.get(node) ?? line;
  yield { node, line: at };
  for (const [field, child] of Object.entries(node)) {
    if (field === 'test' && node.type === 'TestExpression') continue;
    if (field === 'property' && !node.computed) continue;
    if (field === 'key' || field === 'operator' || (field === 'filter' && (child as Node).type === 'Identifier'))
      continue;
    const callee = field === 'filter' ? ((child as Node).args ?? []) : [child];
    for (const each of callee.flatMap(nodesIn)) yield* nodesOf(each, lines, at);
  }
}

function nodesIn(child: unknown): Node[] {
  if (Array.isArray(child)) return child.flatMap(nodesIn);
  if (child instanceof Map) return [...child].flat().flatMap(nodesIn);
  return child !== null && typeof child === 'object' && 'type' in child && child.type !== undefined
    ? [child as Node]
    : [];
}

function targetsOf(node: Node): string[] {
  const parameters = (nodes: readonly Node[] | null | undefined): string[] =>
    (nodes ?? []).map((each) => nodeName(each.key ?? each));
  switch (node.type) {
    case 'Set':
      return namesOf(node.assignee!);
    case 'For':
      return namesOf(node.loopvar!);
    case 'Macro':
      return [nodeName(node.name), ...parameters(node.args)];
    case 'CallStatement':
      return parameters(node.callerArgs);
    default:
      return [];
  }
}

const namesOf = (target: Node): string[] =>
  target.type === 'TupleLiteral'
    ? (target.value as Node[]).flatMap(namesOf)
    : [dottedName(target)?.split('.')[0] ?? ''];
