import type { Harm } from '../../risk/finding';
import { anyOf, sequence } from '../../text/alternatives';

/** A reassurance that is true for one command but not for another one in the line that destroys work. */
const comfort = /; Git can undo it\.$/;

/** Returns a reason as cards show it, without reassurance. Reasons start with a verb: "Sends data." */
export const cardSentence = (sentence: string): string => sentence.replace(comfort, '.');

/** Phrases in sentences that determine the harm. The first match wins. */
const tells: readonly (readonly [RegExp, Harm])[] = [
  [
    anyOf(
      [
        /only known when it runs/,
        /(is|are) not (known|judged|written|understood)/,
        /could not be (read|judged)/,
        /cannot be (read|judged)/,
        /(the|an) unknown [a-z]+\b|runs unknown code/,
        /contains no command/,
        /more arguments than it takes/,
        /is not plain/,
      ],
      'i',
    ),
    'unknown',
  ],
  [
    /copies of itself|ends every process|turns the machine off|restarts the machine|another machine use a shell/i,
    'machine',
  ],
  [/^(runs code that is hidden|starts a shell with its input)/i, 'runs'],
  [/\bdeletes?\b|\bdiscards\b|\bloses?\b|destroys?|without end/i, 'destroys'],
  [/\bsends (data|something|a request|it)\b/i, 'sends'],
  [
    anyOf(
      [
        /shows? (the environment|environment variables|secrets|variables|text that may be secret)/,
        /prints whole files/,
        /for secrets/,
        /may (hold|contain) secrets/,
        /handles (secrets|keys)/,
        /keys or passwords/,
        /every variable of the environment/,
      ],
      'i',
    ),
    'leaks',
  ],
  [
    sequence(
      [
        /^/,
        anyOf([
          /runs code that is written in the command/,
          /prints one value/,
          /replaces the shell/,
          /changes the shell/,
          /leaves a process/,
          /runs a program (outside|that is not a file)/,
          /may reach a path/,
          /reads outside/,
          /creates a commit/,
          /stores text/,
          /sets a/,
        ]),
      ],
      'i',
    ),
    'unusual',
  ],
  [/download(s)? and run|installs? (a package|packages)|downloads a (package|repository)/i, 'installs'],
];

/** Derives the harm from a sentence about a dangerous command, for findings without an explicit harm. */
export const harmOf = (sentence: string): Harm => tells.find(([pattern]) => pattern.test(sentence))?.[1] ?? 'changes';
