import { StringDecoder } from 'node:string_decoder';
import { withCommas } from '../../../core/text/withCommas';

const unfinished = /\x1b(?:\[[0-?]*[ -/]*|[\]PX^_][^\x07\x18\x1a\x1b\x9c]*\x1b?|[ -/]*)$/;
const maxSequenceLength = 4096;

/** Maximum bytes shown per tenth of a second; people cannot read more, and the editor need not draw it. */
const budget = 64 * 1024;

/**
 * The agent's terminal as shown to a watching user: passes colours and cursor moves, but nothing that acts on the
 * watching terminal.
 */
export class Mirror {
  readonly #listeners = new Set<(text: string) => void>();
  #decoder = new StringDecoder('utf8');
  #held = '';
  #windowStart = 0;
  #shown = 0;
  #skipped = 0;

  /** `now`: a monotonic clock in ms. */
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

  /** Adds plain text, such as the live output of a command that writes to a file. */
  text(text: string): void {
    if (this.watched && text !== '') this.#emitPaced(harmlessOnly(text).replace(/\r?\n/g, '\r\n'));
  }

  /** Adds what a program printed on the terminal itself. */
  bytes(bytes: Buffer): void {
    if (!this.watched) return;
    const text = this.#held + this.#decoder.write(bytes);
    const at = text.search(unfinished);
    const end = at < 0 ? text.length : at;
    this.#held = text.length - end > maxSequenceLength ? '' : text.slice(end);
    this.#emitPaced(harmlessOnly(text.slice(0, end)));
  }

  #emitPaced(text: string): void {
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
 * Matches a complete control sequence or string, or a fragment of one. The order ensures that removals do not combine
 * neighbours into a new one.
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

/** Colours, cursor moves, erasing, inserting, scrolling, the cursor shape. Not the scrollback. */
const drawing = /^\x1b\[(?:[0-9;:]*m|[0-9;]*[A-IL-MPSXZ@`abdefgrs]|[0-9]?T|\??[012]?[JK]|[su]|[0-9]* q|!p|4[hl])$/;
/**
 * Application keys and paste mode, line wrap, origin, the cursor, the alternate screen, synchronized drawing. Not the
 * mouse, not the focus.
 */
const modes = /^\x1b\[\?(?:(?:1|6|7|12|25|47|1047|1048|1049|2004|2026)(?:;(?=\d)|(?=[hl])))+[hl]$/;
const plainEscapes = /^\x1b(?:[78=>DEHM]|[()][0AB])$/;

/** Removes everything that acts on the displaying terminal or makes it answer: only drawing sequences pass. */
export const harmlessOnly = (text: string): string =>
  text.replace(controls, (found) =>
    drawing.test(found) || modes.test(found) || plainEscapes.test(found) ? found : '',
  );
