/** Settings for requesting several candidates of each reply and choosing one. */
export interface SamplingSettings {
  /** Number of replies to request in each step. 1 disables sampling. */
  readonly candidates: number;
  /** Request all in one call if the server supports it. Missing ones are requested separately. */
  readonly useN: boolean;
  /** Parameters of the candidates' requests, such as `{ temperature: 1 }`. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Maximum number of parallel calls, for candidates and rewards. */
  readonly parallel: number;
  readonly verifier: VerifierSettings;
}

/**
 * Ways to choose one of several candidates. `first_valid`: the first one that can be parsed; `llm`: a model compares
 * them; `reward_model`: a server scores each.
 */
export const verifierKinds = ['first_valid', 'llm', 'reward_model'] as const;
export type VerifierKind = (typeof verifierKinds)[number];

/** How to choose one of the candidates. */
export interface VerifierSettings {
  readonly kind: VerifierKind;
  /** Name of the model that judges. Empty for the one that acts. */
  readonly model: string;
  /** Choice if the judge's answer cannot be used. */
  readonly fallback: 'first_candidate' | 'first_valid';
  /** Number of past steps that the judge sees. −1 means all. */
  readonly historySteps: number;
  /** Pattern with one group that captures a number. The last match in the judge's text counts. */
  readonly selectionRegex: string;
  /** Number of the first candidate. */
  readonly indexBase: number;
  /** Pattern with one group that captures a number. The last match counts. */
  readonly rewardRegex: string;
  /** Maximum number of calls for one reward, including the first. */
  readonly attempts: number;
  /**
   * Share of common words, 0 … 1, from which candidates count as alike. Then none is judged and one is drawn. Above 1:
   * never.
   */
  readonly similarity: number;
  /** Whether the judge first writes a checklist for each task, by which it measures progress. */
  readonly checklist: 'off' | 'issue_progress';
  /** Seed for random choices. */
  readonly seed: number;
  /** Jinja templates that replace the built-in prompts. */
  readonly templates: { readonly system?: string; readonly selection?: string; readonly reward?: string };
}

/** Defaults for sampling. */
export const samplingDefaults: SamplingSettings = {
  candidates: 1,
  useN: false,
  parameters: {},
  parallel: 8,
  verifier: {
    kind: 'first_valid',
    model: '',
    fallback: 'first_candidate',
    historySteps: 6,
    selectionRegex: String.raw`(\d+)`,
    indexBase: 1,
    rewardRegex: String.raw`REWARD:[\s*_]*([-+]?\d*\.?\d+(?:e[-+]?\d+)?)`,
    attempts: 3,
    similarity: 0.9,
    checklist: 'off',
    seed: 0,
    templates: {},
  },
};
