import MarkdownIt from 'markdown-it';
import { text } from '../base/text';
import { readable } from './readable';

/** Top-level blocks of a text that grows: the closed ones never change again, so only the last is rendered anew. */
export interface Blocks {
  readonly source: string;
  readonly closed: readonly string[];
  /** Characters of `source` that the closed blocks cover. */ readonly closedTo: number;
  readonly open: string;
}

export const noBlocks: Blocks = { source: '', closed: [], closedTo: 0, open: '' };

/**
 * The blocks of `source`, continuing from `before` when it is a beginning of it. The HTML is that of
 * a full rendering, link definitions apart.
 */
export function growBlocks(before: Blocks, source: string): Blocks {
  if (source === before.source) return before;
  const from = source.startsWith(before.source) ? before : noBlocks;
  const tail = source.slice(from.closedTo);
  const environment = {};
  const tokens = markdown.parse(tail, environment);

  // The last line may still become something else ("2" → "2. second", which belongs to the
  // list above), so nothing is closed by it.
  const wholeLines = tail.split('\n').length - 1;
  const starts: { token: number; line: number }[] = [];
  tokens.forEach((token, index) => {
    if (token.level === 0 && token.nesting >= 0 && token.map && (index === 0 || token.map[0] < wholeLines))
      starts.push({ token: index, line: token.map[0] });
  });
  const render = (start: number, end?: number): string =>
    markdown.renderer.render(tokens.slice(start, end), markdown.options, environment);
  if (starts.length < 2) return { source, closed: from.closed, closedTo: from.closedTo, open: render(0) };

  const last = starts.at(-1)!;
  const closed = starts.slice(0, -1).map((start, index) => render(start.token, starts[index + 1]!.token));
  return {
    source,
    closed: [...from.closed, ...closed],
    closedTo: from.closedTo + offsetOfLine(tail, last.line),
    open: render(last.token),
  };
}

/**
 * Markdown → HTML that still has to pass through `clean`. No raw HTML, no images,
 * and links that lead nowhere by themselves.
 */
export const markdown = new MarkdownIt({ html: false, linkify: true, breaks: false }).use(readable);

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
rules.code_block = (tokens, index) => codeBlock(tokens[index]!.content, '');
// Alignment would be an inline style.
const cell =
  (tag: 'th' | 'td') =>
  (tokens: { attrGet(name: string): unknown }[], index: number): string => {
    const side = /(center|right)/.exec(String(tokens[index]?.attrGet('style') ?? ''))?.[0];
    return side ? `<${tag} class="${side}">` : `<${tag}>`;
  };
rules.th_open = cell('th');
rules.td_open = cell('td');
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
