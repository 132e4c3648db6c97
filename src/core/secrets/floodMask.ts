import { shapeNeeds } from './secretShapes';
import type { MaskedStream, Secrets } from './secrets';

/** The text is looked at in pieces of so many characters: more than a stream ever holds back, and soon masked. */
const blockLength = 32_768;
/** A stream is given up only when most of the newest block was handed on, so that the block shows how it stood. */
const mostHeld = blockLength / 2;
/** Where block after block may hold secrets, at most so many go through the stream before one is looked at again. */
const mostUnlooked = 8;

/**
 * Masks a very long text that arrives in pieces, as `MaskedStream` does, at a small part of its cost: only blocks in
 * which a secret may begin, and their neighbours, go through a stream. All others are passed on unchanged.
 */
export class FloodMask {
  /** What came and is no whole block yet. */
  #waiting = '';
  /** The block before the newest one. */
  #before = '';
  /** The newest block that was looked at. */
  #newest = '';
  /** How many characters of the newest block were handed on, while no stream is at work. */
  #shown = 0;
  #stream: MaskedStream | undefined;
  /** How many characters are to come out of the stream that were shown before it began. */
  #known = 0;
  /** What went into the stream and did not come out of it. */
  #inside = '';
  #hasMasked = false;
  /** How many blocks go through the stream without a look, now and after the next block that may hold secrets. */
  #unlooked = 0;
  #nextUnlooked = 1;

  constructor(private readonly secrets: Secrets) {}

  /** Whether anything was masked, so that the output differs from the input. */
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

  /** What is held still, at the end of the text. */
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
   * Whether a secret may begin in the block, or at the end of the one before it, which could not be told without this
   * one.
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
      this.#nextUnlooked = Math.min(mostUnlooked, this.#nextUnlooked * 2);
    }
    if (!mayHold) this.#nextUnlooked = 1;
    return mayHold;
  }

  /**
   * Begins a stream that stands as one would that had read the whole text up to here; what it says of the newest block.
   */
  #beginStream(): string {
    const stream = this.secrets.stream();
    // The block before says what the newest one goes on with. It is left out where it may hold a secret, which is when
    // a part of the newest one was shown already: then that part is long enough to say it.
    const earlier = this.#shown > 0 ? '' : this.#before;
    this.#known = earlier.length + this.#shown;
    this.#stream = stream;
    this.#shown = 0;
    return this.#withoutKnown(this.#feed(stream, earlier) + this.#feed(stream, this.#newest));
  }

  /** What comes out of a stream, without what was shown before it began. */
  #withoutKnown(text: string): string {
    const rest = text.slice(this.#known);
    this.#known -= text.length - rest.length;
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
    const held = stream.held;
    if (held === undefined || held > Math.min(mostHeld, this.#newest.length)) return;
    this.#stream = undefined;
    this.#inside = '';
    this.#shown = this.#newest.length - held;
  }
}
