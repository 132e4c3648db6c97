import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import type { IPty } from 'node-pty';
import type { TerminalDevice } from './shellProcess';

/** After this many ms without data a terminal has nothing more to pass on. */
const silenceMs = 1000;

/**
 * The terminal of one shell. It keeps the programs' end open itself, so that no output is lost when the last of them
 * exits.
 */
export class PtyDevice implements TerminalDevice {
  readonly path: string;
  #slave: number | undefined;
  #listener = (_bytes: Buffer): void => {};
  #mark: { readonly bytes: Buffer; readonly seen: () => void } | undefined;
  #held: Buffer = Buffer.alloc(0);
  #open = true;
  /** Number of times that data arrived. */
  #received = 0;

  constructor(private readonly pty: IPty) {
    // Missing from node-pty's typings, but available in every version.
    const name = (pty as { ptsName?: unknown }).ptsName;
    this.path = typeof name === 'string' && name !== '' ? name : '/dev/tty';
    try {
      if (this.path !== '/dev/tty')
        this.#slave = fs.openSync(this.path, fs.constants.O_RDWR | fs.constants.O_NOCTTY | fs.constants.O_NONBLOCK);
    } catch {
      /* then `drained` waits for a pause in the output instead */
    }
    pty.onData((data) => this.#receive(data as unknown as Buffer));
    // Its descriptor is then closed, and the number may soon refer to another file.
    pty.onExit(() => {
      this.#open = false;
    });
  }

  onData(listener: (bytes: Buffer) => void): void {
    this.#listener = listener;
  }

  write(text: string): void {
    if (this.#open) this.pty.write(text);
  }

  resize(columns: number, rows: number): void {
    if (this.#open) this.pty.resize(columns, rows);
  }

  /** Prints an unpredictable marker after everything printed so far, and waits until it arrives. */
  async drained(): Promise<void> {
    if (!this.#open) return;
    if (this.#slave === undefined) return new Promise((resolve) => setTimeout(resolve, 50));
    const bytes = Buffer.from(`\x1b]waymark;${randomBytes(12).toString('hex')}\x07`);
    const arrived = new Promise<void>((resolve) => {
      this.#mark = { bytes, seen: resolve };
    });
    for (let sent = 0, tries = 0; sent < bytes.length && tries < 200; tries++) {
      try {
        sent += fs.writeSync(this.#slave, bytes, sent);
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }
    await Promise.race([arrived, this.#silence()]);
    this.#mark = undefined;
    this.#pass(this.#held);
    this.#held = Buffer.alloc(0);
  }

  /**
   * Resolves when nothing arrived for a while. If this process was blocked meanwhile, pending data is handled first.
   */
  async #silence(): Promise<void> {
    for (let received = -1; received !== this.#received && this.#mark;) {
      received = this.#received;
      await new Promise((resolve) => setTimeout(resolve, silenceMs).unref());
      await new Promise((resolve) => setImmediate(resolve));
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  close(): void {
    this.#open = false;
    if (this.#slave !== undefined) fs.closeSync(this.#slave);
    this.#slave = undefined;
  }

  #receive(data: Buffer): void {
    this.#received += 1;
    if (!this.#mark) return this.#pass(data);
    const { bytes, seen } = this.#mark;
    const all = Buffer.concat([this.#held, data]);
    const at = all.indexOf(bytes);
    if (at < 0) {
      const keep = Math.min(all.length, bytes.length - 1);
      this.#held = all.subarray(all.length - keep);
      return this.#pass(all.subarray(0, all.length - keep));
    }
    this.#mark = undefined;
    this.#held = Buffer.alloc(0);
    this.#pass(Buffer.concat([all.subarray(0, at), all.subarray(at + bytes.length)]));
    seen();
  }

  #pass(bytes: Buffer): void {
    if (bytes.length > 0) this.#listener(bytes);
  }
}
