/** Several candidates for each reply, of which one is chosen. */
export interface SamplingSettings {
  /** Replies asked for in each step; 1 is no sampling. */
  readonly candidates: number;
  /** Ask for all in one call where the server can; what is missing is asked for in calls of its own. */
  readonly useN: boolean;
  /** Arguments of the candidates' requests, such as `{ temperature: 1 }`. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Calls at the same time, of candidates and of rewards. */
  readonly parallel: number;
  readonly verifier: VerifierSettings;
}

export const verifierKinds = ['first_valid', 'llm', 'reward_model'] as const;
export type VerifierKind = (typeof verifierKinds)[number];

/** How one of the candidates is chosen. */
export interface VerifierSettings {
  readonly kind: VerifierKind;
  /** The model that judges, by name; empty: the one that acts. */
  readonly model: string;
  /** What counts when the judge's answer cannot be used. */
  readonly fallback: 'first_candidate' | 'first_valid';
  /** Past steps that the judge reads; −1 is all. */
  readonly historySteps: number;
  /** With one group that is a number; the last match in the judge's text counts. */
  readonly selectionRegex: string;
  /** The number of the first candidate. */
  readonly indexBase: number;
  /** With one group that is a number; the last match counts. */
  readonly rewardRegex: string;
  /** Calls for one reward, the first included. */
  readonly attempts: number;
  /**
   * From this share of common words on, 0 … 1, candidates are alike and none is judged: one is drawn. Above 1: never.
   */
  readonly similarity: number;
  /** Whether the judge first writes down, once for each task, by what it will tell progress. */
  readonly checklist: 'off' | 'issue_progress';
  /** Decides what is drawn. */
  readonly seed: number;
  /** Jinja sources in place of the built-in prompts. */
  readonly templates: { readonly system?: string; readonly selection?: string; readonly reward?: string };
}

/** What a run goes by where nothing else is set. */
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
