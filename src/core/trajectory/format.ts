import type { Event } from '../../protocol/events/event';
import type { History } from '../log/projection';

/** One file of a trajectory. `path` is relative to what was opened, with "/" between folders. */
export interface TrajectoryFile {
  readonly path: string;
  readonly text: string;
}

/** Something in a file that could not be read, or not wholly. */
export interface ReadProblem {
  /** Where: "line 12", "messages[3].tool_calls[0]", "events/event-00004-….json". */
  readonly where: string;
  /** What was wrong and what was made of it, in words for a person. */
  readonly words: string;
}

/** A run as a log: whatever format it comes from, everything else in Waymark reads it as events. */
export interface ReadTrajectory {
  /** Numbered from 0 without gaps; holds the laws of the log as far as the file does. */
  readonly events: readonly Event[];
  /** Empty where the whole file was understood. Unknown fields count as read when they are merely not shown. */
  readonly problems: readonly ReadProblem[];
  /** How many runs the files hold; 1 when absent. */
  readonly runs?: number;
}

/** What a log does not hold and a format wants to say. */
export interface WriteContext {
  /** Version of Waymark: "0.1.0". */
  readonly version: string;
  /** The session's id. */
  readonly session: string;
  /** What was not as it should be where the run was read, in words for a person; nothing when absent. */
  readonly problems?: readonly string[];
  /** The logs of the sessions that the run began, by id, for formats that hold them; none when absent. */
  readonly children?: ReadonlyMap<string, History>;
}

/** A problem in one line: where it is, unless the words say so themselves, and what it is. */
export const problemLine = ({ where, words }: ReadProblem): string =>
  words.includes(where) ? words : `${where}: ${words}`;

/** A trajectory format, Waymark's own or a foreign one. Pure: files in, events out and back. */
export interface TrajectoryFormat {
  /** As in `--to mini`. */
  readonly name: string;
  /** "mini-swe-agent trajectory" */
  readonly label: string;
  /** How a written file's name ends: ".traj.json". */
  readonly extension: string;
  /**
   * Whether what is written holds the list of results for people with which a run
   * ended. Absent: the format has no place for it.
   */
  readonly keepsResults?: true;
  /** Absent: it is only written, such as the report for people. */
  readonly reader?: {
    /**
     * Decides by the content of the file, as far as it can be read, and by its name if that says more. At most one
     * format accepts a file.
     */
    recognises(file: TrajectoryFile): boolean;
    /**
     * Never throws: what cannot be read is a problem. One file, or all files of a
     * folder. `run`: which one of several, from 0.
     */
    read(files: readonly TrajectoryFile[], run?: number): ReadTrajectory;
  };
  /** Absent: it is only read. What is written holds no secret that the process knows, and none that looks like one. */
  readonly write?: (history: History, context: WriteContext) => readonly TrajectoryFile[];
}
