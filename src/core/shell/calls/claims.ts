import type { Harm } from '../../risk/finding';

/** What a command does, in one sentence that is true of exactly these words. */
export interface Claim {
  readonly harm: Harm;
  /** A verb in the third person and what it does that to, with its name. */
  readonly says: string;
}

/** The words that a program is given, told apart. */
export interface Words {
  readonly program: string;
  /** All of them, in order. */
  readonly all: readonly string[];
  /** Those that are no options; an option's value may be among them. */
  readonly plain: readonly string[];
  /** Whether one of the options is there; letters that are written together are separated. */
  readonly has: (option: RegExp) => boolean;
}

/** Says what is claimed of a program with its words; undefined where nothing more is known than the tables say. */
export type Claims = (
  words: Words,
  /** The same for a command inside this one, such as `sudo COMMAND`. */
  claimOf: (command: readonly string[]) => Claim | undefined,
) => Claim | undefined;

export const claim = (harm: Harm, says: string): Claim => ({ harm, says });

/** `end`: the place from which no word is an option any more. */
export function wordsOf(program: string, all: readonly string[], end = all.length): Words {
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

/** The word after `-X` or its like, in capitals: what a request asks for. */
export function requestMethod(all: readonly string[]): string | undefined {
  const at = all.findIndex((word) => /^(-X|--request|--method)$/.test(word));
  if (at >= 0) return all[at + 1]?.toUpperCase();
  const joined = all.find((word) => /^-X.|^--(request|method)=/.test(word));
  return joined?.replace(/^(-X|--\w+=)/, '').toUpperCase();
}

/** The word that an option takes with it. */
export function optionValue(all: readonly string[], option: string): string | undefined {
  const at = all.indexOf(option);
  const joined = all.find((word) => word.startsWith(`${option}=`));
  return at < 0 ? joined?.slice(option.length + 1) : all[at + 1];
}

/** Names for a sentence: at most three of them. */
export function listed(names: readonly string[], otherwise: string): string {
  if (names.length === 0) return otherwise;
  const first = names.slice(0, 3).map((name) => (name.length > 60 ? `${name.slice(0, 60)}…` : name));
  return names.length > 3 ? `${first.join(', ')} and ${names.length - 3} more` : first.join(' and ');
}
