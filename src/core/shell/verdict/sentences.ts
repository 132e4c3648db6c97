import type { Harm } from '../../risk/finding';
import { anyOf, sequence } from '../../text/alternatives';

const subject = /^It (?:(may|can) )?([a-z])/;

/** Comfort that holds for one command, and not for the one beside it that throws work away. */
const comfort = /; Git can undo it\.$/;

/** A sentence about a command as a card shows it: it begins with the verb. "It sends data." is "Sends data." */
export function said(sentence: string): string {
  return sentence
    .replace(comfort, '.')
    .replace(subject, (_, modal: string | undefined, first: string) =>
      modal ? `${capital(modal)} ${first}` : first.toUpperCase(),
    );
}

const capital = (word: string): string => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;

/** What sentences say by their own words, the first that fits. */
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

/** What a sentence about a dangerous command threatens, where who wrote it did not say. */
export const harmOf = (sentence: string): Harm => tells.find(([pattern]) => pattern.test(sentence))?.[1] ?? 'changes';
