import { TemplateProblem } from './templateProblem';

/** One `{{ … }}`, `{% … %}` or `{# … #}`. A raw block is one tag that prints the variable `verbatim`. */
export interface Tag {
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
export function tagsOf(source: string, where: string): { tags: Tag[]; rest: string } {
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
export function checkBlocks(tags: readonly Tag[], where: string): void {
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
