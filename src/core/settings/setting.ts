import type { SettingType } from './value';

/** One setting: in the window by its key below `waymark.`, on the command line by its flag. */
export interface Setting<T> {
  readonly value: SettingType<T>;
  readonly default: T;
  /** Markdown for the settings editor and the reference. */
  readonly words: string;
  /** Scope of the setting in VS Code's terms. The default, `machine`, ignores values of workspaces. */
  readonly scope?: 'machine' | 'machine-overridable' | 'window' | 'resource';
  /** How its flag differs from its key, or `windowOnly` with the reason why it has no flag. */
  readonly flag?: FlagWords | WindowOnly;
}

/** The reason why a setting has no flag on the command line. */
interface WindowOnly {
  readonly windowOnly: string;
}

/** The flag of the command line for a setting. */
export interface FlagWords {
  /**
   * Includes the dashes. Derived from the key by default: `verifier.historySteps` becomes `--verifier-history-steps`.
   */
  readonly name?: string;
  /** Aliases for people who know other programs. Not shown in `--help`. */
  readonly also?: readonly string[];
  /** Placeholder in `--help`, such as `<n>`. */
  readonly argument?: string;
  /** One line for `--help`. Defaults to the first sentence of the setting's text. */
  readonly words?: string;
  /** Environment variable used if the flag is absent. */
  readonly variable?: string;
  /** How a list is given: comma-separated (default), one entry per flag, or several entries after one flag. */
  readonly list?: 'commas' | 'repeated' | 'several';
  /** Synonyms of choices, for people who know other programs. */
  readonly synonyms?: Readonly<Record<string, string>>;
  /** True if the log stores it, so that a resumed run does not need the flag. */
  readonly keptInLog?: boolean;
  /** What the command line accepts, if it differs: for example a wider range than the settings editor. */
  readonly value?: SettingType<unknown>;
  /**
   * Custom parser, if the value type is not enough. `before` is the value from earlier flags. Throws an `Error` with a
   * message for people.
   */
  readonly read?: (text: string, before: unknown) => unknown;
  /** Flags that set a part of the value, such as one field of an object. */
  readonly parts?: readonly FlagOfPart[];
}

/** A flag that sets one field of a setting that is an object. */
interface FlagOfPart {
  readonly name: string;
  readonly field: string;
  readonly argument: string;
  readonly words: string;
  readonly value: SettingType<unknown>;
}

/** Gives a table entry its type. */
export const setting = <T>(entry: Omit<Setting<T>, 'default'> & { readonly default: NoInfer<T> }): Setting<T> => entry;
