import type { Harm } from '../../risk/finding';
import { anyOf, sequence } from '../../text/alternatives';

const subject = /^It (?:(may|can) )?([a-z])/;

/** A reassurance that is true for one command but not for another one in the line that destroys work. */
const comfort = /; Git can undo it\.$/;

/**
 * Turns a sentence about a command into the form for cards, which starts with the verb: "It sends data." becomes "Sends
 * data."
 */
export function cardSentence(sentence: string): string {
  return sentence
    .replace(comfort, '.')
    .replace(subject, (_, modal: string | undefined, first: string) =>
      modal ? `${capital(modal)} ${first}` : first.toUpperCase(),
    );
}

const capital = (word: string): string => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;

/** Phrases in sentences that determine the harm. The first match wins. */
const tells: readonly (readonly [RegExp, Harm])[] = [
  [
    anyOf(
      [
        /only known when it runs/,
        /(is|are) not (known|judged|written|understood)/,
        /could not be (read|judged)/,
        /cannot be (read|judged)/,
        /no command was found/,
        /takes fewer words/,
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
  [/^It (runs code that is hidden|starts a shell with what)/i, 'runs'],
  [/\bdeletes?\b|throws? (?:(?!throws? ).)*away|\bloses?\b|destroys?|writes without end|without end/i, 'destroys'],
  [/\bsends (data|something|a request|it)\b/i, 'sends'],
  [
    anyOf(
      [
        /shows? (the environment|secrets|variables|what may be secret)/,
        /prints whole files/,
        /for secrets/,
        /may hold secrets/,
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
        /^It /,
        anyOf([
          /runs code that is written in the command/,
          /prints one value/,
          /replaces the shell/,
          /changes the shell/,
          /leaves a process/,
          /runs a program (outside|that is not a file)/,
          /may reach a path/,
          /reads outside/,
          /makes a commit/,
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
