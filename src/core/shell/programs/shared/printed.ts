import type { Prints } from '../../calls/manual';
import type { Scope } from '../../effects/scope';
import { glob, literal, type Value } from '../../syntax/value';

/** Paths that common programs print, for `$(…)` and for pipes into xargs. */

/** A program that passes on its input, or a part of it. */
export const printsInput: Prints = ({ before }) => before.paths;

/**
 * Returns the tracked files of the repository. They are assumed to contain no secrets, unless a pattern asks for them.
 */
export function printsTracked(words: readonly Value[], scope: Scope): Value[] {
  const patterns = words.filter(({ text }) => !text.startsWith('-') && /[*?]/.test(text));
  if (patterns.length > 0) return patterns.map(({ text }) => glob(text));
  return [glob(scope.cwd === undefined || scope.cwd === '.' ? 'tracked/*' : `${scope.cwd}/*`)];
}

export const hasWord = (words: readonly Value[], pattern: RegExp): boolean =>
  words.some(({ text }) => pattern.test(text));

/** A program that prints one number for these words. Its value does not matter. */
export const printsNumber =
  (asked: RegExp): Prints =>
  ({ words }) =>
    asked.test(words.map(({ text }) => text).join(' ')) ? [literal('1')] : undefined;
