import type { Harm } from '../../risk/finding';
import { truncate } from '../../../protocol/plain/truncate';

/** What a command does, in one sentence that is true of exactly these words. */
export interface Claim {
  readonly harm: Harm;
  /** A verb in the third person and its object, with its name. */
  readonly says: string;
}

/** The words given to a program, sorted by kind. */
export interface Words {
  readonly program: string;
  /** All words, in order. */
  readonly all: readonly string[];
  /** Words that are not options. Values of options may be among them. */
  readonly plain: readonly string[];
  /** Returns whether one of the options is present. Clustered letters (`-rf`) are tested one by one, too. */
  readonly has: (option: RegExp) => boolean;
}

/**
 * Returns the claim about a program called with these words, or undefined if nothing more is known than the tables say.
 */
export type Claims = (
  words: Words,
  /** Returns the claim about a nested command, such as `sudo COMMAND`. */
  claimOf: (command: readonly string[]) => Claim | undefined,
) => Claim | undefined;

export const claim = (harm: Harm, says: string): Claim => ({ harm, says });

/** Sorts the words of a program. From index `end` on, no word is an option. */
export function classifyWords(program: string, all: readonly string[], end = all.length): Words {
  const written = all.slice(0, end).filter((word) => /^-./.test(word));
  const options = written.flatMap((word) => (/^-[A-Za-z]{2,}$/.test(word) ? [word, ...lettersOf(word)] : [word]));
  return {
    program,
    all,
    plain: all.filter((word) => !/^-./.test(word)),
    has: (option) => options.some((one) => option.test(one)),
  };
}

const lettersOf = (cluster: string): string[] => [...cluster.slice(1)].map((letter) => `-${letter}`);

/** Returns the HTTP method of a request, in upper case: the word after `-X`, `--request` or `--method`. */
export function requestMethod(all: readonly string[]): string | undefined {
  const at = all.findIndex((word) => /^(-X|--request|--method)$/.test(word));
  if (at >= 0) return all[at + 1]?.toUpperCase();
  const joined = all.find((word) => /^-X.|^--(request|method)=/.test(word));
  return joined?.replace(/^(-X|--\w+=)/, '').toUpperCase();
}

/** Returns the value of an option, glued with `=` or as the next word. */
export function optionValue(all: readonly string[], option: string): string | undefined {
  const at = all.indexOf(option);
  const joined = all.find((word) => word.startsWith(`${option}=`));
  return at < 0 ? joined?.slice(option.length + 1) : all[at + 1];
}

/** Formats names for a sentence: at most three, then the number of the rest. */
export function joinNames(names: readonly string[], otherwise: string): string {
  if (names.length === 0) return otherwise;
  const first = names.slice(0, 3).map((name) => truncate(name, 60));
  return names.length > 3 ? `${first.join(', ')} and ${names.length - 3} more` : first.join(' and ');
}
