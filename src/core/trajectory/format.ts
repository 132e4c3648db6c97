import type { Event } from '../../protocol/events/event';
import type { History } from '../log/projection';
import { type InPieces, runToEnd } from '../text/slices';

/** One file of a trajectory. `path` is relative to the opened folder, with "/" as separator. */
export interface TrajectoryFile {
  readonly path: string;
  readonly text: string;
}

/** Something in a file that could not be read, or only partly. */
export interface ReadProblem {
  /** Location: "line 12", "messages[3].tool_calls[0]", "events/event-00004-….json". */
  readonly where: string;
  /** What was wrong and how it was handled, worded for people. */
  readonly words: string;
}

/** A run as a log. All other code reads runs as events, independent of the source format. */
export interface ReadTrajectory {
  /** Numbered from 0 without gaps. Follows the invariants of the log as far as the file does. */
  readonly events: readonly Event[];
  /** Empty if the whole file was understood. Unknown fields that are merely not displayed are no problem. */
  readonly problems: readonly ReadProblem[];
  /** Number of runs in the files; 1 if absent. */
  readonly runs?: number;
}

/** How to read a trajectory. */
export interface ReadOptions {
  /** Selects one of several runs, from 0; 0 if absent. */
  readonly run?: number;
  /**
   * True if the run is only displayed. Its events then lack what the file contains beyond them, which only an export
   * and the whole text of a step need: a third of the time goes into it.
   */
  readonly forDisplay?: boolean;
}

/** Information that a format needs and a log does not contain. */
export interface WriteContext {
  /** Version of Waymark: "0.1.0". */
  readonly version: string;
  /** Session id. */
  readonly session: string;
  /** Problems found while reading the run, worded for people; none if absent. */
  readonly problems?: readonly string[];
  /** Logs of the child sessions, by id, for formats that can store them; none if absent. */
  readonly children?: ReadonlyMap<string, History>;
}

/** Formats a problem on one line: its location, unless the message names it already, and the message. */
export const readProblemLine = ({ where, words }: ReadProblem): string =>
  words.includes(where) ? words : `${where}: ${words}`;

/** A trajectory format, Waymark's own or a foreign one. Pure: converts files to events and back. */
export interface TrajectoryFormat {
  /** Name on the command line, as in `--to mini`. */
  readonly name: string;
  /** Display name: "mini-swe-agent trajectory". */
  readonly label: string;
  /** File name extension of written files: ".traj.json". */
  readonly extension: string;
  /** Set if written files include the list of results for people. If absent, the format cannot store it. */
  readonly keepsResults?: true;
  /** Absent for formats that are only written, such as the report for people. */
  readonly reader?: {
    /**
     * Recognizes a file by its readable content, and by its name if that is more reliable. At most one format accepts a
     * file.
     */
    recognises(file: TrajectoryFile): boolean;
    /**
     * Reads one file, or all files of a folder. Never throws; unreadable parts are reported as problems.
     */
    read(files: readonly TrajectoryFile[], options?: ReadOptions): ReadTrajectory;
    /** Does the same in pieces. Absent for formats of which even a long run is read fast. */
    readInPieces?(files: readonly TrajectoryFile[], options?: ReadOptions): InPieces<ReadTrajectory>;
  };
  /**
   * Writes a run, in pieces. Absent for formats that are only read. The output contains no secret known to the process
   * and nothing that looks like one.
   */
  readonly write?: (history: History, context: WriteContext) => InPieces<readonly TrajectoryFile[]>;
}

/** A format that can be written. */
export type WrittenFormat = TrajectoryFormat & Required<Pick<TrajectoryFormat, 'write'>>;

/** Writes a run without yielding. */
export const writeAtOnce = (
  { write }: WrittenFormat,
  history: History,
  context: WriteContext,
): readonly TrajectoryFile[] => runToEnd(write(history, context));
