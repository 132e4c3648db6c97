import hljs from 'highlight.js/lib/core';
import { clean } from './clean';
import type { LanguageFn } from 'highlight.js';
import bash from 'highlight.js/lib/languages/bash';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import graphql from 'highlight.js/lib/languages/graphql';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import kotlin from 'highlight.js/lib/languages/kotlin';
import lua from 'highlight.js/lib/languages/lua';
import makefile from 'highlight.js/lib/languages/makefile';
import markdown from 'highlight.js/lib/languages/markdown';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import r from 'highlight.js/lib/languages/r';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import shell from 'highlight.js/lib/languages/shell';
import sql from 'highlight.js/lib/languages/sql';
import swift from 'highlight.js/lib/languages/swift';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';

const languages: Record<string, LanguageFn> = {
  bash,
  cpp,
  csharp,
  css,
  diff,
  go,
  graphql,
  ini,
  java,
  javascript,
  json,
  kotlin,
  lua,
  makefile,
  markdown,
  php,
  python,
  r,
  ruby,
  rust,
  shell,
  sql,
  swift,
  typescript,
  xml,
  yaml,
};
const others: Record<string, string> = {
  c: 'cpp',
  'c++': 'cpp',
  'c#': 'csharp',
  cs: 'csharp',
  html: 'xml',
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  kt: 'kotlin',
  less: 'css',
  scss: 'css',
  md: 'markdown',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'bash',
  zsh: 'bash',
  console: 'shell',
  svg: 'xml',
  toml: 'ini',
  ts: 'typescript',
  tsx: 'typescript',
  mts: 'typescript',
  vue: 'xml',
  yml: 'yaml',
  jsonc: 'json',
  jsonl: 'json',
  patch: 'diff',
  golang: 'go',
  h: 'cpp',
  hpp: 'cpp',
  make: 'makefile',
};
const mostLines = 2000;
const mostLinesAtOnce = 150;

/**
 * Returns HTML with `hljs-` classes, or undefined if the language is unknown or the text is too long. Languages are
 * registered on first use.
 */
function highlighted(code: string, name: string): string | undefined {
  const language = others[name] ?? name;
  const definition = Object.hasOwn(languages, language) ? languages[language] : undefined;
  if (!definition || lines(code) > mostLines) return undefined;
  if (!hljs.getLanguage(language)) {
    if (language === 'xml')
      for (const inner of ['css', 'javascript'] as const)
        if (!hljs.getLanguage(inner)) hljs.registerLanguage(inner, languages[inner]!);
    hljs.registerLanguage(language, definition);
  }
  return hljs.highlight(code, { language, ignoreIllegals: true }).value;
}

const shortBlock = /<code data-language="([^"]+)">([^<]*)<\/code>/g;
const signs: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

/** Returns the HTML of a block with highlighted code, except for long code. It still has to pass through `clean`. */
export const coloured = (html: string): string =>
  html.replace(shortBlock, (written, language: string, escaped: string) => {
    const code = escaped.replace(/&(?:amp|lt|gt|quot);/g, (sign) => signs[sign]!);
    if (lines(code) > mostLinesAtOnce) return written;
    return `<code data-language="${language}" class="hljs">${highlighted(code, language) ?? escaped}</code>`;
  });

/** Highlights the long code blocks in an element when the browser is idle. */
export function colourLater(element: HTMLElement): void {
  for (const code of element.querySelectorAll<HTMLElement>('code[data-language]:not(.hljs)')) {
    const name = code.dataset.language ?? '';
    if (!name) continue;
    requestIdleCallback(() => {
      const html = highlighted(code.textContent, name);
      code.classList.add('hljs');
      if (html !== undefined) code.innerHTML = clean(html);
    });
  }
}

const lines = (code: string): number => code.split('\n', mostLines + 1).length;
