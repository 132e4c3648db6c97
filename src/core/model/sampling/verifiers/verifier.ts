import type { Candidate, Sampling, Usage } from '../../../../protocol/events/event';
import type { ChatMessage, Model } from '../../../ports/model';
import type { VerifierSettings } from '../samplingSettings';
import type { VerifierPrompts } from './prompts';

/** Candidates for the next reply of a conversation. There are at least two. */
export interface CandidateChoice {
  readonly candidates: readonly Candidate[];
  readonly messages: readonly ChatMessage[];
  /** The judge's checklist, if it wrote one. */
  readonly checklist?: readonly string[];
  /** Called before judging starts and after each part. */
  progress(done: number, of: number): void;
}

/** The chosen candidate with the reason. `usages`: of the calls that judging made. */
export interface CandidateVerdict extends Pick<
  Sampling,
  'chosen' | 'by' | 'reason' | 'outputs' | 'fallback' | 'checklist'
> {
  /** Score of each candidate, or null if it could not be parsed. */
  readonly scores?: readonly (number | null)[];
  readonly usages: readonly Usage[];
}

/** Chooses one of several candidates. Rejects only if aborted; any other failure results in the fallback. */
export interface Verifier {
  choose(choice: CandidateChoice, signal: AbortSignal): Promise<CandidateVerdict>;
}

/** What every verifier needs. */
export interface VerifierParts {
  readonly settings: VerifierSettings;
  /** Model that judges. */
  readonly model: Model;
  readonly prompts: VerifierPrompts;
  /** Maximum number of parallel calls. */
  readonly parallel: number;
  /** If aborted, rejects with the signal's reason. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}
