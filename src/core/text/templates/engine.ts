/**
 * The template package, loaded on first use. It does not export all of its value classes; the missing ones are derived
 * from those it exports.
 */
type Jinja = typeof import('@huggingface/jinja');
/** The variables that a template sees. */
export type TemplateScope = InstanceType<Jinja['Environment']>;
/** A value as the template package wraps it. */
export type TemplateValue = ReturnType<TemplateScope['lookupVariable']>;

/** What renders templates. */
export interface Engine {
  readonly jinja: Jinja;
  /** Returns the word of `known` that `word` is probably a typo of. */
  likelyWord(word: string, known: readonly string[]): string | undefined;
}

export async function loadEngine(): Promise<Engine> {
  const [
    jinja,
    {
      default: { closest, distance },
    },
  ] = await Promise.all([import('@huggingface/jinja'), import('fastest-levenshtein')]);
  return {
    jinja,
    likelyWord(word, known) {
      const near = closest(word, known);
      return near !== undefined && distance(word, near) <= Math.max(2, Math.floor(word.length / 3)) ? near : undefined;
    },
  };
}

/** A number that prints like a Python float: 2.0. */
export class Float {
  constructor(readonly value: number) {}
}

/**
 * Returns a function that converts plain values to values of the package. Objects become mappings without a prototype.
 */
export function valuesOf({ jinja: { Environment } }: Engine): (plain: unknown) => TemplateValue {
  const FloatValue = new Environment().set('half', 0.5).constructor as new (value: number) => TemplateValue;
  return (plain) => (plain instanceof Float ? new FloatValue(plain.value) : new Environment().set('value', plain));
}

/** A node of a parsed template. The package exports no node types; only the fields used here are declared. */
export interface Node {
  readonly type: string;
  readonly value?: unknown;
  readonly operand?: Node;
  readonly filter?: Node;
  readonly test?: Node;
  readonly negate?: boolean;
  readonly object?: Node;
  readonly property?: Node;
  readonly computed?: boolean;
  readonly callee?: Node;
  readonly args?: readonly Node[];
  readonly left?: Node;
  readonly right?: Node;
  readonly operator?: { readonly value: string };
  readonly key?: Node;
  readonly assignee?: Node;
  readonly loopvar?: Node;
  readonly name?: Node;
  readonly callerArgs?: readonly Node[] | null;
  readonly body?: readonly Node[];
  readonly alternate?: readonly Node[];
  readonly defaultBlock?: readonly Node[];
}

/** Returns the parts of a statement that are templates themselves, in source order. */
export const blocksOf = ({ body, alternate, defaultBlock }: Node): (readonly Node[])[] =>
  [body, alternate, defaultBlock].filter((block) => block !== undefined);

/** Returns the name of a filter, with or without arguments, or of a variable. */
export function nodeName(node: Node | undefined): string {
  if (node?.type === 'CallExpression') return nodeName(node.callee);
  return typeof node?.value === 'string' ? node.value : '';
}

/** Returns a variable as the template writes it: `output.extra`. Returns undefined for any other expression. */
export function dottedName(node: Node): string | undefined {
  if (node.type === 'Identifier') return nodeName(node);
  if (node.type !== 'MemberExpression') return undefined;
  const object = dottedName(node.object!);
  const { type } = node.property!;
  const plain = node.computed ? type === 'StringLiteral' : type === 'Identifier';
  return object !== undefined && plain ? `${object}.${nodeName(node.property)}` : undefined;
}

/** Returns the operand that may be undefined without an error, if `node` has one: `x is defined`, `x | default("")`. */
export function optionalOperand(node: Node): Node | undefined {
  if (node.type === 'TestExpression' && ['defined', 'undefined'].includes(nodeName(node.test))) return node.operand;
  if (node.type === 'FilterExpression' && ['default', 'd'].includes(nodeName(node.filter))) return node.operand;
  return undefined;
}
