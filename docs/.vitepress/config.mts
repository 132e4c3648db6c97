import fs from 'node:fs';
import path from 'node:path';
import { defineConfig, type DefaultTheme, type MarkdownOptions } from 'vitepress';

type MarkdownIt = Parameters<NonNullable<MarkdownOptions['config']>>[0];

/**
 * The site of the documentation: `npm run docs` writes it to out/docs. Its pages are the Markdown files of docs/ and
 * the ones at the top of the repository that they link to; its sidebar is the list of docs/README.md. A link to a
 * missing page fails the build.
 */

const repository = path.resolve(import.meta.dirname, '../..');
/** The address of a page on the site, such as use/approvals.md or security/index.md. */
const addressOf = (page: string): string => page.replace(/^docs\//, '').replace(/(^|\/)README\.md$/, '$1index.md');

/** The link to it from other pages of the site. */
const linkTo = (page: string): string => `/${addressOf(page).replace(/(?:index)?\.md$/, '')}`;

export default defineConfig({
  title: 'Waymark',
  description: 'A coding agent for VS Code whose steps you can see, approve and undo.',
  lang: 'en',
  srcDir: '..',
  srcExclude: ['!(docs)/**/*.md', 'README.md', 'AGENTS.md'],
  rewrites: addressOf,
  outDir: '../out/docs',
  cacheDir: '../out/docs-cache',
  cleanUrls: true,
  themeConfig: {
    search: { provider: 'local' },
    sidebar: sidebarOf(fs.readFileSync(path.join(repository, 'docs/README.md'), 'utf8')),
    outline: { level: [2, 3] },
  },
  markdown: {
    config: (markdown) => {
      linkWithinSite(markdown);
      fenceCode(markdown);
    },
  },
});

/** One group for each heading of the list of pages, one entry for each of its links. */
function sidebarOf(listOfPages: string): DefaultTheme.SidebarItem[] {
  const groups = listOfPages.split(/^## /m).slice(1);
  return groups.map((group) => ({
    text: group.slice(0, group.indexOf('\n')),
    items: [...group.matchAll(/\[([^\]]+)\]\(([^)]+)\.md\)/g)].map(([, text, page]) => ({
      text: text!,
      link: linkTo(path.join('docs', `${page}.md`)),
    })),
  }));
}

/**
 * Links between files of the repository become links between pages of the site, which have other addresses. The site has no
 * source files: a link to one is shown as its text alone.
 */
function linkWithinSite(markdown: MarkdownIt): void {
  markdown.core.ruler.push('link_within_site', ({ tokens, env }) => {
    const { realPath, path: plainPath } = env as { readonly realPath?: string; readonly path: string };
    const folder = path.dirname(realPath ?? plainPath);
    for (const { children } of tokens) {
      for (const [at, token] of (children ?? []).entries()) {
        const target = token.type === 'link_open' ? token.attrGet('href')! : '#';
        if (/^(?:[a-z]+:|#|\/)/.test(target)) continue;
        const [file = '', anchor] = target.split('#');
        const page = path.relative(repository, path.resolve(folder, file));
        if (page.endsWith('.md')) {
          token.attrSet('href', linkTo(page) + (anchor === undefined ? '' : `#${anchor}`));
          continue;
        }
        const end = children!.find(({ type }, later) => later > at && type === 'link_close')!;
        for (const part of [token, end]) Object.assign(part, { type: 'text', tag: '', content: '', attrs: null });
      }
    }
  });
}

/** Code that is indented is shown as fenced code is: with a button that copies it, and nothing in it is a template. */
function fenceCode(markdown: MarkdownIt): void {
  markdown.core.ruler.push('fence_code', ({ tokens }) => {
    for (const token of tokens)
      if (token.type === 'code_block') Object.assign(token, { type: 'fence', tag: 'code', info: '', markup: '```' });
  });
}
