import type { ConsentKind } from '../../../protocol/events/risk';
import { setting } from '../setting';
import { choice, choices, plainChoice, texts } from '../value';

/** ★ What a person may consent to beforehand. The analyzers say which of their findings each kind covers. */
const consentWords: Readonly<Record<ConsentKind, string>> = {
  'inline-code':
    'Code that is written in the command, as in `python3 -c` or a here-document, where nothing alarming is seen in it.',
  'unknown-programs':
    'Programs that Waymark does not know, with words that name no place outside the workspace, no secret and no address.',
  packages: 'Packages of the usual registry by their names, also those that the project does not declare.',
  deletions:
    'Deletions of named files and folders in the workspace, also where Git has no copy; not of patterns, secrets or repositories.',
};

/** What the agent may do without asking. */
export const approvalSettings = {
  mode: setting({
    value: choice({
      confirm: 'The agent acts and asks, as `#waymark.confirmation#` says.',
      auto: 'The agent acts and asks only about protected files and what can destroy the machine. For containers and machines that can be thrown away. Confirmed once per workspace.',
      plan: 'The agent reads and answers with a plan. It changes nothing and runs no code of the project.',
      human: 'You type each command; the model is not asked.',
    }),
    default: 'confirm',
    words:
      'Who acts in every new session on this machine, and what it may do. A mode chosen in the panel is for one session and does not change this.',
    flag: {
      argument: '<mode>',
      words:
        'ask where it is risky (confirm), ask nothing (auto, or yolo), change nothing (plan), or let you type each command (human)',
      keptInLog: true,
      synonyms: { yolo: 'auto' },
    },
  }),
  confirmation: setting({
    value: choice({
      always: 'Ask before every action.',
      risky: 'Ask before what is dangerous and before what nobody could judge.',
      never:
        'Never ask, but for what would destroy the machine and for files that tell agents, editors, hooks or build servers what to do. For containers and machines that can be thrown away.',
    }),
    default: 'risky',
    words:
      'When the agent asks before it acts, in the mode `confirm`. A session keeps the answer that it began with until it is changed in the panel.',
    flag: {
      name: '--confirm',
      argument: '<mode>',
      words: 'when to ask before acting: risky, or as the session that --log continues',
      keptInLog: true,
    },
  }),
  'ask.from': setting({
    value: plainChoice('low', 'medium', 'high'),
    default: 'high',
    words:
      'The lowest risk that `risky` asks about: `high`, `medium` or `low`. What nobody could judge is always asked about. Holds for sessions that begin afterwards.',
    flag: {
      argument: '<risk>',
      words: 'the lowest risk that is asked about: high, or as the session that --log continues',
      keptInLog: true,
    },
  }),
  'ask.about': setting({
    value: choices({
      network: 'Commands that reach another machine.',
      deletes: 'Commands that delete files.',
      outside: 'What reads or writes outside the workspace.',
      git_history: 'What changes the history of a repository or sends it somewhere.',
      packages: 'What changes or fetches installed packages.',
      protected: 'What writes settings, hooks, instructions or secrets.',
    }),
    default: [],
    words: 'Kinds of things that `risky` asks about whatever their risk. Holds for sessions that begin afterwards.',
    flag: {
      argument: '<kinds>',
      words:
        'kinds of things to ask about whatever their risk: network, deletes, outside, git_history, packages, protected',
      keptInLog: true,
    },
  }),
  'ask.consented': setting({
    value: choices(consentWords),
    default: [],
    words:
      'Kinds of things that you consent to beforehand, so that `risky` does not ask about them. A kind covers nothing else: a command that does something more is asked about. Protected files and what can destroy the machine are always asked about, and nothing runs outside the sandbox because of it. Holds for sessions that begin afterwards.',
    flag: {
      name: '--consent',
      argument: '<kinds>',
      words: `kinds of things to allow without a question, with commas between: ${Object.keys(consentWords).join(', ')}`,
      keptInLog: true,
    },
  }),
  'ask.wholeReplies': setting({
    value: choice({
      profile: 'As the profile says: `openhands` waits.',
      on: 'Nothing of a reply runs while something of it waits.',
      off: 'What needs no consent runs before.',
    }),
    default: 'profile',
    words: 'Whether the actions of one reply wait for each other’s consent. Holds for sessions that begin afterwards.',
    flag: {
      name: '--whole-replies',
      argument: '<when>',
      words: 'run nothing of a reply while something of it waits for consent: on, off, or as the profile says',
      keptInLog: true,
    },
  }),
  allowPatterns: setting({
    value: texts,
    default: [],
    words:
      'Regular expressions for the beginning of commands that need no consent. A reply runs unasked when each of its commands begins as one of them says and none is of high risk.',
    flag: {
      name: '--allow',
      argument: '<pattern...>',
      words: 'regular expressions for the beginning of commands that need no consent',
      list: 'several',
      keptInLog: true,
    },
  }),
};
