import type { Usage } from '../../protocol/events/event';
import { addUsage } from '../log/addUsage';
import { ModelProblem, type Model } from '../ports/model';
import { lengthThatFits, shortened } from './eventText';
import { summaryPrompt } from './summaryPrompt';

/** A summary that cannot be used; the message says why. */
export class SummaryFailed extends Error {
  constructor(
    why: string,
    /** Whether a shorter record may go better. */ readonly shorterMayHelp = false,
  ) {
    super(why);
    this.name = 'SummaryFailed';
  }
}

/** Share of the window that the record may fill, so that there is room for instructions and summary. */
const recordShare = 0.7;
/** Characters of a record where nobody knows the window. */
const recordUnknown = 200_000;

/** Has summaries written by a model, and keeps the bill. */
export class Writer {
  private usage: Usage | undefined;
  private name: string | undefined;

  constructor(
    private readonly model: Model,
    private readonly window: number | null,
    private readonly tokensPerCharacter: number,
  ) {}

  /** `share`: of the length that each text could have. Rejects with `SummaryFailed`, or as the model does. */
  async summary(texts: readonly string[], earlier: string, share: number, signal: AbortSignal): Promise<string> {
    const room =
      this.window === null ? recordUnknown : (this.window * recordShare) / this.tokensPerCharacter - earlier.length;
    const longest = lengthThatFits(texts, room) * share;
    const record = texts.map((text) => shortened(text, longest));
    const reply = await this.model.complete(
      { messages: summaryPrompt(record, earlier || undefined, this.words(record)), tools: [] },
      signal,
    );
    this.usage = this.usage ? addUsage([this.usage, reply.usage]) : reply.usage;
    this.name = reply.model;
    const text = reply.text.trim();
    if (!text) throw new SummaryFailed('The model wrote no summary.', true);
    if (reply.finishReason === 'length') throw new SummaryFailed('The summary was cut at the token limit.', true);
    return text;
  }

  tokensOf(text: string): number {
    return text.length * this.tokensPerCharacter;
  }

  /** What was used so far, by which model. */
  bill(): { usage?: Usage; model?: string } {
    return { ...(this.usage && { usage: this.usage }), ...(this.name !== undefined && { model: this.name }) };
  }

  /** A fifth of what is summarised, from 2,000 to 12,000 tokens and never above a twentieth of the window; in words. */
  private words(record: readonly string[]): number {
    const fifth = record.reduce((sum, text) => sum + this.tokensOf(text), 0) / 5;
    const most = Math.min(12_000, this.window === null ? Infinity : this.window / 20);
    return Math.max(100, Math.round(Math.min(most, Math.max(2_000, fifth)) * 0.75));
  }
}

/** Whether a failed summary may succeed with a shorter record. Keys, money and networks do not get better by it. */
export const shorterMayHelp = (thrown: unknown): boolean =>
  thrown instanceof SummaryFailed
    ? thrown.shorterMayHelp
    : thrown instanceof ModelProblem && ['context_overflow', 'invalid_request', 'cut', 'stalled'].includes(thrown.kind);
