import { setting } from '../setting';
import { choice, decimal, integer, integerOrNull, yesOrNo } from '../value';

/** When a run ends before the model says that it is done. */
export const limitSettings = {
  'limits.steps': setting({
    value: integer({ minimum: 0 }),
    default: 100,
    words:
      'Maximum steps per task. A step is one reply of the model. Other candidates, judging and summaries are further model calls and do not count. 0: no limit. Not set: as in the profile.',
    flag: {
      name: '--max-steps',
      also: ['--max-turns'],
      argument: '<n>',
      words: 'maximum steps, 0 for no limit (default: the value of the profile, or with --log of that session)',
      keptInLog: true,
      value: decimal({ minimum: 0 }),
    },
  }),
  'limits.cost': setting({
    value: decimal({ minimum: 0 }),
    default: 5,
    words:
      'Maximum cost per task in US dollars. 0: no limit. Calls of unknown cost do not count. Not set: as in the profile.',
    flag: {
      name: '--max-cost',
      also: ['--cost-limit', '-l'],
      argument: '<usd>',
      words: 'maximum cost in US dollars, 0 for no limit (default: as for --max-steps)',
      keptInLog: true,
    },
  }),
  'limits.ignoreUnknownCost': setting({
    value: yesOrNo,
    default: false,
    words:
      'Start a task with a cost limit even if the model’s price is unknown, so the limit cannot apply. Set prices in `#waymark.model.prices#`.',
    flag: {
      name: '--ignore-unknown-cost',
      words: 'start even if a cost limit cannot apply because the price of the model is unknown',
    },
  }),
  'limits.seconds': setting({
    value: integer({ minimum: 0 }),
    default: 0,
    words:
      'Maximum seconds of work per task, without time spent waiting for you. 0: no limit. Not set: as in the profile.',
    flag: {
      name: '--max-seconds',
      argument: '<s>',
      words: 'maximum seconds of work, 0 for no limit (default: as for --max-steps)',
      keptInLog: true,
      value: decimal({ minimum: 0 }),
    },
  }),
  wrapUp: setting({
    value: choice({ profile: 'As the profile says.', on: 'Always.', off: 'Never.' }),
    default: 'profile',
    words: 'Whether the model sums up in one last call without tools when a limit is reached.',
    flag: { argument: '<when>', words: 'when a limit is reached, let the model sum up in one last call without tools' },
  }),
  critic: setting({
    value: choice({
      profile: 'As the profile says.',
      off: 'None.',
      agent_finished: 'Questions an end in plain text without a finish action.',
      empty_patch: 'Questions an end without any changes.',
    }),
    default: 'profile',
    words: 'Checks that can ask the model to continue when it wants to end, up to three times.',
    flag: { argument: '<kind>' },
  }),
  'stuck.sameResult': setting({
    value: integerOrNull({ minimum: 0 }),
    default: null,
    words:
      'Stop after this many consecutive steps with the same call and the same result. The model is warned one step earlier. 0: never. Not set: as in the profile.',
    flag: { words: 'stop after this many consecutive steps with the same call and result, 0 for never' },
  }),
  'stuck.sameError': setting({
    value: integerOrNull({ minimum: 0 }),
    default: null,
    words:
      'Stop after this many consecutive steps whose same call failed. The model is warned one step earlier. 0: never. Not set: as in the profile.',
    flag: { words: 'stop after this many consecutive steps with the same failed call, 0 for never' },
  }),
  'stuck.monologue': setting({
    value: integerOrNull({ minimum: 0 }),
    default: null,
    words: 'Stop after this many consecutive replies without an action. 0: never. Not set: as in the profile.',
    flag: { words: 'stop after this many consecutive replies without an action, 0 for never' },
  }),
  'stuck.alternating': setting({
    value: integerOrNull({ minimum: 0 }),
    default: null,
    words:
      'Stop after this many steps that alternate between two calls. The model is warned one step earlier. 0: never. Not set: as in the profile.',
    flag: { words: 'stop after this many steps that alternate between two calls, 0 for never' },
  }),
  'stuck.window': setting({
    value: integerOrNull({ minimum: 0 }),
    default: null,
    words: 'How many recent replies are checked for repetition. Not set: as in the profile.',
    flag: { words: 'how many recent replies are checked for repetition' },
  }),
};
