import MarkdownIt from 'markdown-it';
import { text } from '../base/text';

/** Markdown → HTML that still has to pass through `clean`. No raw HTML, no images, and links that lead nowhere by themselves. */
export const markdown = new MarkdownIt({ html: false, linkify: true, breaks: false });

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
