import type { Terminal } from '@xterm/headless';
import { cleanText } from './cleanText';

/**
 * An invisible screen: shows what a person would read after all this was drawn. Its answers to queries are discarded.
 */
export class Emulator {
  readonly #terminal: Terminal;
  #since: { readonly line: number } | undefined;

  private constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** Preloads what `create` needs. */
  static prepare(): void {
    void import('@xterm/headless').catch(() => {
      /* `create` reports it */
    });
  }

  static async create(columns: number, rows: number): Promise<Emulator> {
    const loaded = await import('@xterm/headless');
    const { Terminal } = 'default' in loaded ? (loaded.default as typeof loaded) : loaded;
    return new Emulator(
      new Terminal({
        cols: columns,
        rows,
        scrollback: 10_000,
        allowProposedApi: true,
        convertEol: false,
        logLevel: 'off',
      }),
    );
  }

  write(bytes: Buffer): Promise<void> {
    return new Promise((resolve) => {
      this.#terminal.write(bytes, resolve);
    });
  }

  resize(columns: number, rows: number): void {
    this.#terminal.resize(columns, rows);
  }

  /** Returns the screen of a full-screen program; else the lines since the last call. */
  take(): string {
    const buffer = this.#terminal.buffer.active;
    const full = buffer.type === 'alternate';
    const from = full ? 0 : Math.max(0, this.#since?.line ?? 0);
    const lines: string[] = [];
    for (let row = from; row < buffer.length; row++) {
      const line = buffer.getLine(row);
      if (!line) break;
      const text = line.translateToString(!buffer.getLine(row + 1)?.isWrapped);
      if (line.isWrapped && lines.length > 0) lines[lines.length - 1] += text;
      else lines.push(text);
    }
    while (lines.length > 0 && lines.at(-1)?.trim() === '') lines.pop();
    if (!full) this.#since = this.#terminal.registerMarker(0);
    const finished = !full && buffer.cursorX === 0 && lines.length > 0;
    return cleanText((full ? lines.map((line) => line.trimEnd()) : lines).join('\n') + (finished ? '\n' : ''));
  }

  dispose(): void {
    this.#terminal.dispose();
  }
}
