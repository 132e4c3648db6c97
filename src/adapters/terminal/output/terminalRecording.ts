import fs from 'node:fs';
import { secrets } from '../../../core/secrets/secrets';
import { Emulator } from './emulator';
import {
  startOfText,
  joinEnds,
  outputCap,
  tailOf,
  withinOutputCap,
  openOutput,
  writeSome,
  type CapturedOutput,
} from './outputFile';

/**
 * Up to this size everything is drawn on the emulated screen; beyond it only the ends, so that a flood does not pass
 * through it.
 */
const drawWhole = 256 * 1024;
const drawLines = 4000;
const keptHead = 12 * 1024;
const keptTail = 16 * 1024;
const liveMost = 32 * 1024;

/**
 * What a command prints on the terminal. Memory is bounded; an output that is cut is stored completely in the file at
 * `path`.
 */
export class TerminalRecording {
  #bytes = 0;
  #emulator: Emulator | undefined;
  /** Since the last `take`: all chunks, or only the ends if `#spool` is open. */
  #chunks: Buffer[] = [];
  #chunkBytes = 0;
  #segment = 0;
  #lines = 0;
  #head: Buffer = Buffer.alloc(0);
  #spool: number | undefined;
  #live: Buffer[] = [];
  #liveBytes = 0;
  /** True while a full-screen program is drawing. */
  fullScreen = false;

  constructor(
    readonly path: string,
    private columns: number,
    private rows: number,
  ) {}

  size(): number {
    return this.#bytes;
  }

  push(bytes: Buffer): void {
    this.#bytes += bytes.length;
    const [opened, closed] = [bytes.lastIndexOf('\x1b[?1049h'), bytes.lastIndexOf('\x1b[?1049l')];
    if (opened !== closed) this.fullScreen = opened > closed;
    this.#segment += bytes.length;
    this.#chunks.push(bytes);
    this.#chunkBytes += bytes.length;
    this.#live.push(bytes);
    this.#liveBytes += bytes.length;
    while (this.#liveBytes - (this.#live[0]?.length ?? 0) > liveMost)
      this.#liveBytes -= this.#live.shift()?.length ?? 0;
    if (this.#spool !== undefined) writeSome(this.#spool, bytes);
    else {
      for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) this.#lines++;
      if (this.#segment > drawWhole || this.#lines > drawLines) this.#overflow();
    }
    if (this.#spool !== undefined)
      while (this.#chunkBytes - (this.#chunks[0]?.length ?? 0) > keptTail)
        this.#chunkBytes -= this.#chunks.shift()?.length ?? 0;
  }

  takeNew(): Buffer {
    const news = Buffer.concat(this.#live);
    this.#live = [];
    this.#liveBytes = 0;
    return news;
  }

  resize(columns: number, rows: number): void {
    this.columns = columns;
    this.rows = rows;
    this.#emulator?.resize(columns, rows);
  }

  /** Returns the visible output since the last `take`, cut to the cap. */
  async take(): Promise<CapturedOutput> {
    const bytes = this.#segment;
    const drawn = Buffer.concat(this.#chunks);
    const overflowed = this.#spool !== undefined;
    const head = this.#head;
    this.#startSegment();
    if (bytes === 0) return { text: '', bytes, cut: false };
    if (overflowed) {
      const first = startOfText((await this.#draw(head)).trimEnd() + '\n', outputCap / 2);
      const tail = tailOf(await this.#draw(drawn), outputCap / 2);
      return { text: joinEnds({ head: first, tail }, bytes), bytes, cut: true };
    }
    this.#emulator ??= await Emulator.create(this.columns, this.rows);
    await this.#emulator.write(drawn);
    const text = secrets.mask(this.#emulator.take());
    if (Buffer.byteLength(text) <= outputCap) return { text, bytes, cut: false };
    const file = openOutput(this.path, 'append');
    try {
      writeSome(file, drawn);
    } finally {
      fs.closeSync(file);
    }
    return {
      text: withinOutputCap(text),
      bytes,
      cut: true,
    };
  }

  close(): void {
    if (this.#spool !== undefined) fs.closeSync(this.#spool);
    this.#spool = undefined;
    this.#emulator?.dispose();
  }

  #overflow(): void {
    this.#spool = openOutput(this.path, 'append');
    const all = Buffer.concat(this.#chunks);
    writeSome(this.#spool, all);
    this.#head = all.subarray(0, keptHead);
  }

  #startSegment(): void {
    if (this.#spool !== undefined) fs.closeSync(this.#spool);
    this.#spool = undefined;
    this.#chunks = [];
    this.#chunkBytes = this.#segment = this.#lines = 0;
    this.#head = Buffer.alloc(0);
  }

  /** Draws on a fresh screen, which later output then continues. */
  async #draw(bytes: Buffer): Promise<string> {
    this.#emulator?.dispose();
    this.#emulator = await Emulator.create(this.columns, this.rows);
    await this.#emulator.write(bytes);
    return secrets.mask(this.#emulator.take());
  }
}
