/** One setting of Git. */
interface GitSetting {
  /** Full name in lower case: `diff.image.textconv`. */
  readonly name: string;
  /** As Git uses it, without quotes and comments. */
  readonly value: string;
}

/** What may precede a heading or a setting. */
const blank = /(?:[ \t\r\n]+|[#;][^\n]*)*/y;
/** `[diff "image"]`: the section, and what is in the quotes. */
const heading = /\[([\w.-]*)(?:[ \t\r]+"((?:\\[^\n]|[^"\\\n])*)")?\]/y;
/** The key, and "=" if there is a value. */
const start = /([A-Za-z][A-Za-z0-9-]*)[ \t]*(?:(=)|(?=\n|$))/y;
/** A value with its quotes. A backslash continues it on the next line, unless it is in a comment. */
const writtenValue = /((?:"(?:\\[^]|[^"\\\n])*"|\\[^]|[^"\\\n#;])*)(?:[#;][^\n]*)?/y;
const restOfLine = /[^\n]*/y;

/**
 * Reads the settings in a Git configuration file as Git does, which accepts several headings in a line and values of
 * several lines. `[diff "image"]` and `textconv = exif` become `diff.image.textconv`. Skips lines that are invalid.
 */
export function gitSettingsIn(text: string): GitSetting[] {
  const source = text.replaceAll('\r\n', '\n').replace(/^\uFEFF/, '');
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (found) at = pattern.lastIndex;
    return found;
  };
  const settings: GitSetting[] = [];
  let section = '';
  for (take(blank); at < source.length; take(blank)) {
    const [head, name = '', subsection] = take(heading) ?? [];
    if (head !== undefined) {
      section = `${name}${subsection === undefined ? '' : `.${subsection.replace(/\\(.)/g, '$1')}`}.`;
      continue;
    }
    const [, key, equals] = take(start) ?? [];
    if (key === undefined) take(restOfLine);
    else
      settings.push({
        name: `${section}${key}`.toLowerCase(),
        value: equals === undefined ? 'true' : valueOf(take(writtenValue)?.[1] ?? ''),
      });
  }
  return settings;
}

/** Included files may include others. Git reports an error if there are more levels than this. */
export const maxIncludeLevels = 10;

/** Returns whether a setting includes the file at its value. */
export const namesIncluded = (name: string): boolean => /^include(?:if\.[^]*)?\.path$/.test(name);

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b', '\n': '' };

/** Returns the value that Git reads: up to the first zero byte. */
function valueOf(written: string): string {
  let value = '';
  let spaces = '';
  let isQuoted = false;
  for (const [part, escaped] of written.matchAll(/\\([^])|[^]/g)) {
    if (!isQuoted && /^[ \t\r]$/.test(part)) {
      if (value !== '') spaces += ' ';
      continue;
    }
    value += spaces;
    spaces = '';
    if (part === '"') isQuoted = !isQuoted;
    else value += escaped === undefined ? part : (escapes[escaped] ?? escaped);
  }
  return value.split('\0', 1)[0]!;
}
