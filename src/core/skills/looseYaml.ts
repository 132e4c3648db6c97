import { parseDocument } from 'yaml';

/**
 * A value that was put in quotes, or indentation that was changed to spaces: its 1-based position in the YAML and the
 * corrected text.
 */
export interface Loosened {
  readonly what: 'quotes' | 'tag' | 'indent';
  readonly from: Place;
  readonly to: Place;
  readonly mended: string;
}

interface Place {
  readonly line: number;
  readonly column: number;
}

/**
 * Quotes values that people write and YAML rejects: "description: Use when: …", also over several lines, "description:
 * [beta] …", "name: @scope/x", "paths: *.ts". Also quotes values that YAML reads as a tag and drops ("paths: !*.d.ts"),
 * and replaces indentation that is not spaces. The positions of everything else are unchanged.
 */
export function loosenYaml(yaml: string): { readonly yaml: string; readonly changed: readonly Loosened[] } {
  const anchors = new Set([...yaml.matchAll(/&([^\s,[\]{}]+)/g)].map(([, name]) => name));
  const isAlias = (value: string): boolean => anchors.has(/^\*([^\s,[\]{}]*)/.exec(value)?.[1]);
  const changed: Loosened[] = [];
  const lines = yaml.split('\n').map((line, index) => inSpaces(line, index + 1, changed));
  let block = -1; // indentation of the current block text, whose lines are not values
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!;
    const indent = line.search(/\S/);
    if (block >= 0 && (indent < 0 || indent > block)) continue;
    block = /:[ \t]+[|>][-+\d]*[ \t]*(?:#.*|\r)?$/s.test(line) ? indent : -1;
    const [, before = '', written = ''] = /^(\s*(?:- )?["']?[\w-]+["']?:[ \t]+|\s*- +)(\S[^\n]*)$/.exec(line) ?? [];
    const value = written.trimEnd();
    const end = written.endsWith('\r') ? '\r' : '';
    if (value === '') continue;
    const further = mayContinue(value)
      ? continuationLines(lines, index, /^\s*(?:- (?=["']?[\w-]+["']?:[ \t]))?/.exec(before)![0].length)
      : [];
    const isRefused = (text: string): boolean =>
      isInvalidYaml(`${before.includes(':') ? 'key:' : '-'} ${[text, ...further].join('\n')}`);
    if (further.length > 0) {
      if (isRefused(value)) {
        const mended = JSON.stringify(foldLines([value, ...further]));
        changed.push({
          what: 'quotes',
          from: { line: index + 1, column: before.length + 1 },
          to: { line: index + 1 + further.length, column: further.at(-1)!.trimEnd().length + 1 },
          mended,
        });
        lines.splice(index, further.length + 1, `${before}${mended}${end}`, ...further.map(() => ''));
      }
      index += further.length;
      continue;
    }
    const parts = looseParts(value, isAlias, isRefused);
    changed.push(
      ...parts.map(({ at, length, text }): Loosened => ({
        what: text.startsWith('!') ? 'tag' : 'quotes',
        from: { line: index + 1, column: before.length + at + 1 },
        to: { line: index + 1, column: before.length + at + length + 1 },
        mended: JSON.stringify(text),
      })),
    );
    lines[index] = `${before}${inQuotes(value, parts)}${end}`;
  }
  return { yaml: lines.join('\n'), changed };
}

/** Replaces tabs and similar characters in the indentation by as many spaces. */
function inSpaces(line: string, number: number, changed: Loosened[]): string {
  const blanks = /^[\t\u00A0][\t\u00A0 ]*(?=\S)/.exec(line)?.[0] ?? '';
  if (blanks !== '')
    changed.push({
      what: 'indent',
      from: { line: number, column: 1 },
      to: { line: number, column: blanks.length + 1 },
      mended: ' '.repeat(blanks.length),
    });
  return ' '.repeat(blanks.length) + line.slice(blanks.length);
}

/** Returns whether a value may continue on the next lines. */
const mayContinue = (value: string): boolean => !/^[[{|>&*!#]/.test(value);

/** Returns the next lines that belong to a value: those indented deeper than its name, without trailing empty lines. */
function continuationLines(lines: readonly string[], index: number, indent: number): string[] {
  const next = lines.findIndex((line, at) => at > index && line.trim() !== '' && line.search(/\S/) <= indent);
  const below = lines.slice(index + 1, next < 0 ? lines.length : next);
  return below.slice(0, below.findLastIndex((line) => line.trim() !== '') + 1);
}

/** Folds lines into one text like YAML: an empty line becomes a line break. */
const foldLines = (lines: readonly string[]): string =>
  lines
    .map((line) => line.trim())
    .reduce((text, line) => {
      if (line === '') return `${text}\n`;
      return text.endsWith('\n') ? text + line : `${text} ${line}`;
    });

interface Part {
  readonly at: number;
  readonly length: number;
  readonly text: string;
}

const partAt = (at: number, text: string): Part => ({ at, length: text.length, text });

/** Returns the parts of a value that need quotes: all of it, or entries of a list. */
function looseParts(value: string, isAlias: (text: string) => boolean, isRefused: (text: string) => boolean): Part[] {
  if (/^[|>&]|^\[[^\]]*$|^\{[^}]*$/.test(value)) return []; // the last two continue or were never closed
  if (/^["']/.test(value)) return isRefused(value) ? [{ at: 0, length: value.length, text: unquoted(value) }] : [];
  if (value.startsWith('!'))
    return /^!(?:[!<]|\S*\s+["'|>[{&*])/.test(value) ? [] : [partAt(0, value.replace(/(?<![ \t])[ \t]+#.*/s, ''))];
  if (value.startsWith('*')) return isAlias(value) ? [] : [partAt(0, value.replace(/(?<![ \t])[ \t]+#.*/s, ''))];
  const globs = value.startsWith('[')
    ? [...value.matchAll(entry)]
        .map(({ 0: text, index }) => partAt(index, text.trimEnd()))
        .filter(({ text }) => /^[*!]/.test(text) && !isAlias(text))
    : [];
  if (globs.length > 0 && !isRefused(inQuotes(value, globs))) return globs;
  return isRefused(value) ? [partAt(0, value)] : [];
}

/**
 * Removes quotes: 'It's broken' becomes It's broken. A text that is only partly quoted, or several quoted texts, are
 * kept whole.
 */
function unquoted(value: string): string {
  const [, quote, inner = ''] = /^(["'])([^]+)\1$/.exec(value) ?? [];
  const isOne =
    quote !== undefined &&
    [...inner.matchAll(/["']/g)].every(
      ({ 0: sign, index }) =>
        sign !== quote || inner[index - 1] === '\\' || /^\p{L}.\p{L}/u.test(inner.slice(Math.max(0, index - 1))),
    );
  return isOne ? inner.replaceAll('\\"', '"') : value;
}

/**
 * Matches quoted texts, to skip them, and list entries that start with "*" or "!". Commas in braces are part of a glob.
 */
const entry = /"(?:\\[^]|[^"\\])*(?:"|\\?$)|'[^']*'|(?:\*|!(?!!))(?<=[[,]\s*[*!])(?:\{[^{}]*\}|[^,[\]{}"'#])*/g;

const inQuotes = (value: string, parts: readonly Part[]): string =>
  parts.reduceRight(
    (text, { at, length, text: own }) => text.slice(0, at) + JSON.stringify(own) + text.slice(at + length),
    value,
  );

const isInvalidYaml = (yaml: string): boolean => parseDocument(yaml, { prettyErrors: false }).errors.length > 0;
