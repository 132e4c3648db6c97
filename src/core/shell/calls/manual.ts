import type { ConsentKind } from '../../../protocol/events/risk';
import type { Level } from '../effects/effect';
import type { Claims } from './claims';
import type { Flow, Scope } from '../effects/scope';
import { type Value, splitWords } from '../syntax/value';
import type { Options, Role } from './options';

/** What is known about a program or one of its verbs. */
export interface Manual {
  /** Level if no option changes it. */
  readonly level: Level;
  /** Why the level is not low, for the card. */
  readonly reason?: string;
  /** See `options.ts` for the helpers that build these. */
  readonly options?: Options;
  /**
   * Level of an option that is not listed. Defaults to `high`, or to `medium` if the level is `low` and the option
   * looks harmless.
   */
  readonly others?: Level;
  /** Returns the kind of consent that covers a word beyond those that the program is known to take. */
  readonly furtherWords?: (word: Value) => ConsentKind | undefined;
  /** Unlisted options, as written, that do no more than the program does anyway. */
  readonly mild?: RegExp;
  /** `words`: a single dash starts a whole word, as in `find -name`. */
  readonly style?: 'words';
  /** Roles of the words that are not options. Any number of texts if absent. */
  readonly operands?: Operands;
  /** Options that supply the first operand (`grep -e`), so that the operands start with the next role. */
  readonly insteadOfFirst?: readonly string[];
  /** Role of the last operand, instead of its usual one: `cp a b`. */
  readonly last?: 'write' | 'read';
  /** Without operands, the program reads code from stdin. */
  readonly needsOperand?: true;
  /** Manuals by verb, the first plain word. Unlisted verbs are high. */
  readonly verbs?: Readonly<Record<string, Manual>>;
  /** Manual for a call without a verb. */
  readonly bare?: Manual;
  /** Pattern for the start of the plain words of calls that only query a service; for `judgeAsks`. */
  readonly asks?: RegExp;
  /** Judges what the rest of this manual cannot express. Runs first. */
  readonly judge?: Judge;
  /** The program runs another program named by its words. */
  readonly startsPrograms?: true;
  /** The program that receives the words after `--`. */
  readonly handsOnTo?: { readonly name: string; readonly manual: Manual };
  /** Words known only at run time are harmless to it. */
  readonly loose?: true;
  /** Only changes the shell that it runs in. Scripts may do this to their own shell. */
  readonly ownShell?: true;
  /** A tool that projects declare as a dependency: `npx NAME` and `node_modules/.bin/NAME` are equivalent. */
  readonly declared?: true;
}

/** One call of a program. */
export interface Call {
  /** The program and the chosen verbs: `git stash push`. */
  readonly name: string;
  /** The words after the name. */
  readonly words: readonly Value[];
  readonly scope: Scope;
  readonly flow: Flow;
  /** Text shown to people for what the program itself does. */
  readonly whole: string;
  readonly manual: Manual;
}

/** Judges a call in code. `done` skips the rest of the manual. */
export type Judge = (call: Call) => 'done' | undefined;

/** A call whose output another command uses: in `$(…)` or through a pipe. */
interface PrintingCall {
  readonly words: readonly Value[];
  /** What the pipe passes to the call. */
  readonly before: Flow;
  readonly scope: Scope;
}

/** Returns the paths that a call prints, or undefined if its words do not determine them. All words are known. */
export type Prints = (call: PrintingCall) => readonly Value[] | undefined;

/** Manuals by the name of the program. */
export type Manuals = Readonly<Record<string, Manual>>;

/** Roles of words in order. With `rest`, any number of words may follow. Without it, more words than roles are high. */
export type Operands = readonly Role[] | { readonly first?: readonly Role[]; readonly rest: Role };

/** Returns a record with the same entry for several space-separated names. */
export const eachNamed = <Entry>(names: string, entry: Entry): Record<string, Entry> =>
  Object.fromEntries(splitWords(names).map((name) => [name, entry]));

/** A group of related programs: a file in `programs/`, listed in `families.ts`. */
export interface Family {
  readonly programs: Manuals;
  /**
   * Programs that treat a file named by an option as data: messages, patterns, queries. To other programs it may be
   * code.
   */
  readonly takesData?: readonly string[];
  /** Sentences for the card about dangerous calls. They replace the general `reason`. */
  readonly claims?: Readonly<Record<string, Claims>>;
  /** Functions that return the paths that programs print. */
  readonly prints?: Readonly<Record<string, Prints>>;
}
