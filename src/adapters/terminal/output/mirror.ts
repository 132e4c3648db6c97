import { StringDecoder } from 'node:string_decoder';
import { withCommas } from '../../../core/text/withCommas';

const unfinished = /\x1b(?:\[[0-?]*[ -/]*|[\]PX^_][^\x07\x18\x1a\x1b\x9c]*\x1b?|[ -/]*)$/;
const longestSequence = 4096;

/** Most bytes shown in one tenth of a second; a person cannot read more, and the editor need not draw it. */
const budget = 64 * 1024;

/**
 * What the agent's terminal shows, for a person to watch: colours and cursor moves pass, everything
 * that acts on the watching terminal does not.
 */
export class Mirror {
  readonly #listeners = new Set<(text: string) => void>();
  #decoder = new StringDecoder('utf8');
  #held = '';
  #windowStart = 0;
  #shown = 0;
  #skipped = 0;

  /** `now`: milliseconds of a clock that never goes back. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  get watched(): boolean {
    return this.#listeners.size > 0;
  }

  listen(listener: (text: string) => void): { dispose(): void } {
    this.#listeners.add(listener);
    return {
      dispose: () => {
        this.#listeners.delete(listener);
      },
    };
  }

  command(text: string, folder: string): void {
    if (!this.watched) return;
    const escaped = text
      .replace(
        /[\x00-\x09\x0b-\x1f\x7f-\x9f]/g,
        (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
      )
      .replaceAll('\n', '\r\n');
    this.#emit(`\x1b[0m\r\x1b[2m${folder.replace(/[\x00-\x1f\x7f-\x9f]/g, '?')} $ ${escaped}\x1b[0m\r\n`);
  }

  /** Plain text, such as the live output of a command that runs into a file. */
  text(text: string): void {
    if (this.watched && text !== '') this.#paced(harmlessOnly(text).replace(/\r?\n/g, '\r\n'));
  }

  /** What a program printed on the terminal itself. */
  bytes(bytes: Buffer): void {
    if (!this.watched) return;
    const text = this.#held + this.#decoder.write(bytes);
    const at = text.search(unfinished);
    const end = at < 0 ? text.length : at;
    this.#held = text.length - end > longestSequence ? '' : text.slice(end);
    this.#paced(harmlessOnly(text.slice(0, end)));
  }

  #paced(text: string): void {
    const now = this.now();
    if (now - this.#windowStart > 100) {
      if (this.#skipped > 0)
        this.#emit(`\r\n\x1b[2m[… ${withCommas(this.#skipped)} characters not shown …]\x1b[0m\r\n`);
      this.#windowStart = now;
      this.#shown = this.#skipped = 0;
    }
    this.#shown += text.length;
    if (this.#shown > budget) this.#skipped += text.length;
    else if (text !== '') this.#emit(text);
  }

  #emit(text: string): void {
    for (const listener of this.#listeners) listener(text);
  }
}

/**
 * A whole control sequence or string, or what is left of one. In this order, so that nothing
 * that goes makes a new one of its neighbours.
 */
const controls = new RegExp(
  [
    '(?:\\x1b[\\]PX^_]|[\\x90\\x98\\x9d-\\x9f])[^\\x07\\x18\\x1a\\x1b\\x90\\x98\\x9c-\\x9f]*(?:\\x07|\\x1b\\\\|[\\x18\\x1a\\x9c])',
    '(?:\\x1b\\[|\\x9b)[0-?]*[ -/]*[@-~]',
    '\\x1b[ -/]*[0-~]',
    '[\\x00-\\x07\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f]',
  ].join('|'),
  'g',
);

/**
 * Colours, cursor moves, erasing, inserting, scrolling, the shape of the cursor. Not the lines that have scrolled away.
 */
const drawing = /^\x1b\[(?:[0-9;:]*m|[0-9;]*[A-IL-MPSXZ@`abdefgrs]|[0-9]?T|\??[012]?[JK]|[su]|[0-9]* q|!p|4[hl])$/;
/**
 * Keys and paste for the program, line wrap, origin, the cursor, the other screen, drawing
 * all at once. Not the mouse, not the focus.
 */
const modes = /^\x1b\[\?(?:(?:1|6|7|12|25|47|1047|1048|1049|2004|2026)(?:;(?=\d)|(?=[hl])))+[hl]$/;
const plainEscapes = /^\x1b(?:[78=>DEHM]|[()][0AB])$/;

/**
 * What a program printed, without all that acts on the terminal that shows it or makes
 * it answer: only what draws is let through.
 */
export const harmlessOnly = (text: string): string =>
  text.replace(controls, (found) =>
    drawing.test(found) || modes.test(found) || plainEscapes.test(found) ? found : '',
  );
