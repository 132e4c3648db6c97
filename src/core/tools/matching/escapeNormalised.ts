import { exact } from './exact';
import type { Strategy } from './strategy';

/** A quoted text that was escaped once too often: "\n" as two characters where a line break is meant. */
export const escapeNormalised: Strategy = {
  name: 'escape-normalised',
  differs: 'only the escaping differs',
  places: (text, part) => (unescaped(part) === part ? [] : exact.places(text, unescaped(part))),
  adapt: (replacement) => unescaped(replacement),
};

const letters: Record<string, string> = { n: '\n', t: '\t', r: '' };

const unescaped = (text: string): string =>
  text.replace(/\\([ntr"'`\\])/g, (_all, letter: string) => letters[letter] ?? letter);
