import { parseDocument } from 'yaml';

/** A value that was put in quotes: its line in the YAML, from 1, its column, from 1, and what stood there. */
export interface Quoted { readonly line: number; readonly column: number; readonly value: string }

/** Values of one line that people write and YAML refuses: "description: Use when: …", "description: [beta] …", "name: @scope/x", "paths: *.ts"; and those that it takes for a tag and leaves out: "paths: !*.d.ts". */
export function quoteLoose(yaml: string): { readonly yaml: string; readonly changed: readonly Quoted[] } {
  const anchors = new Set([...yaml.matchAll(/&([^\s,[\]{}]+)/g)].map(([, name]) => name));
  const isAlias = (value: string): boolean => anchors.has(/^\*([^\s,[\]{}]*)/.exec(value)?.[1]);
  const changed: Quoted[] = [];
  let block = -1; // how far a text of several lines is indented; nothing in it is a value
  const lines = yaml.split('\n').map((line, index) => {
    const indent = line.search(/\S/);
    if (block >= 0 && (indent < 0 || indent > block)) return line;
    block = /:[ \t]+[|>][-+\d]*[ \t]*(?:#.*)?\r?$/.test(line) ? indent : -1;
    const [, before = '', value = '', end = ''] = /^(\s*(?:- )?[\w-]+:[ \t]+|\s*- +)(\S.*?)[ \t]*(\r?)$/.exec(line) ?? [];
    const parts = looseParts(value, isAlias, text => refused(`${before.includes(':') ? 'key:' : '-'} ${text}`));
    changed.push(...parts.map(({ at, text }) => ({ line: index + 1, column: before.length + at + 1, value: text })));
    return parts.length === 0 ? line : `${before}${inQuotes(value, parts)}${end}`;
  });
  return { yaml: lines.join('\n'), changed };
}

interface Part { readonly at: number; readonly text: string }

/** What of a value has to be put in quotes: all of it, or entries of a list. */
function looseParts(value: string, isAlias: (text: string) => boolean, isRefused: (text: string) => boolean): Part[] {
  if (value === '' || /^["'|>&]|^\[[^\]]*$|^\{[^}]*$/.test(value)) return []; // the last two go on, or were never closed
  if (value.startsWith('!')) return /^!(?:[!<]|\S*\s+["'|>[{&*])/.test(value) ? [] : [{ at: 0, text: value.replace(/[ \t]+#.*$/, '') }];
  if (value.startsWith('*')) return isAlias(value) ? [] : [{ at: 0, text: value.replace(/[ \t]+#.*$/, '') }];
  const globs = value.startsWith('[') ? [...value.matchAll(entry)].map(({ 0: text, index }) => ({ at: index, text: text.trimEnd() })).filter(({ text }) => /^[*!]/.test(text) && !isAlias(text)) : [];
  if (globs.length > 0 && !isRefused(inQuotes(value, globs))) return globs;
  return isRefused(value) ? [{ at: 0, text: value }] : [];
}

/** Texts in quotes, so that nothing is looked for in them, and entries of a list that begin with "*" or "!". Commas in braces belong to a glob. */
const entry = /"(?:\\.|[^"\\])*"|'[^']*'|(?<=[[,]\s*)(?:\*|!(?!!))(?:\{[^{}]*\}|[^,[\]{}"'#])*/g;

const inQuotes = (value: string, parts: readonly Part[]): string => parts.reduceRight((text, part) => text.slice(0, part.at) + JSON.stringify(part.text) + text.slice(part.at + part.text.length), value);

const refused = (yaml: string): boolean => parseDocument(yaml, { prettyErrors: false }).errors.length > 0;
