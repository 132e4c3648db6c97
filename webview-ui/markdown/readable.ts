import type MarkdownIt from 'markdown-it';
import { text } from '../base/text';

type Token = ReturnType<InstanceType<typeof MarkdownIt>['parse']>[number];

/** Extensions that identify a file name without any other hint. */
const endings = new Set(
  (
    'bat c cc cpp cs css csv go gradle h hpp html ini ipynb java js json jsonl jsx kt lock lua md mjs cjs mts php ps1 py ' +
    'rb rs scala scss sh sql svelte swift toml ts tsx txt vue xml yaml yml'
  ).split(' '),
);
const place =
  /(?<![\w./\\@:-])((?:\.{0,2}\/)?(?:[\w@.-]+\/)*[\w@.-]+\.([A-Za-z][A-Za-z0-9]{0,7}))(?::([1-9]\d{0,6})(?:[:-]\d{1,7})?)?(?![\w/])/g;

/** A location in a file, as models write it: "lib/x.js:27", "src/add.ts". */
interface FilePlace {
  readonly file: string;
  readonly line?: string | undefined;
}

/** Returns the location that a word refers to, or undefined if it only resembles a file ("e.g.", "example.org"). */
function fileReference(match: RegExpMatchArray, isCode: boolean): FilePlace | undefined {
  const [, file = '', ending = '', line] = match;
  const isFile = line !== undefined || file.includes('/') || (isCode && endings.has(ending));
  return isFile && endings.has(ending.toLowerCase()) ? { file, line } : undefined;
}

/** Extensions of Markdown that models use: task list checkboxes, and file locations as links. */
export function readablePlugin(markdown: InstanceType<typeof MarkdownIt>): void {
  const { escapeHtml } = markdown.utils;
  const { rules } = markdown.renderer;
  const link = ({ file, line }: FilePlace, shown: string): string => {
    const at = line === undefined ? '' : ` data-line="${line}"`;
    const title = escapeHtml(text('markdown.openFile', { path: file }));
    return `<a role="link" tabindex="0" title="${title}" data-file="${escapeHtml(file)}"${at}>${escapeHtml(shown)}</a>`;
  };
  const linked = (words: string, { isCode }: { readonly isCode: boolean }): string => {
    let html = '';
    let from = 0;
    for (const match of words.matchAll(place)) {
      const found = fileReference(match, isCode);
      if (!found) continue;
      html += escapeHtml(words.slice(from, match.index)) + link(found, match[0]);
      from = match.index + match[0].length;
    }
    return html + escapeHtml(words.slice(from));
  };

  rules.text = (tokens, index) => {
    const token = tokens[index]!;
    return isInLink(token) ? escapeHtml(token.content) : linked(token.content, { isCode: false });
  };
  rules.code_inline = (tokens, index) => {
    const token = tokens[index]!;
    return `<code>${isInLink(token) ? escapeHtml(token.content) : linked(token.content, { isCode: true })}</code>`;
  };
  rules.task_mark = (tokens, index) => {
    const isDone = tokens[index]!.content === 'done';
    const label = escapeHtml(text(isDone ? 'todo.done' : 'todo.pending'));
    const sign = isDone ? ' codicon codicon-check' : '';
    return `<span class="task-mark${sign}" role="img" aria-label="${label}"></span>`;
  };

  markdown.core.ruler.push('link_words', (state) => {
    for (const { children } of state.tokens) markLinkWords(children ?? []);
  });

  markdown.core.ruler.after('inline', 'task_lists', (state) => {
    state.tokens.forEach((token, index) => {
      const item = state.tokens[index - 2];
      const first = token.children?.[0];
      if (token.type !== 'inline' || item?.type !== 'list_item_open' || first?.type !== 'text') return;
      const [box, sign] = /^\[([ xX])\](?: |$)/.exec(first.content) ?? [];
      if (box === undefined) return;
      first.content = first.content.slice(box.length);
      const mark = new state.Token('task_mark', '', 0);
      mark.content = sign === ' ' ? 'open' : 'done';
      token.children!.unshift(mark);
      item.attrJoin('class', 'task-item');
    });
  });
}

/** Marks the text of links in a single pass. Looking back from each word would take quadratic time. */
function markLinkWords(tokens: readonly Token[]): void {
  let isLink = false;
  for (const token of tokens) {
    if (token.type === 'link_open') isLink = true;
    else if (token.type === 'link_close') isLink = false;
    else if (isLink) token.meta = { ...(token.meta as object | null), isInLink: true };
  }
}

const isInLink = ({ meta }: Token): boolean => (meta as { isInLink?: boolean } | null)?.isInLink === true;
