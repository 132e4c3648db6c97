import type { Scope } from '../effects/scope';
import type { Value } from '../syntax/value';
import { onlyBelowFloor } from './floor';
import { isRawDisk, isVitalWord } from './vitalPlaces';

/**
 * Judges a function or a nested shell with its arguments as `$1`, `$2` and `$@`, if one of them names what must not be
 * lost. Only what is below the floor counts: `f() { rm -rf "$1"; }; f /`.
 */
export function withVitalArguments(words: readonly Value[], scope: Scope, judge: (inside: Scope) => void): void {
  for (const vital of words.filter((word) => isVitalWord(word) || isRawDisk(word.text))) {
    const given = words.map((word, index): [string, Value] => [`${index + 1}`, word]);
    const variables = new Map([...scope.variables, ...given, ['@', vital], ['*', vital]]);
    onlyBelowFloor(scope, (inside) =>
      judge({ ...inside, variables, functions: new Map(scope.functions), depth: scope.depth + 1 }),
    );
  }
}
