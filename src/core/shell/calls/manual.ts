import type { ConsentKind } from '../../../protocol/events/risk';
import { namesIn } from '../syntax/namesIn';
import type { Level } from '../effects/effect';
import type { Claims } from './claims';
import type { Flow, Scope } from '../effects/scope';
import type { Value } from '../syntax/value';
import type { Options, Role } from './options';

/** What is known of one program, or of one verb of it. */
export interface Manual {
  /** What it does when no option says otherwise. */
  readonly level: Level;
  /** Why it is not low, for the card. */
  readonly reason?: string;
  /** See `options.ts` for the words that these are written with. */
  readonly options?: Options;
  /** What an option that is not listed means: `high` unless said otherwise. */
  readonly others?: Level;
  /** The kind of consent that covers a word more than the program is known to take. */
  readonly furtherWords?: (word: Value) => ConsentKind | undefined;
  /** Options that are not in the table and do no more than the program does anyway, as they are written. */
  readonly mild?: RegExp;
  /** `words`: one dash begins a whole word, as in `find -name`. */
  readonly style?: 'words';
  /** What the words are that are no options. Absent: text, any number. */
  readonly operands?: Operands;
  /** Options that give the first operand's part (`grep -e`), so that every operand has the next role. */
  readonly insteadOfFirst?: readonly string[];
  /** The last operand has this role instead: `cp a b`. */
  readonly last?: 'write' | 'read';
  /** Without any operand it reads a program from its input. */
  readonly needsOperand?: true;
  /** The first plain word chooses. A word that is missing here is high. */
  readonly verbs?: Readonly<Record<string, Manual>>;
  /** What it is without a verb. */
  readonly bare?: Manual;
  /** Begins of its plain words, as a pattern, that only ask a service; for `judgeAsks`. */
  readonly asks?: RegExp;
  /** Judges what the rest of this manual cannot say, and runs before it. */
  readonly judge?: Judge;
  /** It runs the program that its words name. */
  readonly startsPrograms?: true;
  /** The program that is given what stands behind `--`. */
  readonly handsOnTo?: { readonly name: string; readonly manual: Manual };
  /** Words only known when it runs are harmless to it. */
  readonly loose?: true;
  /** It only changes the shell it runs in: a script of its own may do that. */
  readonly ownShell?: true;
  /** A program that projects declare: `npx NAME` and `node_modules/.bin/NAME` are the same. */
  readonly declared?: true;
}

/** One call of a program. */
export interface Call {
  /** The program and the verbs that were chosen: `git stash push`. */
  readonly name: string;
  /** The words behind the name. */
  readonly words: readonly Value[];
  readonly scope: Scope;
  readonly flow: Flow;
  /** The text that a person is shown for what the program itself does. */
  readonly whole: string;
  readonly manual: Manual;
}

/** Judges a call by code. `done`: the rest of the manual does not count any more. */
export type Judge = (call: Call) => 'done' | undefined;

/** A call whose output another command takes: in `$(…)`, or through a pipe. */
export interface PrintingCall {
  readonly words: readonly Value[];
  /** What comes to it through a pipe. */
  readonly before: Flow;
  readonly scope: Scope;
}

/** The paths that a call prints; undefined where its words, which are all known, do not tell. */
export type Prints = (call: PrintingCall) => readonly Value[] | undefined;

export type Manuals = Readonly<Record<string, Manual>>;

/**
 * The roles of words in order. With `rest` any number of words may follow; without it, more words than roles are
 * high.
 */
export type Operands = readonly Role[] | { readonly first?: readonly Role[]; readonly rest: Role };

/** The same entry for several names, which stand apart by blanks. */
export const each = <Entry>(names: string, entry: Entry): Record<string, Entry> =>
  Object.fromEntries(namesIn(names).map((name) => [name, entry]));

/** Programs that belong together: a file of `programs/`, listed in `families.ts`. */
export interface Family {
  readonly programs: Manuals;
  /** Those to which a file that an option names is data: messages, patterns, queries. To others it may be code. */
  readonly takesData?: readonly string[];
  /** What a dangerous call does, as a sentence for the card. It takes the place of the general `reason`. */
  readonly claims?: Readonly<Record<string, Claims>>;
  /** What its programs print of paths. */
  readonly prints?: Readonly<Record<string, Prints>>;
}
