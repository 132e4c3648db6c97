import { styleText } from 'node:util';
import { escapeForTerminal } from './escapeForTerminal';
import type { Printer } from './output';
import { paintFor, type Paint } from './paint';

/** The first or last line of a block of code. In a list, blocks are indented. */
const fence = /^[ \t]*(?:(`{3,})[^`]*$|(~{3,}))/;
const fenceBegin = /^[ \t]*(?:```|~~~)/;
const heading = /^ {0,3}#{1,6}[ \t]+/;
/** The beginning of a line that may become a fence or a heading. */
const undecided = /^[ \t]*(?:`{1,2}|~{1,2})?$|^ {0,3}#{1,6}$/;
/** What precedes `**` in `2**8` and `src/**`, where it is no markup. */
const beforeStars = /[\w/]/;
/** What ends plain text: a span may begin, or the line ends. */
const stop = /\*\*|`+|\n/;
/** A span without an end is held back up to this many characters. */
const mostHeld = 400;

/** Prepares the text of a reply for output as it arrives. */
export interface ReplyText {
  /** Takes the next piece, and returns what can be shown. */
  add(piece: string): string;
  /** Returns what is still held back. The next piece begins a new text. */
  end(): string;
}

/**
 * Styles Markdown if the output goes to a terminal with colors; otherwise leaves it as it was written. Either way, no
 * line of a reply looks like one of Waymark's own.
 */
export function replyTextFor(out: Pick<Printer, 'isTTY'>): ReplyText {
  const hasColors = out.isTTY && process.env['TERM'] !== 'dumb' && styleText('bold', 'x') !== 'x';
  return new MarkedReply(hasColors ? new StyledMarkdown(paintFor(out)) : { add: escapeForTerminal, end: () => '' });
}

/** Signs with which Waymark's own lines begin: a task, an action, its end, a question, a notice. `![` is an image. */
const ownSign = /^(?:[●▸✓✗■…?]|!(?!\[))/;

/** Puts a line before each line of a reply that begins with a sign of Waymark's own lines. */
class MarkedReply implements ReplyText {
  #isAtLineStart = true;

  constructor(private readonly shown: ReplyText) {}

  add(piece: string): string {
    const lines = piece.split('\n').map((line, at) => {
      const isStart = at > 0 || this.#isAtLineStart;
      const text = line.trimStart();
      if (text !== '') this.#isAtLineStart = false;
      else if (at > 0) this.#isAtLineStart = true;
      return isStart && ownSign.test(text) ? `${line.slice(0, line.length - text.length)}│ ${text}` : line;
    });
    return this.shown.add(lines.join('\n'));
  }

  end(): string {
    this.#isAtLineStart = true;
    return this.shown.end();
  }
}

/**
 * Styles the Markdown of a reply for a terminal as it arrives: headings, strong text, inline code and code blocks. Tables,
 * lists and everything else stay as they were written. Text is held back only until it is known how it is styled, at most
 * to the end of its line.
 */
export class StyledMarkdown implements ReplyText {
  #held = '';
  #isAtLineStart = true;
  /** The marker of the block of code that the text is in, or empty. */
  #fence = '';
  /** The last character that was shown. */
  #before = '';

  constructor(private readonly paint: Paint) {}

  add(piece: string): string {
    this.#held += piece;
    let shown = '';
    for (let next = this.#next(); next !== undefined; next = this.#next()) shown += next;
    return shown;
  }

  end(): string {
    const rest = this.#isAtLineStart ? this.#wholeLine(this.#held) : escapeForTerminal(this.#held);
    this.#held = '';
    this.#isAtLineStart = true;
    this.#fence = this.#before = '';
    return rest;
  }

  /** Takes one part from what is held back and returns it styled. Returns undefined if more text is needed. */
  #next(): string | undefined {
    if (this.#held === '') return undefined;
    if (this.#isAtLineStart) {
      const lineEnd = this.#held.indexOf('\n');
      if (lineEnd === -1 && undecided.test(this.#held)) return undefined;
      const isHeading = this.#fence === '' && heading.test(this.#held);
      if (isHeading || fenceBegin.test(this.#held)) {
        if (lineEnd === -1) return undefined;
        if (isHeading || this.#passesFence(this.#held.slice(0, lineEnd))) return this.#wholeLine(this.#take(lineEnd));
      }
      this.#isAtLineStart = false;
    }
    return this.#fence === '' ? this.#plainOrSpan() : this.#restOfLine();
  }

  /** Returns whether a line begins or ends a block of code. A longer marker can contain blocks with shorter ones. */
  #passesFence(line: string): boolean {
    const found = fence.exec(line);
    const marker = found?.[1] ?? found?.[2];
    if (marker === undefined) return false;
    if (this.#fence === '') {
      this.#fence = marker;
      return true;
    }
    const isEnd = marker.startsWith(this.#fence) && line.trim() === marker;
    if (isEnd) this.#fence = '';
    return isEnd;
  }

  #restOfLine(): string {
    const lineEnd = this.#held.indexOf('\n');
    if (lineEnd === 0) return this.#lineBreak();
    return escapeForTerminal(this.#take(lineEnd === -1 ? this.#held.length : lineEnd));
  }

  #plainOrSpan(): string | undefined {
    const found = stop.exec(this.#held);
    if (!found) {
      // An asterisk at the end may be the first of two.
      const length = this.#held.endsWith('*') ? this.#held.length - 1 : this.#held.length;
      return length === 0 ? undefined : escapeForTerminal(this.#take(length));
    }
    if (found.index > 0) return escapeForTerminal(this.#take(found.index));
    const marker = found[0];
    if (marker === '\n') return this.#lineBreak();
    if (marker === '**' && beforeStars.test(this.#before)) return this.#take(marker.length);
    const [line, ...nextLines] = this.#held.slice(0, mostHeld).split('\n', 2);
    const end = line!.indexOf(marker, marker.length);
    if (end === -1 && nextLines.length === 0 && this.#held.length < mostHeld) return undefined;
    const span = line!.slice(marker.length, Math.max(end, 0));
    if (span === '' || span.trim() !== span || (marker === '**' && span.startsWith('/')))
      return escapeForTerminal(this.#take(marker.length));
    this.#take(end + marker.length);
    return this.paint(marker === '**' ? 'bold' : 'cyan', span);
  }

  #lineBreak(): string {
    this.#isAtLineStart = true;
    return this.#take(1);
  }

  /** Formats a line that is held back as a whole. */
  #wholeLine(line: string): string {
    if (fence.test(line)) return this.paint('dim', line);
    return heading.test(line) ? this.paint('bold', line.replace(heading, '')) : escapeForTerminal(line);
  }

  #take(length: number): string {
    const taken = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    this.#before = taken.at(-1) ?? this.#before;
    return taken;
  }
}
