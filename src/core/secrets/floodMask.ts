import { shapeNeeds } from './secretShapes';
import type { MaskedStream, Secrets } from './secrets';

/**
 * Size of the blocks that a text is checked in, in characters. Larger than anything a stream holds back, and small
 * enough to mask quickly.
 */
const blockLength = 32_768;
/**
 * A stream is ended only if it has passed on most of the newest block, because the block must be enough to restore its
 * state.
 */
const maxHeldBack = blockLength / 2;
/** Maximum number of blocks that go through the stream unchecked while block after block may contain secrets. */
const maxUnscanned = 8;

/**
 * Masks a very long text that arrives in pieces, like `MaskedStream` but at a fraction of the cost: only blocks in
 * which a secret may begin, and their neighbors, go through a stream. All others are passed on unchanged.
 */
export class FloodMask {
  /** Input that does not fill a block yet. */
  #waiting = '';
  /** The block before the newest one. */
  #before = '';
  /** The newest block that was checked. */
  #newest = '';
  /** Number of characters of the newest block that were passed on. Only used while there is no stream. */
  #shown = 0;
  #stream: MaskedStream | undefined;
  /** Number of characters at the start of the stream's output that were passed on before the stream began. */
  #alreadyShown = 0;
  /** Input of the stream that it has not returned yet. */
  #inside = '';
  #hasMasked = false;
  /**
   * Number of further blocks that go through the stream unchecked. `#nextUnlooked` is the number after the next block
   * that may contain a secret.
   */
  #unlooked = 0;
  #nextUnlooked = 1;

  constructor(private readonly secrets: Secrets) {}

  /** True if anything was masked, so that the output differs from the input. */
  get hasMasked(): boolean {
    return this.#hasMasked;
  }

  push(text: string): string {
    this.#waiting += text;
    let shown = '';
    let from = 0;
    for (; this.#waiting.length - from >= blockLength; from += blockLength)
      shown += this.#take(this.#waiting.slice(from, from + blockLength));
    this.#waiting = this.#waiting.slice(from);
    return shown;
  }

  /** Returns the text still held back, at the end of the input. */
  end(): string {
    const shown = this.#waiting === '' ? '' : this.#take(this.#waiting);
    this.#waiting = '';
    if (!this.#stream) return shown + this.#newest.slice(this.#shown);
    return shown + this.#withoutKnown(this.#cameOut(this.#stream.end()));
  }

  #take(block: string): string {
    const mayHold = this.#mayHoldSecret(block);
    let shown = '';
    if (!this.#stream && mayHold) shown = this.#beginStream();
    if (this.#stream) {
      shown += this.#withoutKnown(this.#feed(this.#stream, block));
    } else {
      shown = this.#newest.slice(this.#shown);
      this.#shown = 0;
    }
    this.#before = this.#newest;
    this.#newest = block;
    if (this.#stream && !mayHold) this.#endStream(this.#stream);
    return shown;
  }

  /**
   * Returns whether a secret may begin in the block, or at the end of the previous one, which could not be decided
   * without this block.
   */
  #mayHoldSecret(block: string): boolean {
    if (this.#unlooked > 0) {
      this.#unlooked--;
      return true;
    }
    const seenAgain = Math.max(shapeNeeds, this.secrets.longest);
    const text = this.#newest.slice(-seenAgain) + block;
    const mayHold = this.secrets.mayHold(text);
    if (mayHold && this.#stream) {
      this.#unlooked = this.#nextUnlooked;
      this.#nextUnlooked = Math.min(maxUnscanned, this.#nextUnlooked * 2);
    }
    if (!mayHold) this.#nextUnlooked = 1;
    return mayHold;
  }

  /**
   * Starts a stream in the state that it would have after reading the whole text so far. Returns what it outputs of the
   * newest block.
   */
  #beginStream(): string {
    const stream = this.secrets.stream();
    // The previous block provides context for the newest one. It is skipped if it may contain a secret. In that case
    // part of the newest block was already passed on, and is long enough as context.
    const earlier = this.#shown > 0 ? '' : this.#before;
    this.#alreadyShown = earlier.length + this.#shown;
    this.#stream = stream;
    this.#shown = 0;
    return this.#withoutKnown(this.#feed(stream, earlier) + this.#feed(stream, this.#newest));
  }

  /** Removes what was passed on before the stream began from its output. */
  #withoutKnown(text: string): string {
    const rest = text.slice(this.#alreadyShown);
    this.#alreadyShown -= text.length - rest.length;
    return rest;
  }

  #feed(stream: MaskedStream, text: string): string {
    this.#inside += text;
    return this.#cameOut(stream.push(text));
  }

  #cameOut(text: string): string {
    if (this.#hasMasked) return text;
    if (this.#inside.startsWith(text)) this.#inside = this.#inside.slice(text.length);
    else this.#hasMasked = true;
    return text;
  }

  #endStream(stream: MaskedStream): void {
    const held = stream.heldBack;
    if (held === undefined || held > Math.min(maxHeldBack, this.#newest.length)) return;
    this.#stream = undefined;
    this.#inside = '';
    this.#shown = this.#newest.length - held;
  }
}
