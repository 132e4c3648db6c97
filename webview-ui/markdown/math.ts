import type MarkdownIt from 'markdown-it';

type StateBlock = Parameters<Parameters<InstanceType<typeof MarkdownIt>['block']['ruler']['before']>[2]>[0];

/** Additional results of the parser besides the blocks. */
interface MathEnvironment {
  /** First line of a formula that is not closed yet. Further text may still belong to it. */
  openMath?: number;
}

const maxInlineLength = 500;
const maxDisplayLength = 2000;
const maxLines = 60;

/**
 * Keeps formulas as written instead of losing their underscores and backslashes: "$a$", "$`a`$", "\(a\)", "$$a$$" and
 * "\[a\]" in text, and the last two on separate lines. Amounts of money are not formulas.
 */
export function mathPlugin(markdown: InstanceType<typeof MarkdownIt>): void {
  const { escapeHtml } = markdown.utils;
  markdown.renderer.rules.math = (tokens, index) => `<span class="math">${escapeHtml(tokens[index]!.content)}</span>`;

  markdown.inline.ruler.before('escape', 'math', (state, silent) => {
    const sign = state.src[state.pos];
    if (sign !== '$' && sign !== '\\') return false;
    const end = endOfFormula(state.src, state.pos);
    if (end === undefined) return false;
    if (!silent) state.push('math', '', 0).content = state.src.slice(state.pos, end);
    state.pos = end;
    return true;
  });

  markdown.block.ruler.before(
    'fence',
    'math_block',
    (state, startLine, endLine, silent) => {
      if (state.sCount[startLine]! - state.blkIndent >= 4) return false;
      const lineAt = (line: number): string =>
        state.src.slice(state.bMarks[line]! + state.tShift[line]!, state.eMarks[line]).trimEnd();
      const sign = lineAt(startLine).slice(0, 2);
      if (sign !== '$$' && sign !== '\\[') return false;
      const indent = Math.min(state.blkIndent, state.sCount[startLine]!);
      const last = lastLineOf({ lineAt, startLine, endLine, indent }, state);
      if (last === undefined) return false;
      if (silent) return true;
      const token = state.push('math_block', '', 0);
      const next = Math.min(last + 1, endLine);
      token.content = state.getLines(startLine, next, indent, false).trimEnd();
      token.map = [startLine, next];
      state.line = next;
      return true;
    },
    { alt: ['paragraph', 'reference', 'blockquote', 'list'] },
  );
}

/** The lines from the one that begins a formula to the end of the block. */
interface BlockLines {
  lineAt(line: number): string;
  readonly startLine: number;
  readonly endLine: number;
  readonly indent: number;
}

/**
 * Returns the last line of a formula, or undefined if it is none. For a formula that the end of the text cuts off, notes
 * where it began.
 */
function lastLineOf({ lineAt, startLine, endLine, indent }: BlockLines, state: StateBlock): number | undefined {
  const first = lineAt(startLine);
  const sign = first.slice(0, 2);
  const closing = sign === '$$' ? '$$' : '\\]';
  let last = startLine;
  for (let words = first.slice(2); !isClosedBy(words, closing); words = lineAt(last)) {
    if (words.includes(closing)) return undefined; // more text follows, so it is part of a paragraph
    last++;
    if (last - startLine >= maxLines) return undefined;
    if (last < endLine && !state.isEmpty(last) && state.sCount[last]! >= indent) continue;
    const isCut = last >= endLine && state.eMarks[endLine - 1]! + 1 >= state.src.length;
    if (!isCut) return undefined;
    const environment = state.env as MathEnvironment;
    environment.openMath = Math.min(environment.openMath ?? startLine, startLine);
    return first === sign && last > startLine + 1 ? last : undefined;
  }
  return last;
}

/** True if a line ends with the delimiter, optionally followed by the end of a sentence. */
function isClosedBy(line: string, closing: string): boolean {
  const at = line.indexOf(closing);
  return at >= 0 && /^[.,;]?$/.test(line.slice(at + closing.length));
}

/** Returns the end of the formula that begins at `from`, or undefined if there is none. */
function endOfFormula(source: string, from: number): number | undefined {
  const sign = source.slice(from, from + 2);
  if (sign === '\\(') return endOfClosing(source, from, '\\)', maxInlineLength);
  if (sign === '\\[') {
    const end = endOfClosing(source, from, '\\]', maxDisplayLength);
    // "\[so\](address)" is an escaped link, not a formula.
    return end !== undefined && source[end] === '(' ? undefined : end;
  }
  if (source[from - 1] === '$') return undefined;
  if (sign === '$$') return endOfClosing(source, from, '$$', maxDisplayLength);
  if (sign === '$`') {
    const end = source.indexOf('`$', from + 2);
    return end > from + 2 && end - from < maxInlineLength && !source.slice(from, end).includes('\n')
      ? end + 2
      : undefined;
  }
  return sign.startsWith('$') ? endOfDollars(source, from) : undefined;
}

/** Follows Pandoc's rules for "$a$", with further rules to exclude amounts and shell variables. */
function endOfDollars(source: string, from: number): number | undefined {
  if (/[A-Za-z0-9]/.test(source[from - 1] ?? '') || /^[\s$]?$/.test(source[from + 1] ?? '')) return undefined;
  const end = endOfClosing(source, from, '$', maxInlineLength);
  if (end === undefined) return undefined;
  const formula = source.slice(from + 1, end - 1);
  const isMoney = /^\d[\d.,]*[kKmM]?[\s;]\s*(?:[A-Za-z]{2}|\()/.test(formula);
  return isMoney || /[\n`]|\s$/.test(formula) || /^(?:[0-9A-Z_{]|[a-z]{3})/.test(source.slice(end, end + 3))
    ? undefined
    : end;
}

/** Returns the end of the first closing delimiter outside braces; escaped characters are skipped. */
function endOfClosing(source: string, from: number, closing: string, longest: number): number | undefined {
  const end = Math.min(source.length, from + longest);
  const begin = from + (closing === '$' ? 1 : 2);
  if (!source.slice(begin, end).includes(closing)) return undefined;
  let depth = 0;
  for (let at = begin; at < end; at++) {
    if (depth === 0 && source.startsWith(closing, at)) return at > begin ? at + closing.length : undefined;
    const sign = source[at];
    if (sign === '\\') at++;
    else if (sign === '{') depth++;
    else if (sign === '}') depth = Math.max(0, depth - 1);
  }
  return undefined;
}
