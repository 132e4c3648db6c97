import { StringDecoder } from 'node:string_decoder';
import { harmlessOnly } from './harmlessOnly';

const unfinished = /\x1b(?:\[[0-?]*[ -/]*|[\]PX^_][^\x07\x18\x1a\x1b\x9c]*\x1b?|[ -/]*)$/;
const longestSequence = 4096;

/** Most bytes shown in one tenth of a second; a person cannot read more, and the editor need not draw it. */
const budget = 64 * 1024;

/** What the agent's terminal shows, for a person to watch: colours and cursor moves pass, everything that acts on the watching terminal does not. */
export class Mirror {
  readonly #listeners = new Set<(text: string) => void>();
  #decoder = new StringDecoder('utf8');
  #held = '';
  #windowStart = 0;
  #shown = 0;
  #skipped = 0;

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
    const visible = text
      .replace(
        /[\x00-\x09\x0b-\x1f\x7f-\x9f]/g,
        (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
      )
      .replaceAll('\n', '\r\n');
    this.#emit(`\x1b[0m\r\x1b[2m${folder.replace(/[\x00-\x1f\x7f-\x9f]/g, '?')} $ ${visible}\x1b[0m\r\n`);
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
    const now = performance.now();
    if (now - this.#windowStart > 100) {
      if (this.#skipped > 0)
        this.#emit(`\r\n\x1b[2m[… ${this.#skipped.toLocaleString('en-US')} characters not shown …]\x1b[0m\r\n`);
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
