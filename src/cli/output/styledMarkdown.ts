import { styleText } from 'node:util';
import { escapeForTerminal } from './escapeForTerminal';
import type { Printer } from './output';
import { paintFor, type Paint } from './paint';

const fence = /^ {0,3}(?:```|~~~)/;
const heading = /^ {0,3}#{1,6}[ \t]+/;
/** The beginning of a line that may become a fence or a heading. */
const undecided = /^ {0,3}(?:`{1,2}|~{1,2}|#{1,6})?$/;
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

/** Styles Markdown if the output goes to a terminal with colors; otherwise leaves it as it was written. */
export function replyTextFor(out: Pick<Printer, 'isTTY'>): ReplyText {
  const hasColors = out.isTTY && process.env['TERM'] !== 'dumb' && styleText('bold', 'x') !== 'x';
  return hasColors ? new StyledMarkdown(paintFor(out)) : { add: escapeForTerminal, end: () => '' };
}

/**
 * Styles the Markdown of a reply for a terminal as it arrives: headings, strong text, inline code and code blocks. Tables,
 * lists and everything else stay as they were written. Text is held back only until it is known how it is styled, at most
 * to the end of its line.
 */
export class StyledMarkdown implements ReplyText {
  #held = '';
  #isAtLineStart = true;
  #isInFence = false;

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
    this.#isInFence = false;
    return rest;
  }

  /** Takes one part from what is held back and returns it styled. Returns undefined if more text is needed. */
  #next(): string | undefined {
    if (this.#held === '') return undefined;
    if (this.#isAtLineStart) {
      const lineEnd = this.#held.indexOf('\n');
      if (lineEnd === -1 && undecided.test(this.#held)) return undefined;
      const isFence = fence.test(this.#held);
      if (isFence || (!this.#isInFence && heading.test(this.#held))) {
        if (lineEnd === -1) return undefined;
        if (isFence) this.#isInFence = !this.#isInFence;
        return this.#wholeLine(this.#take(lineEnd));
      }
      this.#isAtLineStart = false;
    }
    return this.#isInFence ? this.#restOfLine() : this.#plainOrSpan();
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
    const [line, ...nextLines] = this.#held.slice(0, mostHeld).split('\n', 2);
    const end = line!.indexOf(marker, marker.length);
    if (end === -1 && nextLines.length === 0 && this.#held.length < mostHeld) return undefined;
    const span = line!.slice(marker.length, Math.max(end, 0));
    if (span === '' || span.trim() !== span) return escapeForTerminal(this.#take(marker.length));
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
    return taken;
  }
}
