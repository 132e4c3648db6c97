import { type Engine, blocksOf, type Node } from './engine';
import { withCommas } from '../withCommas';

/**
 * Explains why a template cannot be used. `message` names the template, the line and the variable, and says what to do.
 */
export class TemplateProblem extends Error {
  /** Which template, for people: "profile mini, template system", or a file. */
  readonly where: string;
  /** 1-based. */
  readonly line: number;
  readonly why: string;
  readonly next: string;
  /** The variable that does not exist, as the template names it. */
  readonly variable: string | undefined;

  constructor(
    { where, line }: { readonly where: string; readonly line: number },
    { why, next, variable }: { readonly why: string; readonly next: string; readonly variable?: string | undefined },
  ) {
    super(`${where}, line ${line}: ${why} ${next}`);
    this.name = 'TemplateProblem';
    this.where = where;
    this.line = line;
    this.why = why;
    this.next = next;
    this.variable = variable;
  }

  get what(): string {
    return `The template in ${this.where} is broken at line ${this.line}.`;
  }
}

/** Returns the message of the template package without its internal names. */
export function describeTemplateError({ name, message }: Error): string {
  const filter = /^(?:Unknown \w+ filter: |Cannot apply filter ")(\w+)/.exec(message);
  if (filter) return `The filter ${filter[1]} cannot be used here.`;
  if (message === '') return 'There is no loop for break or continue.';
  const parser = /^Parser Error: (.+?)\. (\w+) !==/.exec(message);
  if (parser) return `${withoutTokenNames(parser[1]!)}, not ${withoutTokenNames(parser[2]!)}.`;
  // The parser ran out of tokens.
  if (name === 'TypeError') return 'The tag ends too early.';
  return `${withoutTokenNames(message).replace(/\.$/, '')}.`;
}

const marks: Readonly<Record<string, string>> = {
  OpenExpression: '{{',
  CloseExpression: '}}',
  OpenStatement: '{%',
  CloseStatement: '%}',
};

const withoutTokenNames = (words: string): string =>
  words
    .replace(/ token\b/, '')
    .replace(/\b(\w+)Value\b/g, (_all, kind: string) => kind.toLowerCase())
    .replace(/\b(?:Open|Close)(?:Expression|Statement)\b/g, (name) => marks[name]!);

/** A template after parsing. `where`: its file or name, for error messages. */
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

/** One `{{ … }}`, `{% … %}` or `{# … #}`. A raw block is one tag that prints the variable `verbatim`. */
interface Tag {
  readonly text: string;
  /** Line where it begins, 1-based. */
  readonly line: number;
  /** Text between the previous tag and this one. */
  readonly before: string;
  readonly verbatim?: readonly [variable: string, text: string];
}

const quotedString = String.raw`"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*'`;
const tagPattern = new RegExp(
  String.raw`\{#[\s\S]*?#\}|\{\{(?:${quotedString}|[^"'])*?\}\}|\{%(?:${quotedString}|[^"'])*?%\}`,
  'y',
);
const raw = /\{%(-?)\s*raw\s*(-?)%\}([\s\S]*?)\{%(-?)\s*endraw\s*(-?)%\}/y;

/**
 * Returns the tags of a template and the text after the last one. Throws `TemplateProblem` for a tag that is not
 * closed.
 */
function tagsOf(source: string, where: string): { tags: Tag[]; rest: string } {
  const tags: Tag[] = [];
  let from = 0;
  let line = 1;
  for (let at = source.search(/\{[{%#]/); at !== -1;) {
    const before = source.slice(from, at);
    line += breaksIn(before);
    const found = matchAt(raw, source, at) ?? matchAt(tagPattern, source, at);
    if (!found)
      throw new TemplateProblem(
        { where, line },
        { why: `The tag ${source.slice(at, at + 2)} is not closed.`, next: 'Close it, and every quote in it.' },
      );
    tags.push(found.length > 1 ? rawTag(found, line, before, tags.length) : { text: found[0], line, before });
    line += breaksIn(found[0]);
    from = at + found[0].length;
    const next = source.slice(from).search(/\{[{%#]/);
    at = next === -1 ? -1 : from + next;
  }
  return { tags, rest: source.slice(from) };
}

function rawTag(
  [, before = '', trimStart = '', text = '', trimEnd = '', after = '']: RegExpExecArray,
  line: number,
  textBefore: string,
  index: number,
): Tag {
  const start = trimStart ? text.trimStart() : text;
  const variable = `_raw_${index}`;
  return {
    text: `{{${before} ${variable} ${after}}}`,
    line,
    before: textBefore,
    verbatim: [variable, trimEnd ? start.trimEnd() : start],
  };
}

const closers: Readonly<Record<string, string>> = {
  endif: 'if',
  endfor: 'for',
  endset: 'set',
  endmacro: 'macro',
  endcall: 'call',
  endfilter: 'filter',
};
const others = ['elif', 'else', 'break', 'continue'];

/** Throws `TemplateProblem` if blocks do not match up or a statement is unknown. */
function checkBlocks(tags: readonly Tag[], where: string): void {
  const open: { word: string; line: number }[] = [];
  for (const { text, line } of tags) {
    const word = /^\{%[-+]?\s*(\w+)/.exec(text)?.[1];
    if (!text.startsWith('{%')) continue;
    const opened = word === undefined ? undefined : closers[word];
    if (opened !== undefined) {
      const last = open.pop();
      if (last?.word !== opened)
        throw new TemplateProblem(
          { where, line },
          {
            why: `${word} closes a block that is not open here.`,
            next: last
              ? `The open block is the ${last.word} of line ${last.line}.`
              : 'Remove it, or open the block first.',
          },
        );
    } else if (word !== undefined && Object.values(closers).includes(word)) {
      if (word !== 'set' || !text.includes('=')) open.push({ word, line });
    } else if (word === undefined || !others.includes(word)) {
      throw new TemplateProblem(
        { where, line },
        { why: `There is no statement ${word ?? text}.`, next: `Statements are ${Object.values(closers).join(', ')}.` },
      );
    }
  }
  const last = open.at(-1);
  if (last)
    throw new TemplateProblem(
      { where, line: last.line },
      { why: `The block ${last.word} is not closed.`, next: `Add {% end${last.word} %}.` },
    );
}

const breaksIn = (text: string): number => text.split('\n').length - 1;

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
