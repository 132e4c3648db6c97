import type { Engine } from './engine';
import { blocksOf, type Node } from './node';
import { checkBlocks, tagsOf, type Tag } from './tags';
import { describeTemplateError, TemplateProblem } from './templateProblem';
import { withCommas } from '../withCommas';

export interface ParsedTemplate {
  readonly where: string;
  readonly program: Node;
  /** Line of each node that is a tag of its own. */
  readonly lines: ReadonlyMap<Node, number>;
  /** Texts that raw blocks print. */
  readonly verbatim: readonly (readonly [variable: string, text: string])[];
}

/**
 * Parses a template with Jinja's default settings: a block trims the surrounding lines only if it says so. Throws
 * `TemplateProblem`.
 */
export function parseTemplate(engine: Engine, source: string, where: string): ParsedTemplate {
  refuseHuge(source, where);
  const { tags, rest } = tagsOf(source, where);
  checkBlocks(tags, where);
  const program = programOf(engine, tags, rest, where);
  const lines = new Map<Node, number>();
  numberLines(program, lines);
  return { where, program, lines, verbatim: tags.flatMap(({ verbatim }) => (verbatim ? [verbatim] : [])) };
}

/**
 * Maximum length of a template, in characters. The run time of the package grows with the product of template length
 * and the longest run of white space.
 */
const maxTemplateLength = 100_000;
const manyBlanks = /\s{1000}/;

function refuseHuge(source: string, where: string): void {
  if (source.length > maxTemplateLength)
    throw new TemplateProblem(
      { where, line: 1 },
      { why: `The template has more than ${withCommas(maxTemplateLength)} characters.`, next: 'Shorten it.' },
    );
  const blanks = manyBlanks.exec(source);
  if (!blanks) return;
  const line = source.slice(0, blanks.index).split('\n').length;
  const what = 'There are 1,000 or more spaces and line breaks in a row.';
  throw new TemplateProblem({ where, line }, { why: what, next: 'Remove them.' });
}

type Token = { value: string; type: string };

function programOf({ jinja: { tokenize, parse } }: Engine, tags: readonly Tag[], rest: string, where: string): Node {
  const broken = (line: number, error: unknown): TemplateProblem =>
    new TemplateProblem(
      { where, line },
      { why: `The tag cannot be parsed: ${describeTemplateError(error as Error)}`, next: 'Correct it.' },
    );
  for (const { text, line } of tags) {
    try {
      tokenize(text);
    } catch (error) {
      throw broken(line, error);
    }
  }
  const tokens = withLines(tokenize(tags.map(({ before, text }) => before + text).join('') + rest), tags);
  let reached = 0;
  const watched = new Proxy(tokens, {
    get(target, key) {
      const index = typeof key === 'string' ? Number(key) : NaN;
      if (index > reached) reached = index;
      return target[key as unknown as number];
    },
  });
  try {
    return parse(watched as Parameters<typeof parse>[0]) as unknown as Node;
  } catch (error) {
    const marker = tokens.slice(0, reached + 1).findLast(({ type }) => type === 'Comment');
    throw broken(Number(marker?.value ?? 1), error);
  }
}

/**
 * Inserts a comment with the line number before each tag, because the parser keeps no positions. The template's own
 * comments are dropped.
 */
function withLines(tokens: readonly Token[], tags: readonly Tag[]): Token[] {
  let tag = 0;
  return tokens.flatMap((token) => {
    if (!['OpenStatement', 'OpenExpression', 'Comment'].includes(token.type)) return [token];
    const marker = { type: 'Comment', value: String(tags[tag++]?.line ?? 1) };
    return token.type === 'Comment' ? [] : [marker, token];
  });
}

function numberLines(program: Node, lines: Map<Node, number>): void {
  let line = 1;
  const visit = (nodes: readonly Node[]): void => {
    for (const node of nodes) {
      if (node.type === 'Comment') line = Number(node.value);
      else {
        lines.set(node, line);
        blocksOf(node).forEach(visit);
      }
    }
  };
  visit(program.body!);
}
