import type { Shell } from './shell';
import type { TerminalRecording } from './output/terminalRecording';
import { looksLikePrompt, waitingFor } from './waiting';

const firstLookMs = 150;
const longestPauseMs = 1000;
/**
 * A program that sleeps until something happens may still be working: it waits for a
 * person only if this quiet and after a prompt.
 */
const promptQuietMs = 600;
const guessQuietMs = 1500;

/** Tells when a command that prints nothing waits for a person to type. */
export class QuietWatch {
  #size = -1;
  #since = performance.now();
  #pause = firstLookMs;
  #nextLook = 0;
  #seenReading = false;
  #recent = '';

  /** `needsTerminal`: the program is known to talk with people. */
  constructor(
    private readonly shell: Shell,
    private readonly screen: TerminalRecording,
    private readonly onTerminal: boolean,
    private readonly needsTerminal: boolean,
  ) {}

  /** Whether it has use for the text of the output. */
  get listens(): boolean {
    return this.onTerminal;
  }

  heard(text: string): void {
    this.#recent = (this.#recent + text).slice(-400);
  }

  restart(): void {
    this.#since = performance.now();
    this.#pause = firstLookMs;
    this.#nextLook = this.#since + firstLookMs;
    this.#seenReading = false;
  }

  waits(printed: number): boolean {
    const device = this.shell.device;
    if (!device) return false;
    const size = printed + this.screen.size();
    if (size !== this.#size) {
      this.#size = size;
      this.restart();
      return false;
    }
    const now = performance.now();
    if (now < this.#nextLook) return false;
    const quiet = now - this.#since;
    const found = waitingFor(this.shell.pid, device.path);
    const prompts = this.needsTerminal || this.screen.fullScreen || looksLikePrompt(this.#recent);
    const shown = this.onTerminal || this.screen.size() > 0;
    if (found === 'listening' && quiet > promptQuietMs && shown && prompts) return true;
    if (found === 'unknown' && quiet > guessQuietMs && shown && prompts) return true;
    // Seen twice, because a program may read in passing.
    if (found === 'reading' && this.#seenReading) return true;
    this.#seenReading = found === 'reading';
    if (!this.#seenReading) this.#pause = Math.min(this.#pause * 1.5, longestPauseMs);
    this.#nextLook = this.#seenReading ? now : Math.min(now + this.#pause, Math.max(this.#since + promptQuietMs, now));
    return false;
  }
}
