import type { ReadProblem } from '../format';
import { withinMaxNesting } from './json';
import { isRecord } from '../../text/parseJson';

/** Readable part of truncated or damaged JSON. `value` is undefined if nothing could be read. */
interface Salvaged {
  readonly value: unknown;
  readonly problems: readonly ReadProblem[];
}

/** Maximum length of a text to repair, because a person waits for the result. */
const maxCharacters = 128 * 1024 * 1024;

/**
 * Reads as much of the text as possible: up to where it is truncated and, after damage, from the next entry of the
 * enclosing list. Never throws.
 */
export function readDamagedJson(text: string): Salvaged {
  if (text.length > maxCharacters)
    return {
      value: undefined,
      problems: [
        {
          where: '',
          words: `It is not complete JSON, and with more than ${maxCharacters / 1024 / 1024} million characters it is too long to be searched for readable parts.`,
        },
      ],
    };
  const reader = new DamagedReader(text.replace(/(?<![\0\s])[\0\s]+$/, ''));
  const value = reader.value([], 0);
  if (value === undefined)
    return { value, problems: [{ where: '', words: text.trim() === '' ? 'It is empty.' : 'It is not JSON.' }] };
  reader.end();
  return { value: withinMaxNesting(value), problems: reader.problems };
}

type Path = readonly (string | number)[];

/** Lists that contain runs. */
const runLists = /"(?:messages|steps|conversations)"\s*:\s*\[/g;
const maxDepth = 400;
const maxAttempts = 5000;

class DamagedReader {
  readonly problems: ReadProblem[] = [];
  /** Set after unreadable text, until a list finds its next entry. */
  #stopped = false;
  /** True if an entry may follow without a comma. */
  #fresh = true;
  #attempts = 0;
  /** Remaining number of characters that recovery attempts may scan. */
  #budget: number;

  constructor(
    private readonly text: string,
    private at = 0,
  ) {
    this.#budget = 4 * text.length;
  }

  /** Reads the next value. Returns undefined if there is none. */
  value(path: Path, depth: number): unknown {
    const letter = this.#next();
    if (letter === undefined || depth > maxDepth) return this.#stop(path);
    if (letter === '{') return this.#object(path, depth);
    if (letter === '[') return this.#list(path, depth);
    if (letter === '"') return this.#string(path);
    const [word] = this.#match(/-?(?:Infinity|NaN)|true|false|null|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/y) ?? [];
    // A number at the very end may be truncated.
    if (word === undefined || this.at === this.text.length) return this.#stop(path);
    if (!/NaN|Infinity/.test(word)) return JSON.parse(word.replace(/^(-?)0+(?=\d)/, '$1'));
    this.#tell(path, `${word} is not a JSON number, so it is treated as unknown.`);
    return null;
  }

  end(): void {
    if (!this.#stopped && this.#next() !== undefined) this.#tell([], 'The text after its end is skipped.');
  }

  #object(path: Path, depth: number): object {
    const fields: [string, unknown][] = [];
    this.#open();
    for (;;) {
      if (this.#closes('}', path) && !(this.#stopped && depth === 0 && this.#resumeDocument(fields)))
        return Object.fromEntries(fields);
      const key = this.text[this.at] === '"' ? this.#string(path) : undefined;
      if (!this.#stopped && (key === undefined || this.#next() !== ':')) this.#stop(path);
      if (this.#stopped) continue;
      this.at++;
      const value = this.value([...path, key!], depth + 1);
      if (value !== undefined) fields.push([key!, value]);
      this.#fresh = false;
    }
  }

  #list(path: Path, depth: number): unknown[] {
    const items: unknown[] = [];
    this.#open();
    for (;;) {
      if (this.#closes(']', path) && !(this.#stopped && this.#resumeList(items, path))) return items;
      const value = this.value([...path, items.length], depth + 1);
      if (value !== undefined) items.push(value);
      this.#fresh = false;
    }
  }

  #open(): void {
    this.at++;
    this.#fresh = true;
  }

  /** True if the object or list ends here. Consumes a comma before the next entry. */
  #closes(end: string, path: Path): boolean {
    if (this.#stopped) return true;
    if (this.#next() === ',' && !this.#fresh) {
      this.at++;
      this.#fresh = true;
    }
    if (this.#next() === end) {
      this.at++;
      this.#fresh = false;
      return true;
    }
    if (!this.#fresh || this.#next() === undefined) this.#stop(path);
    return this.#stopped;
  }

  #string(path: Path): string {
    const from = ++this.at;
    let to = this.text.indexOf('"', from);
    while (to !== -1 && isEscaped(this.text, to)) to = this.text.indexOf('"', to + 1);
    this.at = to === -1 ? this.text.length : to + 1;
    if (to === -1) this.#stop(path);
    return unescaped(this.text.slice(from, to === -1 ? undefined : to));
  }

  #next(): string | undefined {
    while (/\s/.test(this.text[this.at] ?? 'x')) this.at++;
    return this.text[this.at];
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found) this.at += found[0].length;
    return found;
  }

  #tell(path: Path, words: string): void {
    this.problems.push({ where: formatPath(path), words });
  }

  #stop(path: Path): undefined {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#tell(
      path,
      this.#next() === undefined
        ? 'The file ends in the middle of this, so the rest is missing.'
        : `The text at character ${this.at + 1} is not JSON, so everything up to the next readable part is skipped.`,
    );
  }

  /**
   * After damage: resumes at the next complete object that resembles an entry of this list. Only outer lists do this.
   */
  #resumeList(items: readonly unknown[], path: Path): boolean {
    const keys = new Set(items.filter(isRecord).flatMap((item) => Object.keys(item).slice(0, 1)));
    if (keys.size === 0 || path.some((step) => typeof step === 'number')) return false;
    const until = this.#runListAhead()?.index ?? this.text.length;
    const start = new RegExp(
      `\\{\\s*(?:${[...keys].map((key) => JSON.stringify(key).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')})\\s*:`,
      'g',
    );
    start.lastIndex = this.at;
    for (
      let found = start.exec(this.text);
      found && found.index < until && this.#attempts++ < maxAttempts && this.#budget > 0;
      found = start.exec(this.text)
    ) {
      const attempt = new DamagedReader(this.text, found.index);
      attempt.value([], 0);
      this.#budget -= attempt.at - found.index;
      if (attempt.problems.length === 0 && attempt.#match(/\s*(?:,\s*\{|\]|$)/y)) return this.#resume(found.index);
    }
    return false;
  }

  /** After damage outside the run: resumes at the list that contains the run. */
  #resumeDocument(fields: readonly (readonly [string, unknown])[]): boolean {
    const ahead = this.#runListAhead();
    return ahead !== null && !fields.some(([key]) => ahead[0].startsWith(`"${key}"`)) && this.#resume(ahead.index);
  }

  #runListAhead(): RegExpExecArray | null {
    runLists.lastIndex = this.at;
    return runLists.exec(this.text);
  }

  #resume(index: number): true {
    this.at = index;
    this.#stopped = false;
    this.#fresh = true;
    return true;
  }
}

function isEscaped(text: string, index: number): boolean {
  let backslashes = 0;
  while (text[index - 1 - backslashes] === '\\') backslashes++;
  return backslashes % 2 === 1;
}

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Decodes the text between quotation marks, which may be truncated, contain line breaks, or escape needlessly. */
function unescaped(inside: string): string {
  const whole = inside.replace(
    /(\\u[0-9a-fA-F]{4}|\\["\\/bfnrt])|\\(?:u[0-9a-fA-F]{0,3})?$|(\\)|([\x00-\x1f])/g,
    (_all, good?: string, lone?: string, control?: string) =>
      good ?? (lone && '\\\\') ?? (control && escaped(control)) ?? '',
  );
  return JSON.parse(`"${whole}"`) as string;
}

/** "messages[3].content" */
const formatPath = (path: Path): string =>
  path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');
