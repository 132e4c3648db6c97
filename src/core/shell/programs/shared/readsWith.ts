import { judgeByManual } from '../../calls/judgeByManual';
import type { Judge, Manual } from '../../calls/manual';
import { type Arguments, optionTable, readArguments } from '../../calls/options';
import { type Value, splitWords } from '../../syntax/value';

/**
 * Judges by another manual if a call has one of the space-separated options, such as `--list` or `--dry-run`, with
 * which it only reads. `reading` must list that option and whatever may be with it.
 */
export const readsWith =
  (names: string, reading: Manual, otherwise?: Judge): Judge =>
  (call) => {
    if (!hasOption(call.words, names, reading)) return otherwise?.(call);
    judgeByManual({ ...call, manual: reading });
    return 'done';
  };

/** Judges by another manual if a call has no plain word, as `poetry version` does to print the version. */
export const readsWithoutWords =
  (reading: Manual, otherwise?: Judge): Judge =>
  (call) => {
    const { operands } = argumentsFor(call.words, reading);
    if (operands.length > 0) return otherwise?.(call);
    judgeByManual({ ...call, manual: reading });
    return 'done';
  };

/** Returns whether one of the options is given, as the manual reads the words. */
export function hasOption(words: readonly Value[], names: string, manual: Manual): boolean {
  const wanted = splitWords(names);
  return argumentsFor(words, manual).options.some(({ option }) => option !== undefined && wanted.includes(option.name));
}

const argumentsFor = (words: readonly Value[], { options = [], style }: Manual): Arguments =>
  readArguments(words, optionTable(options), style === 'words' ? 'words' : 'letters');
