import { setting } from '../setting';
import { anyObject, choice, decimal, integer, text, yesOrNo } from '../value';

/** Sampling of several candidates per reply, and the choice among them. */
export const samplingSettings = {
  candidates: setting({
    value: integer({ minimum: 1, maximum: 32 }),
    default: 1,
    words: 'Candidate replies per step, one of which is used. Each one costs. 1: no candidates.',
    flag: {
      argument: '<n>',
      words: 'replies to choose from in each step',
      value: integer({ minimum: 1, maximum: 99 }),
    },
  }),
  'sampling.useN': setting({
    value: yesOrNo,
    default: false,
    words: 'Ask for all candidates in one call where the server can; what is missing is asked for in calls of its own.',
    flag: { words: 'ask for all candidates in one call where the server can' },
  }),
  'sampling.parameters': setting({
    value: anyObject,
    default: {},
    words: 'Further arguments of the candidates\' requests, for example `{"temperature": 1}`.',
    flag: {
      words: 'further arguments of the candidates’ requests, as a JSON object',
      parts: [
        {
          name: '--sampling-temperature',
          field: 'temperature',
          argument: '<t>',
          words: 'temperature of the candidates’ requests, from 0 to 2',
          value: decimal({ minimum: 0, maximum: 2 }),
        },
      ],
    },
  }),
  'sampling.parallel': setting({
    value: integer({ minimum: 1 }),
    default: 8,
    words: 'Calls at the same time, of candidates and of scores.',
    flag: { words: 'calls at the same time, of candidates and of scores' },
  }),
  'verifier.kind': setting({
    value: choice({
      first_valid: 'The first usable candidate.',
      llm: 'A model compares all candidates and picks one.',
      reward_model: 'A model scores each candidate. The highest score wins.',
    }),
    default: 'first_valid',
    words: 'Selects one of the candidates.',
    flag: { name: '--verifier', argument: '<kind>', words: 'how one of several candidates is chosen' },
  }),
  'verifier.model': setting({
    value: text(),
    default: '',
    words: 'The model that judges, written like the fallbacks. Empty: the model that acts.',
    flag: { argument: '<model>', words: 'the model that judges candidates, written as with --fallback' },
  }),
  'verifier.fallback': setting({
    value: choice({
      first_candidate: 'The first candidate, whatever it is.',
      first_valid: 'The first usable candidate.',
    }),
    default: 'first_candidate',
    words: "What counts when the judge's answer cannot be used.",
    flag: { argument: '<which>', words: 'the candidate that counts when the judge’s answer cannot be used' },
  }),
  'verifier.historySteps': setting({
    value: integer({ minimum: -1 }),
    default: 6,
    words: 'Past steps that the judge reads. −1: all.',
    flag: { words: 'past steps that the judge reads, -1 for all' },
  }),
  'verifier.similarity': setting({
    value: decimal({ minimum: 0 }),
    default: 0.9,
    words:
      'From this share of common words on, 0 to 1, candidates are taken for alike and one is drawn without judging. Above 1: never.',
    flag: { argument: '<share>', words: 'share of common words from which candidates are taken for alike, 0 to 1' },
  }),
  'verifier.selectionRegex': setting({
    value: text({ verbatim: true }),
    default: '',
    words:
      "Finds the number of the chosen candidate in the judge's words; the last match counts. Empty: the usual one.",
    flag: { words: 'finds the number of the chosen candidate in the judge’s words' },
  }),
  'verifier.indexBase': setting({
    value: integer({ minimum: 0 }),
    default: 1,
    words: 'The number of the first candidate.',
    flag: { words: 'the number of the first candidate' },
  }),
  'verifier.rewardRegex': setting({
    value: text({ verbatim: true }),
    default: '',
    words: "Finds the score in a reward model's words; the last match counts. Empty: the usual one.",
    flag: { words: 'finds the score in a reward model’s words' },
  }),
  'verifier.attempts': setting({
    value: integer({ minimum: 1 }),
    default: 3,
    words: 'Calls for one score, the first included.',
    flag: { words: 'calls for one score, the first included' },
  }),
  'verifier.seed': setting({
    value: integer({ minimum: 0 }),
    default: 0,
    words: 'Decides what is drawn where candidates are alike.',
    flag: { words: 'decides what is drawn where candidates are alike' },
  }),
  'verifier.checklist': setting({
    value: choice({
      off: 'It does not.',
      issue_progress: 'It lists what has to come true, and judges by that.',
    }),
    default: 'off',
    words: 'Whether the judge first writes down, once for each task, by what it will tell progress.',
    flag: { argument: '<kind>', words: 'whether the judge first lists what has to come true' },
  }),
};
