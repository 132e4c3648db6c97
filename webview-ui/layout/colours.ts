import hljs from 'highlight.js/lib/core';
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
const maxLines = 2000;

const languageOf = (name: string): string | undefined => {
  const language = others[name] ?? name;
  return Object.hasOwn(languages, language) ? language : undefined;
};

/** Setting up a language at its first use takes longer than colouring a block. */
const isReady = (name: string): boolean => {
  const language = languageOf(name);
  return language === undefined || hljs.getLanguage(language) !== undefined;
};

function makeReady(name: string): void {
  const language = languageOf(name);
  if (language === undefined || isReady(name)) return;
  for (const each of language === 'xml' ? ['css', 'javascript', 'xml'] : [language])
    if (!hljs.getLanguage(each)) {
      hljs.registerLanguage(each, languages[each]!);
      hljs.highlight('', { language: each });
    }
}

/** Returns HTML with `hljs-` classes, or undefined if the language is unknown or the text is too long. */
function highlighted(code: string, name: string): string | undefined {
  const language = languageOf(name);
  if (language === undefined || code.split('\n', maxLines + 1).length > maxLines) return undefined;
  makeReady(name);
  return hljs.highlight(code, { language, ignoreIllegals: true }).value;
}

/** Colours code. In a separate script, because the languages are a quarter of the panel and few replies need them. */
export interface Colours {
  readonly isReady: typeof isReady;
  readonly makeReady: typeof makeReady;
  readonly highlighted: typeof highlighted;
}

(globalThis as { waymarkColours?: Colours }).waymarkColours = { isReady, makeReady, highlighted };
