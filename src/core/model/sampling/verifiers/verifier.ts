import type { Candidate, Sampling, Usage } from '../../../../protocol/events/event';
import type { ChatMessage, Model } from '../../../ports/model';
import type { VerifierSettings } from '../samplingSettings';
import type { VerifierPrompts } from './prompts';

/** Several candidates for the next reply of a conversation. There are always at least two. */
export interface Choice {
  readonly candidates: readonly Candidate[];
  readonly messages: readonly ChatMessage[];
  /** The judge's checklist, if it wrote one before. */
  readonly checklist?: readonly string[];
  /** Called before the judging and whenever a part of it is done. */
  progress(done: number, of: number): void;
}

/** Which one, and why. `usages`: of the calls that judging took. */
export interface Verdict extends Pick<Sampling, 'chosen' | 'by' | 'reason' | 'outputs' | 'fallback' | 'checklist'> {
  /** The score of each candidate, null if it could not be read. */
  readonly scores?: readonly (number | null)[];
  readonly usages: readonly Usage[];
}

/**
 * Chooses one of several candidates. Rejects only when the signal aborts;
 * whatever else goes wrong ends in the fallback.
 */
export interface Verifier {
  choose(choice: Choice, signal: AbortSignal): Promise<Verdict>;
}

export interface VerifierParts {
  readonly settings: VerifierSettings;
  /** The model that judges. */
  readonly model: Model;
  readonly prompts: VerifierPrompts;
  /** Calls at the same time. */
  readonly parallel: number;
  /** Rejects with the signal's reason when it aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}
