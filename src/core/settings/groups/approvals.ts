import type { ConsentKind } from '../../../protocol/events/risk';
import { setting } from '../setting';
import { choice, choices, patterns, plainChoice } from '../value';

/**
 * ★ Kinds of findings that a person may consent to in advance. The analyzers say which of their findings each kind
 * covers.
 */
const consentWords: Readonly<Record<ConsentKind, string>> = {
  'inline-code':
    'Inline code in the command, such as `python3 -c` or a here-document, if nothing alarming is found in it.',
  'unknown-programs':
    'Programs that Waymark does not know, if no argument names a path outside the workspace, a secret or an address.',
  packages: 'Packages from the default registry by name, including packages that the project does not declare.',
  deletions:
    'Deletions of named files and folders in the workspace, even without a copy in Git; not of patterns, secrets or repositories.',
};

/** What the agent may do without approval. */
export const approvalSettings = {
  mode: setting({
    value: choice({
      confirm: 'The agent acts, and asks as set in `#waymark.confirmation#`.',
      auto: 'The agent acts and asks only about protected files, actions that can destroy the machine and web pages that could receive a secret. For containers and disposable machines. Confirmed once per workspace.',
      plan: 'The agent reads and answers with a plan. It changes nothing and runs no project code.',
      human: 'You type each command; the model is not asked.',
    }),
    default: 'confirm',
    words:
      'The mode of new sessions on this machine: who acts, and what needs approval. A mode chosen in the panel applies to one session and does not change this.',
    flag: {
      argument: '<mode>',
      words:
        'ask about risky actions (confirm); ask only about protected files, actions that can destroy the machine and web pages that could receive a secret (auto or yolo); change nothing (plan); or let you type each command (human)',
      keptInLog: true,
      synonyms: { yolo: 'auto' },
    },
  }),
  confirmation: setting({
    value: choice({
      always: 'Ask before every read, edit and command.',
      risky: 'Ask before dangerous actions, and before actions whose risk is unknown.',
      never:
        'Never ask, except about actions that would destroy the machine, files that configure agents, editors, hooks or build servers, and web pages that could receive a secret. For containers and disposable machines.',
    }),
    default: 'risky',
    words:
      'When the agent asks for approval in the mode `confirm`. A session keeps its value until you change it in the panel. [How approvals work](command:waymark.openDocs?%22use/approvals.md%22)',
    flag: {
      name: '--confirm',
      argument: '<mode>',
      words: 'when to ask before acting (default: risky, or with --log the value of that session)',
      keptInLog: true,
    },
  }),
  'ask.from': setting({
    value: plainChoice('low', 'medium', 'high'),
    default: 'high',
    words:
      'The lowest risk that `risky` asks about: `high`, `medium` or `low`. It always asks about unknown risk. Applies to new sessions.',
    flag: {
      argument: '<risk>',
      words: 'lowest risk to ask about (default: high, or with --log the value of that session)',
      keptInLog: true,
    },
  }),
  'ask.about': setting({
    value: choices({
      network: 'Commands that reach another machine, and web pages.',
      deletes: 'Commands that delete files.',
      outside: 'Reads or writes outside the workspace.',
      git_history: 'Changes to a repository’s history, and pushes.',
      packages: 'Installs, updates, removals and downloads of packages.',
      protected: 'Writes to settings, hooks, instructions or secrets.',
    }),
    default: [],
    words: 'Kinds of actions that `risky` always asks about, whatever their risk. Applies to new sessions.',
    flag: {
      argument: '<kinds>',
      words:
        'kinds of actions to ask about whatever their risk, comma-separated: network, deletes, outside, git_history, packages, protected',
      keptInLog: true,
    },
  }),
  'ask.consented': setting({
    value: choices(consentWords),
    default: [],
    words:
      'Kinds of actions allowed in advance, so that `risky` does not ask about them. A command that does more than its kind still asks. Waymark always asks about protected files and actions that can destroy the machine, and nothing leaves the sandbox because of this setting. Applies to new sessions.',
    flag: {
      name: '--consent',
      argument: '<kinds>',
      words: `kinds of actions to allow without asking, comma-separated: ${Object.keys(consentWords).join(', ')}`,
      keptInLog: true,
    },
  }),
  'ask.wholeReplies': setting({
    value: choice({
      profile: 'As in the profile: `openhands` waits.',
      on: 'No action of a reply runs while one of them waits for approval.',
      off: 'Actions that need no approval run at once.',
    }),
    default: 'profile',
    words: 'Whether the actions of one reply wait for each other’s approval. Applies to new sessions.',
    flag: {
      name: '--whole-replies',
      argument: '<when>',
      words: 'run no action of a reply while another one of it waits for approval',
      keptInLog: true,
    },
  }),
  allowPatterns: setting({
    value: patterns,
    default: [],
    words:
      'Regular expressions for the start of commands that need no approval. A reply runs without asking if each of its commands matches and none has high risk.',
    flag: {
      name: '--allow',
      argument: '<pattern...>',
      words: 'regular expressions for the start of commands that need no approval, unless their risk is high',
      list: 'several',
      keptInLog: true,
    },
  }),
};
