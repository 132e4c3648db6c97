import { changeReasons, runChanges } from './manifestFields';
import { parseJsonObject } from '../../text/parseJson';

/** What one file section of a diff changes: the names in its headers as written, and its hunks. */
interface Section {
  readonly names: string[];
  readonly hunks: string[][];
}

/** What a diff says it changes. */
export interface PatchText {
  /** As written in the headers, including prefixes such as `a/` and `b/`. */
  readonly names: readonly string[];
  /** True if it creates a symbolic link, through which later writes could leave the workspace. */
  readonly makesLink: boolean;
  readonly sections: readonly Section[];
}

const nameLine = /^(?:---|\+\+\+|\*\*\*|Index:|rename (?:from|to)|copy (?:from|to)) +(\S.*)$/;
/** `*** 1,5 ****` and `--- 1,5 ----` are the line ranges of a context diff. */
const rangeLine = /^(?:\*\*\*|---) \d+(?:,\d+)? (?:\*{4}|-{4})$/;

/**
 * Parses a diff like `patch` and `git apply`, as far as file names go: unified and context diffs, with headers of Git
 * or of mails.
 */
export function readPatch(text: string): PatchText {
  const sections: Section[] = [];
  /** The section and the hunk that the next lines belong to. */
  let section: Section | undefined;
  let hunk: string[] | undefined;
  /** True if a hunk came after the last header, so that the next header begins a section. */
  let hasHunks = false;
  let makesLink = false;
  for (const line of text.split(/\r?\n/)) {
    if (/^@@+ /.test(line)) {
      hunk = [];
      hasHunks = true;
      section?.hunks.push(hunk);
      continue;
    }
    // In a hunk, "--- x" may be a removed line or the header of the next file. It counts as a header.
    if (hunk && /^[ +\\-]/.test(line) && !/^(?:---|\+\+\+) \S/.test(line)) {
      hunk.push(line);
      continue;
    }
    if (/^(?:new file mode|new mode) 120000/.test(line)) makesLink = true;
    const names = fileNamesInLine(line);
    if (names.length === 0) continue;
    if (!section || hasHunks || line.startsWith('diff --git ')) {
      section = { names: [], hunks: [] };
      sections.push(section);
    }
    section.names.push(...names);
    hunk = undefined;
    hasHunks = false;
  }
  return { names: [...new Set(sections.flatMap(({ names }) => names))], makesLink, sections };
}

function fileNamesInLine(line: string): string[] {
  const git = /^diff --git (.+)$/.exec(line)?.[1];
  if (git !== undefined) return bothNames(git);
  if (rangeLine.test(line)) return [];
  const name = nameLine.exec(line)?.[1];
  if (name === undefined) return [];
  const plain = unquoted(name.split('\t')[0]!.trimEnd());
  return plain === '/dev/null' ? [] : [plain];
}

/** A quoted name, whose end may be missing. */
const quotedName = /"(?:[^"\\]|\\.)*(?:"|\\?$)/g;

/** Splits `a/one b/one` into two names. Either both are quoted, or both have the same length. */
function bothNames(text: string): string[] {
  const quoted = text.match(quotedName);
  if (quoted) return [...quoted.map(unquoted), text.replace(quotedName, '').trim()].filter(Boolean);
  const middle = (text.length - 1) / 2;
  if (Number.isInteger(middle) && text[middle] === ' ') return [text.slice(0, middle), text.slice(middle + 1)];
  return text.split(' ');
}

/** Git quotes names with unusual characters like C strings. */
function unquoted(name: string): string {
  if (!/^".*"$/.test(name)) return name;
  return name
    .slice(1, -1)
    .replace(/\\([0-7]{3})|\\(.)/g, (_all, octal: string | undefined, letter: string | undefined) =>
      octal === undefined ? letter! : String.fromCharCode(Number.parseInt(octal, 8)),
    );
}

/** Strips the first `count` folders from a name, like `patch -p`. */
export const withoutFolders = (name: string, count: number): string => name.split(/\/+/).slice(count).join('/');

/** Returns every reading of a name, with zero or more leading folders stripped. */
export const endingsOf = (name: string): string[] =>
  name
    .split('/')
    .slice(0, 6)
    .map((_part, count) => withoutFolders(name, count))
    .filter(Boolean);

/**
 * Describes in words what a section changes in a package.json, or returns undefined if that cannot be determined.
 * `before` is empty if the file does not exist. `byItself`: a change may run without being called by name.
 */
export function manifestReasons(
  path: string,
  { hunks }: Section,
  before: string,
): { readonly reasons: readonly string[]; readonly byItself: boolean } | undefined {
  const after = applied(before, hunks);
  const old = parseJsonObject(before || '{}');
  const now = after === undefined ? undefined : parseJsonObject(after);
  if (old === undefined || now === undefined) return undefined;
  const changes = runChanges(old, now);
  return {
    reasons: changeReasons(path, changes),
    byItself: changes.some(({ byItself, verb }) => byItself && verb !== 'Removes'),
  };
}

/** Applies the hunks to a text. Returns undefined if a hunk does not fit in exactly one place. */
function applied(before: string, hunks: readonly (readonly string[])[]): string | undefined {
  let text = before;
  for (const hunk of hunks) {
    const lines = hunk.filter((line) => !line.startsWith('\\'));
    const old = textWithout('+', lines);
    const offset = text.indexOf(old);
    if (offset < 0 || (old === '' && text !== '') || text.indexOf(old, offset + 1) >= 0) return undefined;
    text = text.slice(0, offset) + textWithout('-', lines) + text.slice(offset + old.length);
  }
  return text;
}

/** Returns the text of a hunk before it (without added lines) or after it (without removed lines). */
const textWithout = (sign: '+' | '-', lines: readonly string[]): string =>
  lines
    .filter((line) => !line.startsWith(sign))
    .map((line) => line.slice(1))
    .join('\n');
