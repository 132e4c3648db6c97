import type { Checkpoints, HeldNotes } from './checkpoints';
import type { CodeServices } from './codeServices';
import type { CutOff } from './cutOff';
import type { Diagnostics } from './diagnostics';
import type { Documents, Outputs } from './documents';
import type { Files } from './files';
import type { Memory, PastSessions } from './memory';
import type { Scripts } from './scripts';
import type { Search } from './search';
import type { Skills } from './skill';
import type { Terminal } from './terminal';
import type { Web } from './web';

/**
 * What tools act on: three ports that every session has, each with a contract suite in test/contracts, and optional
 * ones.
 */
export interface Environment {
  /** Absolute path of the first workspace folder. Relative paths are resolved against it. */
  readonly root: string;
  /** Absolute paths of the other workspace folders, with links resolved. Absent if there are none. */
  readonly otherFolders?: readonly string[];
  /** True if a workspace folder is or contains the home folder of the account. */
  readonly holdsHome?: boolean;
  readonly files: Files;
  readonly search: Search;
  readonly terminal: Terminal;
  readonly memory?: Memory;
  readonly pastSessions?: PastSessions;
  /** Absent if the folder is not trusted; then nothing in it instructs the agent. */
  readonly skills?: Skills;
  /** If absent, scripts are judged by their names only. */
  readonly scripts?: Scripts;
  /** Stops slow analysis of text that a model wrote. If absent, it cannot be stopped. */
  readonly cutOff?: CutOff;
  /** Extracts text from documents that are not text files. Absent if not supported. */
  readonly documents?: Documents;
  /** Problems that language services report about files. Absent if there are no language services. */
  readonly diagnostics?: Diagnostics;
  /** Language services of the editor. Absent without an editor. */
  readonly code?: CodeServices;
  /** Reads web pages. Absent if web access is not allowed. */
  readonly web?: Web;
  /** Stores results that are too long for the model, or are not text. Absent if nothing is stored. */
  readonly outputs?: Outputs;
  /** Saves file contents before an action changes them. Absent if changes cannot be undone. */
  readonly checkpoints?: Checkpoints;
  /** Edits that wait for review before they change a file. Absent if edits never wait. */
  readonly heldEdits?: HeldNotes;
  /** Returns the same environment for a single action, so that effects can be attributed to it. */
  forAction?(actionId: string): Environment;
}
