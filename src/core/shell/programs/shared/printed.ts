import type { Prints } from '../../calls/manual';
import type { Scope } from '../../effects/scope';
import { glob, literal, type Value } from '../../syntax/value';

/** What many programs print of paths, for `$(…)` and for pipes into xargs. */

/** A program that hands on what it reads, or a part of it. */
export const printsInput: Prints = ({ before }) => before.paths;

/** Files that the repository keeps; secrets are not expected among them, unless asked for. */
export function printsTracked(words: readonly Value[], scope: Scope): Value[] {
  const patterns = words.filter(({ text }) => !text.startsWith('-') && /[*?]/.test(text));
  if (patterns.length > 0) return patterns.map(({ text }) => glob(text));
  return [glob(scope.cwd === undefined || scope.cwd === '.' ? 'tracked/*' : `${scope.cwd}/*`)];
}

export const hasWord = (words: readonly Value[], pattern: RegExp): boolean =>
  words.some(({ text }) => pattern.test(text));

/** A program that prints one number where its words are these: which one matters to nobody. */
export const printsNumber =
  (asked: RegExp): Prints =>
  ({ words }) =>
    asked.test(words.map(({ text }) => text).join(' ')) ? [literal('1')] : undefined;
