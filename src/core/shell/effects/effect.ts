import type { ConsentKind, RiskLevel } from '../../../protocol/events/event';
import type { Harm } from '../../risk/finding';
import type { Place } from '../syntax/place';
import type { Value } from '../syntax/value';

export type Level = Exclude<RiskLevel, 'unknown'>;

/** One program with its words, as written in a line. */
export interface SimpleCommand {
  readonly name: string;
  readonly words: readonly Value[];
  /** Its words, one blank between them. */
  readonly whole: string;
}

/** Where an effect was found. */
interface Found {
  /** The part of the text that it is about. */
  readonly culprit: string;
  /** The part that a person is shown, where it is another. */
  readonly part?: string;
  /** The command that has the effect. */
  readonly by?: SimpleCommand;
  /** The command that starts that one, as it is written: `sudo rm x`, `find . -exec rm {} +`. */
  readonly startedBy?: string;
  /**
   * The script that holds the command, by its name, and the line where that is known. `part`: the command that runs
   * the script.
   */
  readonly script?: { readonly name: string; readonly line?: number; readonly part: string };
}

/** `reads`: shows what is in it. `searches`: shows lines or numbers of it. `lists`: shows names and sizes. */
export interface ReadEffect extends Found {
  readonly kind: 'reads' | 'searches' | 'lists';
  readonly place: Place;
}

export interface WriteEffect extends Found {
  readonly kind: 'writes';
  readonly place: Place;
  /** What a person is told in place of "Changes FILE.", where nothing graver is known of the file. */
  readonly says?: string;
}

export interface DeleteEffect extends Found {
  readonly kind: 'deletes';
  readonly place: Place;
  readonly recursive: boolean;
  /** What a person is told in place of "Deletes FILE.", where nothing graver is known of the file. */
  readonly says?: string;
}

export interface FetchEffect extends Found {
  readonly kind: 'fetches';
  readonly url: string;
}

/** Runs a script of the project, by its name or path. */
export interface RunEffect extends Found {
  readonly kind: 'runs';
  readonly name: string;
  /** What it is called where it was looked for and not found, or could not be read: "make target". */
  readonly unseen?: string;
}

export interface OtherEffect extends Found {
  readonly kind: 'other';
  readonly level: Level;
  readonly reason?: string;
  /** The same for a person, with the names in it; the reason itself when absent. */
  readonly says?: string;
  /** What the reason is about, where the level alone does not say it. */
  readonly harm?: Harm;
  /** The reason is what the table says of the program in general. */
  readonly general?: true;
  /** See floor.ts. */
  readonly floor?: boolean;
  /** Asked about in every mode. */
  readonly guarded?: true;
  /** The kind of consent that covers exactly this. */
  readonly consent?: ConsentKind;
  /** High only because it is not understood. */
  readonly unsure?: boolean;
}

/** One thing that a command does. `policy.ts` turns each into a level; the worst counts. */
export type Effect = ReadEffect | WriteEffect | DeleteEffect | FetchEffect | RunEffect | OtherEffect;
