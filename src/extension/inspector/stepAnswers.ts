import type { History } from '../../core/log/projection';
import { outlineOf, requestPair, wholeMessage, type RequestPair } from '../../core/trajectory/requestDiff';
import { stepDetails } from '../../core/trajectory/stepDetails';
import type { FromInspector, ToInspector } from '../../protocol/inspector/inspector';

/** A question of a view about one step. */
export type StepQuestion = Extract<FromInspector, { type: 'details' | 'request' | 'message' }>;
type StepAnswer = Extract<ToInspector, { type: 'details' | 'request' | 'message' }>;

/**
 * Answers questions about single steps, for the inspector and the conversation. Caches the last requested pair per run.
 */
export class StepAnswers {
  private readonly pairs = new Map<
    number,
    { readonly history: History; readonly pair: RequestPair | undefined; readonly seq: number }
  >();

  /** Returns undefined if the log has no such step, request or message. */
  async answer(history: History, question: StepQuestion): Promise<StepAnswer | undefined> {
    const { run, seq } = question;
    if (question.type === 'details') {
      const details = stepDetails(history, seq);
      return details && { type: 'details', run, details };
    }
    const pair = this.pair(history, run, seq);
    if (!pair) return undefined;
    if (question.type === 'request')
      return { type: 'request', run, seq, request: outlineOf(history, pair, question.from) };
    const message = await wholeMessage(pair, question.index);
    return message && { type: 'message', run, seq, message };
  }

  forget(): void {
    this.pairs.clear();
  }

  private pair(history: History, run: number, seq: number): RequestPair | undefined {
    const known = this.pairs.get(run);
    if (known?.history === history && known.seq === seq) return known.pair;
    const pair = requestPair(history, seq);
    this.pairs.set(run, { history, pair, seq });
    return pair;
  }
}
