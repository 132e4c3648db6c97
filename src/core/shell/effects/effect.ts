import type { ConsentKind, RiskLevel } from '../../../protocol/events/event';
import type { Harm } from '../../risk/finding';
import type { Place } from '../syntax/place';
import type { Value } from '../syntax/value';

/** A risk level that is known. */
export type Level = Exclude<RiskLevel, 'unknown'>;

/** One program with its words, as written in a line. */
export interface SimpleCommand {
  readonly name: string;
  readonly words: readonly Value[];
  /** Its words, separated by single spaces. */
  readonly whole: string;
  /** The folder in which it starts, if that is known. */
  readonly folder?: string | undefined;
}

/** Where an effect was found. */
interface Found {
  /** The part of the text that causes it. */
  readonly culprit: string;
  /** The part shown to people, if different. */
  readonly part?: string;
  /** The command that has the effect. */
  readonly by?: SimpleCommand;
  /** The command that starts `by`, as written: `sudo rm x`, `find . -exec rm {} +`. */
  readonly startedBy?: string;
  /**
   * The script that contains the command: its name and, if known, the line. `part` is the command that runs the script.
   */
  readonly script?: { readonly name: string; readonly line?: number; readonly part: string };
}

/** `reads`: shows the content. `searches`: shows lines or counts of it. `lists`: shows names and sizes. */
export interface ReadEffect extends Found {
  readonly kind: 'reads' | 'searches' | 'lists';
  readonly place: Place;
}

/** Creates or changes a file. */
export interface WriteEffect extends Found {
  readonly kind: 'writes';
  readonly place: Place;
  /** Sentence that replaces "Changes FILE." unless something worse is known about the file. */
  readonly says?: string;
}

/** Deletes a file, or with `recursive` a folder and its content. */
export interface DeleteEffect extends Found {
  readonly kind: 'deletes';
  readonly place: Place;
  readonly recursive: boolean;
  /** What is only known when it runs may be the root: `rm -rf "$X"/*`, `rm -rf /$X`. */
  readonly mayBeRoot?: 'if a variable is empty' | 'if a command prints nothing' | 'or a folder in it';
  /** Sentence that replaces "Deletes FILE." unless something worse is known about the file. */
  readonly says?: string;
  /** The same line created what it deletes. */
  readonly isMadeHere?: true;
}

/** Requests an address on the network. */
export interface FetchEffect extends Found {
  readonly kind: 'fetches';
  readonly url: string;
}

/** Runs a script of the project, by name or path. */
export interface RunEffect extends Found {
  readonly kind: 'runs';
  readonly name: string;
  /** What to call the script if it was not found or could not be read: "make target". */
  readonly unseen?: string;
}

/** Anything else that a program does, with a level of its own. */
export interface OtherEffect extends Found {
  readonly kind: 'other';
  readonly level: Level;
  readonly reason?: string;
  /** The reason worded for people, with names. Defaults to the reason. */
  readonly says?: string;
  /** Kind of harm, if the level alone does not determine it. */
  readonly harm?: Harm;
  /** The reason is what the table says about the program in general. */
  readonly general?: true;
  /** See floor.ts. */
  readonly floor?: boolean;
  /** Requires approval in every mode. */
  readonly guarded?: true;
  /** The kind of consent that covers exactly this. */
  readonly consent?: ConsentKind;
  /** High only because it is not understood. */
  readonly unsure?: boolean;
}

/** One effect of a command. `policy.ts` turns each into a level; the worst wins. */
export type Effect = ReadEffect | WriteEffect | DeleteEffect | FetchEffect | RunEffect | OtherEffect;

/** Returns whether an effect is more than reading. */
export const doesSomething = (effect: Effect): boolean =>
  effect.kind === 'runs' || (effect.kind === 'other' && effect.level !== 'low');
