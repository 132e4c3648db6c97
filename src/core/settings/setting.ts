import type { Value } from './value';

/** One thing that a person can set: in the window by its key below `waymark.`, on the command line by its flag. */
export interface Setting<T> {
  readonly value: Value<T>;
  readonly default: T;
  /** Markdown for the settings editor and the reference. */
  readonly words: string;
  /** How the settings of a workspace count, in VS Code's words: `machine`, the usual one, keeps them out. */
  readonly scope?: 'machine' | 'machine-overridable' | 'window' | 'resource';
  /** What its flag does differently from its key; `windowOnly` with the reason if it has no flag. */
  readonly flag?: FlagWords | WindowOnly;
}

export interface WindowOnly {
  readonly windowOnly: string;
}

export interface FlagWords {
  /** With its dashes. Usually the key: `verifier.historySteps` is `--verifier-history-steps`. */
  readonly name?: string;
  /** Other names, for people who are used to another program. They are not in `--help`. */
  readonly also?: readonly string[];
  /** Its placeholder in `--help`, as `<n>`. */
  readonly argument?: string;
  /** A line for `--help`. Usually the first sentence of the words. */
  readonly words?: string;
  /** The environment variable that stands in for it. */
  readonly variable?: string;
  /** How a list is given: with commas between (the usual way), one with each flag, or several behind one flag. */
  readonly list?: 'commas' | 'repeated' | 'several';
  /** Other words for its choices, for people who are used to another program. */
  readonly synonyms?: Readonly<Record<string, string>>;
  /** The log keeps it, so that a run that is continued needs no such flag again. */
  readonly keptInLog?: boolean;
  /** What else the command line takes: a wider range than the settings editor. */
  readonly value?: Value<unknown>;
  /**
   * Reads the text in another way than its value tells. `before` is what earlier flags gave. Throws an `Error` in
   * words.
   */
  readonly read?: (text: string, before: unknown) => unknown;
  /** Flags that set a part of it, such as one argument of an object. */
  readonly parts?: readonly FlagOfPart[];
}

/** A flag that sets one field of a setting that is an object. */
export interface FlagOfPart {
  readonly name: string;
  readonly field: string;
  readonly argument: string;
  readonly words: string;
  readonly value: Value<unknown>;
}

/** Gives an entry of the table its type. */
export const setting = <T>(entry: Omit<Setting<T>, 'default'> & { readonly default: NoInfer<T> }): Setting<T> => entry;
