import { setting } from '../setting';
import { choice, decimal, integer, integerOrNull, yesOrNo } from '../value';

/** When a run ends before the model says that it is done. */
export const limitSettings = {
  'limits.steps': setting({
    value: integer({ minimum: 0 }),
    default: 100,
    words: 'Model calls that one task may use. 0: no limit. Where it is not set, as the profile says.',
    flag: {
      name: '--max-steps',
      also: ['--max-turns'],
      argument: '<n>',
      words: 'steps at most, 0 for no limit; as the profile says, or as the session that --log continues',
      keptInLog: true,
      value: decimal({ minimum: 0 }),
    },
  }),
  'limits.cost': setting({
    value: decimal({ minimum: 0 }),
    default: 5,
    words:
      'US dollars that one task may use. 0: no limit. Calls whose cost is unknown do not count. Where it is not set, as the profile says.',
    flag: {
      name: '--max-cost',
      also: ['--cost-limit', '-l'],
      argument: '<usd>',
      words: 'US dollars at most, 0 for no limit; likewise',
      keptInLog: true,
    },
  }),
  'limits.ignoreUnknownCost': setting({
    value: yesOrNo,
    default: false,
    words:
      'Whether a task with a limit of cost begins although that limit cannot count, because nobody knows what the model costs. `#waymark.model.prices#` tells prices.',
    flag: {
      name: '--ignore-unknown-cost',
      words: 'begin although a limit of cost cannot count, because the price of the model is not known',
    },
  }),
  'limits.seconds': setting({
    value: integer({ minimum: 0 }),
    default: 0,
    words:
      'Seconds of work that one task may use, waiting for people not counted. 0: no limit. Where it is not set, as the profile says.',
    flag: {
      name: '--max-seconds',
      argument: '<s>',
      words: 'seconds of work at most, 0 for no limit; likewise',
      keptInLog: true,
      value: decimal({ minimum: 0 }),
    },
  }),
  wrapUp: setting({
    value: choice({ profile: 'As the profile says.', on: 'Always.', off: 'Never.' }),
    default: 'profile',
    words: 'Whether, when a limit is reached, one last call without tools sums up.',
    flag: { argument: '<when>', words: 'sum up with one last call without tools when a limit is reached' },
  }),
  critic: setting({
    value: choice({
      profile: 'As the profile says.',
      off: 'Nothing does.',
      agent_finished: 'An end in words that no action declared is questioned.',
      empty_patch: 'An end without any change is questioned.',
    }),
    default: 'profile',
    words: 'What may send the model back to its work when it would end, up to three times.',
    flag: { argument: '<kind>' },
  }),
  'stuck.sameResult': setting({
    value: integerOrNull({ minimum: 0 }),
    default: null,
    words:
      'After how many steps in a row that made the same call with the same result the run stops; one step earlier the model is told. 0: never. Where it is not set, as the profile says.',
    flag: { words: 'stop after so many steps in a row with the same call and the same result, 0 for never' },
  }),
  'stuck.sameError': setting({
    value: integerOrNull({ minimum: 0 }),
    default: null,
    words:
      'After how many steps in a row that made the same call and failed the run stops; one step earlier the model is told. 0: never. Where it is not set, as the profile says.',
    flag: { words: 'stop after so many steps in a row with the same call that failed, 0 for never' },
  }),
  'stuck.monologue': setting({
    value: integerOrNull({ minimum: 0 }),
    default: null,
    words:
      'After how many replies in a row that were words without an action the run stops. 0: never. Where it is not set, as the profile says.',
    flag: { words: 'stop after so many replies in a row without an action, 0 for never' },
  }),
  'stuck.alternating': setting({
    value: integerOrNull({ minimum: 0 }),
    default: null,
    words:
      'After how many steps that take turns between two calls the run stops; one step earlier the model is told. 0: never. Where it is not set, as the profile says.',
    flag: { words: 'stop after so many steps that take turns between two calls, 0 for never' },
  }),
  'stuck.window': setting({
    value: integerOrNull({ minimum: 0 }),
    default: null,
    words: 'How many of the latest replies are looked at for circles. Where it is not set, as the profile says.',
    flag: { words: 'how many of the latest replies are looked at for circles' },
  }),
};
