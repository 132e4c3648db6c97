import MarkdownIt from 'markdown-it';
import { text } from '../base/text';
import { mathPlugin } from './math';
import { readablePlugin } from './readable';

/**
 * Top-level blocks of a growing text. Closed blocks are neither parsed nor rendered again, unless a link label in them
 * is defined later.
 */
export interface Blocks {
  /** Source with normalized line ends. */
  readonly source: string;
  readonly closed: readonly string[];
  /** Number of characters of `source` in the closed blocks. */
  readonly closedTo: number;
  readonly open: string;
  /** The same in pieces if the open block is one list or table. */
  readonly openEntries?: HtmlEntries | undefined;
  /** Link definitions within the closed blocks. */
  readonly definitions: Definitions;
  /** Possible link labels in closed blocks, with their definition at render time; empty if there was none. */
  readonly named: ReadonlyMap<string, string>;
  /** True if `open` was rendered for a text that goes on, and differs from its full rendering. */
  readonly isSteadied?: boolean;
}

/** HTML of a list or table: what is before its entries or rows, these, and what is behind them. */
export interface HtmlEntries {
  readonly start: string;
  readonly entries: readonly string[];
  readonly end: string;
}

type Definitions = Readonly<Record<string, { readonly href: string; readonly title: string }>>;
type Token = ReturnType<InstanceType<typeof MarkdownIt>['parse']>[number];

/** What the parser learns from a text and the renderer needs. */
type Environment = { references: Definitions; openMath?: number };

export const noBlocks: Blocks = {
  source: '',
  closed: [],
  closedTo: 0,
  open: '',
  definitions: {},
  named: new Map(),
};

/**
 * Returns the blocks of `text`, reusing `before` if the text starts with it. The HTML equals that of a full rendering,
 * except that the open block of a text that `goesOn` leaves out or completes what is unfinished at its end.
 */
export function growBlocks(
  before: Blocks,
  text: string,
  { goesOn = false }: { readonly goesOn?: boolean } = {},
): Blocks {
  const source = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
  if (source === before.source && (goesOn || !before.isSteadied)) return before;
  const from = source.startsWith(before.source) ? before : noBlocks;
  const grown = growFrom(from, source) ?? growFrom(noBlocks, source)!;
  return goesOn ? withSteadyEnd(grown) : grown;
}

/** Top-level blocks whose end never changes what they are. */
const isCode = /^<div class="code">/;

function withSteadyEnd(blocks: Blocks): Blocks {
  const text = blocks.source.slice(blocks.closedTo);
  if (isCode.test(blocks.open) || /^ *(?:```|~~~)/m.test(text)) return blocks;
  const isTable = blocks.open.startsWith('<div class="table"');
  const steady = steadyEnd(text, isTable);
  if (steady === text) return blocks;
  const environment: Environment = { references: { ...blocks.definitions } };
  return { ...blocks, ...renderOpen(markdown.parse(steady, environment), environment), isSteadied: true };
}

/** The beginning of a line, or of a list item, that may become a list item, a heading or a code block. */
const bareMarker = /^( *(?:(?:[-*+>]|\d{1,9}[.)]) +)*)(?:[-=]{1,2} ?|[*+]{1,2}|#{1,6}|\d{1,9}[.)]?|`{1,2}|~{1,2})$/;
const delimiterRow = /^[|:\- ]*$/;

/**
 * Returns a Markdown text without what will look different when its last line is complete: a bare marker, a row that
 * may become the head of a table. A code span or bold text that is not closed is closed.
 */
function steadyEnd(text: string, isTable = false): string {
  const lines = text.split('\n');
  const last = lines.at(-1)!;
  const marked = bareMarker.exec(last);
  if (marked) return [...lines.slice(0, -1), ...(marked[1]!.trim() === '' ? [] : [marked[1]])].join('\n');
  const head = isTable ? -1 : lines.findLastIndex((line) => /^ {0,3}\|/.test(line) && !delimiterRow.test(line));
  const isOpenHead = head >= lines.length - 2 && lines.slice(head + 1).every((line) => delimiterRow.test(line));
  if (head >= 0 && isOpenHead) return lines.slice(0, head).join('\n');
  if (!isTable && /^ {0,3}\|/.test(last) && delimiterRow.test(last)) return lines.slice(0, -1).join('\n');
  return [...lines.slice(0, -1), closeInline(last)].join('\n');
}

function closeInline(line: string): string {
  let open: RegExpExecArray | undefined;
  let outside = '';
  let from = 0;
  for (const run of line.matchAll(/`+/g)) {
    if (open && run[0].length !== open[0].length) continue;
    if (!open) outside += line.slice(from, run.index);
    open = open ? undefined : run;
    from = run.index + run[0].length;
  }
  if (open) {
    const bare = line.replace(/(?<!`)`+$/, '');
    return bare.length > open.index + open[0].length ? bare + open[0] : line.slice(0, open.index);
  }
  outside += line.slice(from);
  if ((outside.split('**').length - 1) % 2 === 0) return line;
  return line.endsWith('**') ? line.slice(0, -2) : `${line.replace(/(?<!\*)\*$/, '').trimEnd()}**`;
}

/** Returns undefined if a closed block has to be rendered again. */
function growFrom(from: Blocks, source: string): Blocks | undefined {
  const tail = source.slice(from.closedTo);
  const environment: Environment = { references: { ...from.definitions } };
  const tokens = markdown.parse(tail, environment);
  for (const [label, meant] of from.named) if (definitionOf(label, environment.references) !== meant) return undefined;

  const starts = startsOfBlocks(tokens, tail, environment.openMath);
  if (starts.length < 2) return { ...from, source, ...renderOpen(tokens, environment), isSteadied: false };

  const last = starts.at(-1)!;
  const closed = starts
    .slice(0, -1)
    .map((start, index) => render(tokens.slice(start.token, starts[index + 1]!.token), environment));
  const closedLength = offsetOfLine(tail, last.line);
  const closedText = tail.slice(0, closedLength);
  return {
    source,
    closed: [...from.closed, ...closed],
    closedTo: from.closedTo + closedLength,
    ...renderOpen(tokens.slice(last.token), environment),
    definitions: definitionsIn(closedText, from.definitions, environment.references),
    named: new Map([...from.named, ...namedIn(closedText, environment.references)]),
  };
}

const render = (tokens: Token[], environment: Environment): string =>
  markdown.renderer.render(tokens, markdown.options, environment);

function renderOpen(tokens: Token[], environment: Environment): Pick<Blocks, 'open' | 'openEntries'> {
  const openEntries = entriesOf(tokens, environment);
  if (!openEntries) return { open: render(tokens, environment), openEntries };
  const { start, entries, end } = openEntries;
  return { open: start + entries.join('') + end, openEntries };
}

/** Types of the tokens around an entry of a list or a row of a table, and their level, by the type of the first token. */
const entryTokens: Readonly<Record<string, { readonly name: string; readonly level: number }>> = {
  bullet_list_open: { name: 'list_item', level: 1 },
  ordered_list_open: { name: 'list_item', level: 1 },
  table_open: { name: 'tr', level: 2 },
};

/** Returns undefined if the tokens are something else than one list, or one table with rows. */
function entriesOf(tokens: Token[], environment: Environment): HtmlEntries | undefined {
  const kind = entryTokens[tokens[0]?.type ?? ''];
  const isOneBlock = tokens.findIndex(({ level, nesting }) => level === 0 && nesting < 0) === tokens.length - 1;
  if (!kind || !isOneBlock) return undefined;
  // The row of names belongs to the start. A list may contain tables, too.
  const body = kind.name === 'tr' ? tokens.findIndex(({ type }) => type === 'tbody_open') : 0;
  const indexesOf = (type: string): number[] =>
    tokens.flatMap((token, index) =>
      index > body && token.type === type && token.level === kind.level ? [index] : [],
    );
  const starts = indexesOf(`${kind.name}_open`);
  const ends = indexesOf(`${kind.name}_close`);
  if (starts.length === 0 || body < 0) return undefined;
  return {
    start: render(tokens.slice(0, starts[0]), environment),
    entries: starts.map((start, index) => render(tokens.slice(start, ends[index]! + 1), environment)),
    end: render(tokens.slice(ends.at(-1)! + 1), environment),
  };
}

/** Returns the starts of top-level blocks that further text cannot merge with the previous block. */
function startsOfBlocks(
  tokens: readonly Token[],
  text: string,
  openMath = Infinity,
): { readonly token: number; readonly line: number }[] {
  const lines = text.split('\n');
  // The last line may still become something else ("2" → "2. second", which belongs to the list above), so it closes no
  // block.
  const wholeLines = lines.length - 1;
  const starts: { token: number; line: number }[] = [];
  let endBefore = 0;
  tokens.forEach((token, index) => {
    if (token.level !== 0 || token.nesting < 0 || !token.map) return;
    const [line, end] = token.map;
    // Text directly after a link definition may become its title, which can span several lines.
    const isBehindDefinition = line > endBefore && lines[line - 1]!.trim() !== '';
    endBefore = end;
    if (index === 0 || (line < wholeLines && line < openMath && !isBehindDefinition))
      starts.push({ token: index, line });
  });
  return starts;
}

/** Returns the definitions in closed text. The text is only parsed again if there are new ones. */
function definitionsIn(text: string, before: Definitions, withOpen: Definitions): Definitions {
  if (Object.keys(withOpen).length === Object.keys(before).length) return before;
  const environment = { references: { ...before } };
  markdown.parse(text, environment);
  return environment.references;
}

/** Yields possible link labels, "[so]", with their current definition. */
function* namedIn(text: string, definitions: Definitions): Generator<[string, string]> {
  for (const [, label = ''] of text.matchAll(/\[((?:[^[\]\\]|\\[^])+)\]/g)) {
    const name = markdown.utils.normalizeReference(label);
    yield [name, definitionOf(name, definitions)];
  }
}

function definitionOf(label: string, definitions: Definitions): string {
  const found = Object.hasOwn(definitions, label) ? definitions[label] : undefined;
  return found ? JSON.stringify([found.href, found.title]) : '';
}

/**
 * Renders Markdown to HTML that still has to pass through `sanitizeHtml`. No raw HTML, no images, and links without targets.
 */
export const markdown = new MarkdownIt({ html: false, linkify: true, breaks: false })
  .use(readablePlugin)
  .use(mathPlugin);

markdown.validateLink = (url) => /^(https?|mailto):/i.test(url.trim());
// "add.ts" is a file here, not a site in Montserrat.
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });

const { escapeHtml } = markdown.utils;
const { rules } = markdown.renderer;

rules.link_open = (tokens, index) => {
  const url = escapeHtml(String(tokens[index]?.attrGet('href') ?? ''));
  return `<a role="link" tabindex="0" title="${url}" data-url="${url}">`;
};
rules.image = (tokens, index) =>
  `<span class="placeholder">${escapeHtml(text('markdown.image', { alt: tokens[index]?.content || String(tokens[index]?.attrGet('src') ?? '') }))}</span>`;
rules.fence = (tokens, index) =>
  codeBlock(tokens[index]!.content, /^[\w+#.-]{1,30}/.exec(tokens[index]!.info.trim())?.[0] ?? '');
rules.math_block = (tokens, index) => codeBlock(tokens[index]!.content, 'math');
rules.code_block = (tokens, index) => codeBlock(tokens[index]!.content, '');
// Column alignment would need an inline style.
const renderCell =
  (tag: 'th' | 'td') =>
  (tokens: { attrGet(name: string): unknown }[], index: number): string => {
    const side = /(center|right)/.exec(String(tokens[index]?.attrGet('style') ?? ''))?.[0];
    return side ? `<${tag} class="${side}">` : `<${tag}>`;
  };
rules.th_open = renderCell('th');
rules.td_open = renderCell('td');
rules.table_open = () => '<div class="table" tabindex="0"><table>';
rules.table_close = () => '</table></div>';

function codeBlock(content: string, language: string): string {
  const copy = escapeHtml(text('markdown.copy'));
  return (
    `<div class="code"><div class="code-bar"><span>${escapeHtml(language)}</span><button type="button" class="icon-button codicon codicon-copy" data-copy title="${copy}" aria-label="${copy}"></button></div>` +
    `<pre tabindex="0"><code data-language="${escapeHtml(language.toLowerCase())}">${escapeHtml(content.replace(/\n$/, ''))}</code></pre></div>`
  );
}

function offsetOfLine(source: string, line: number): number {
  let offset = 0;
  for (let count = 0; count < line; count++) offset = source.indexOf('\n', offset) + 1;
  return offset;
}
