import { setting } from '../setting';
import { anyObject, choice, decimal, integer, pattern, text, yesOrNo } from '../value';

/** Sampling of several candidates per reply, and the choice among them. */
export const samplingSettings = {
  candidates: setting({
    value: integer({ minimum: 1, maximum: 32 }),
    default: 1,
    words: 'Number of candidate replies per step, of which one is used. Each one adds cost. 1: no candidates.',
    flag: {
      argument: '<n>',
      words: 'number of candidate replies per step',
      value: integer({ minimum: 1, maximum: 99 }),
    },
  }),
  'sampling.useN': setting({
    value: yesOrNo,
    default: false,
    words:
      'Request all candidates in one call if the server supports it. Missing ones are requested in separate calls.',
    flag: { words: 'request all candidates in one call if the server supports it' },
  }),
  'sampling.parameters': setting({
    value: anyObject,
    default: {},
    words: 'Additional parameters of candidate requests, for example `{"temperature": 1}`.',
    flag: {
      words: 'additional parameters of candidate requests, as a JSON object',
      parts: [
        {
          name: '--sampling-temperature',
          field: 'temperature',
          argument: '<t>',
          words: 'temperature of candidate requests, from 0 to 2',
          value: decimal({ minimum: 0, maximum: 2 }),
        },
      ],
    },
  }),
  'sampling.parallel': setting({
    value: integer({ minimum: 1 }),
    default: 8,
    words: 'Maximum parallel calls for candidates and scores.',
    flag: { words: 'maximum parallel calls for candidates and scores' },
  }),
  'verifier.kind': setting({
    value: choice({
      first_valid: 'The first usable candidate.',
      llm: 'A model compares all candidates and picks one.',
      reward_model: 'A model scores each candidate. The highest score wins.',
    }),
    default: 'first_valid',
    words: 'How one of the candidates is chosen.',
    flag: { name: '--verifier', argument: '<kind>', words: 'how one of the candidates is chosen' },
  }),
  'verifier.model': setting({
    value: text(),
    default: '',
    words: 'The model that judges, written like the fallbacks. Empty: the model that acts.',
    flag: { argument: '<model>', words: 'model that judges candidates, written as for --fallback' },
  }),
  'verifier.fallback': setting({
    value: choice({
      first_candidate: 'The first candidate, usable or not.',
      first_valid: 'The first usable candidate.',
    }),
    default: 'first_candidate',
    words: 'The candidate to use when the judge’s answer is unusable.',
    flag: { argument: '<which>', words: 'candidate to use when the judge’s answer is unusable' },
  }),
  'verifier.historySteps': setting({
    value: integer({ minimum: -1 }),
    default: 6,
    words: 'Number of past steps that the judge reads. −1: all.',
    flag: { words: 'number of past steps that the judge reads, -1 for all' },
  }),
  'verifier.similarity': setting({
    value: decimal({ minimum: 0 }),
    default: 0.9,
    words:
      'Share of common words, from 0 to 1, from which candidates count as alike, and one is drawn without judging. Above 1: never.',
    flag: { argument: '<share>', words: 'share of common words from which candidates count as alike, 0 to 1' },
  }),
  'verifier.selectionRegex': setting({
    value: pattern,
    default: '',
    words:
      'Regular expression that finds the number of the chosen candidate in the judge’s answer; the last match counts. Empty: the default.',
    flag: { words: 'regular expression that finds the number of the chosen candidate in the judge’s answer' },
  }),
  'verifier.indexBase': setting({
    value: integer({ minimum: 0 }),
    default: 1,
    words: 'Number of the first candidate.',
    flag: { words: 'number of the first candidate' },
  }),
  'verifier.rewardRegex': setting({
    value: pattern,
    default: '',
    words:
      'Regular expression that finds the score in a reward model’s answer; the last match counts. Empty: the default.',
    flag: { words: 'regular expression that finds the score in a reward model’s answer' },
  }),
  'verifier.attempts': setting({
    value: integer({ minimum: 1 }),
    default: 3,
    words: 'Maximum calls for one score, including the first.',
    flag: { words: 'maximum calls for one score, including the first' },
  }),
  'verifier.seed': setting({
    value: integer({ minimum: 0 }),
    default: 0,
    words: 'Seed for drawing among alike candidates.',
    flag: { words: 'seed for drawing among alike candidates' },
  }),
  'verifier.checklist': setting({
    value: choice({
      off: 'No checklist.',
      issue_progress: 'The judge lists what must become true, and judges by that.',
    }),
    default: 'off',
    words: 'Whether the judge first writes a checklist, once per task, to measure progress.',
    flag: { argument: '<kind>', words: 'whether the judge first writes a checklist to measure progress' },
  }),
};
