import type { CodeServices } from './codeServices';
import type { CutOff } from './cutOff';
import type { Listed, Skill } from './skill';
import type { CommandEnd } from '../../protocol/events/details';
import type { SessionContainer } from '../../protocol/events/event';
import type { Effect, Tool } from './tool';
import type { Web } from './web';

/**
 * What tools act on. Three ports that every session has, each with a contract suite in test/contracts, and three that
 * it may lack.
 */
export interface Environment {
  /** Absolute path of the first workspace folder; relative paths start here. */
  readonly root: string;
  readonly files: Files;
  readonly search: Search;
  readonly terminal: Terminal;
  readonly memory?: Memory;
  readonly pastSessions?: PastSessions;
  /** Absent where the folder is not trusted: nothing of it teaches the agent then. */
  readonly skills?: Skills;
  /** Absent: scripts are judged by their names alone. */
  readonly scripts?: Scripts;
  /** Stops what judges a text that a model wrote where that takes too long. Absent: nothing can stop it. */
  readonly cutOff?: CutOff;
  /** Reads text out of documents that are no text files; absent where none can be read. */
  readonly documents?: Documents;
  /** What language services report about files; absent if there are none. */
  readonly diagnostics?: Diagnostics;
  /** The language services of an editor; absent where there is no editor. */
  readonly code?: CodeServices;
  /** Reads pages of the web; absent where none may be read. */
  readonly web?: Web;
  /** Where whole results are kept that are too long for the model, or of another kind; absent where nothing is kept. */
  readonly outputs?: Outputs;
  /** Tools that others give: MCP servers, other extensions. */
  readonly added?: AddedTools;
  /** Keeps what files hold before an action changes them; absent where changes cannot be undone. */
  readonly checkpoints?: Checkpoints;
  /** Edits that wait for review before they change a file; absent where none can. */
  readonly heldEdits?: HeldNotes;
  /** The same environment for one action alone, where it is kept which action did what. */
  forAction?(actionId: string): Environment;
}

/** What the model is told about edits that wait for review. */
export interface HeldNotes {
  /** Whether an edit of one of these files waits. Paths as people see them. */
  holdsAny(paths: readonly string[]): boolean;
  /** After an edit that waits, or a command that ran meanwhile; undefined where there is nothing to say. */
  noteAfter(effect: Effect): string | undefined;
}

/** Copies of files from before the actions of a run, so that what the actions change can be reviewed and undone. */
export interface Checkpoints {
  /**
   * Resolves when everything is kept that the action may change: the files of `paths` as the tool spells them, or,
   * without `paths`, any file of the workspace. Never rejects: a run goes on without checkpoints where none can be
   * made.
   */
  before(actionId: string, paths?: readonly string[]): Promise<Checkpoint>;
  /**
   * The same for an action that says it changes nothing: nothing is waited for, and what it changes after all is found
   * out later.
   */
  beforeUnchanging(actionId: string): Promise<Checkpoint>;
  /** Whether an action that has not begun can be undone afterwards: what it may change has the meaning of `before`. */
  canUndo(paths?: readonly string[]): boolean;
  /** Resolves when it is known what the actions changed that ended, but for those that say they change nothing. */
  ended(): Promise<void>;
  /** The same for all of them, and what processes changed that they left running. */
  settled(): Promise<void>;
}

/** To be told when the action ended, however it ended: in one of two ways, neither of which throws. */
export interface Checkpoint {
  /** Resolves when it is known what the action changed. */
  after(): Promise<void>;
  /** The same beside all else; the next `before`, and `settled`, wait for it. */
  ended(): void;
}

/** A text file as it is now: the unsaved buffer where an editor holds one. Text uses "\n" whatever the file uses. */
export interface FileSnapshot {
  /** Relative to its workspace folder, with "/"; what the model and a person see. */
  readonly path: string;
  readonly text: string;
  /** Changes whenever the text changes; equal text of one file has equal versions. */
  readonly version: string;
  /** What was written replaced a file that is marked read-only; absent where it was not, or nobody looked. */
  readonly readOnly?: boolean;
  /**
   * The editor changed the text further when it saved the file: a formatter, for one. `text` is what was saved. Absent:
   * it did not.
   */
  readonly wasFormatted?: boolean;
}

/** A file as it is on disk, whatever it holds. */
export interface FileBytes {
  /** As in `FileSnapshot`. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Changes whenever the bytes change. */
  readonly version: string;
}

export interface DirectoryEntry {
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
}

/**
 * Files inside the workspace folders. Every path goes through one resolver: `..`, symlinks and spelling are resolved
 * before anything is touched, and what lies outside throws a `FileProblem` of code `outside`.
 */
export interface Files {
  /** Throws `FileProblem`: missing, folder, binary, too_large, outside, not_permitted, special. */
  read(path: string): Promise<FileSnapshot>;
  /** The bytes of a file on disk, at most `most`. Throws `FileProblem` as `read` does, but never `binary`. */
  readBytes(path: string, most: number): Promise<FileBytes>;
  /**
   * Writes all of the changes or none. `expected` is the version the new text was made from (null: the file must not
   * exist); when the file is another by now the whole call throws `FileProblem` of code `changed`. Keeps EOL, BOM,
   * encoding and mode. `text: null` deletes.
   */
  write(changes: readonly FileWrite[]): Promise<FileSnapshot[]>;
  /**
   * Moves one file, whatever it holds, and makes the folders that it needs; its bytes and its mode stay, and nothing is
   * overwritten.
   * `expected` is the version of its text, null where it holds none. Resolves to the path where it is now.
   */
  move(from: string, to: string, expected: string | null): Promise<string>;
  /** Deletes one file, whatever it holds. Resolves to its path. A link is not followed but refused, by both. */
  remove(path: string, expected: string | null): Promise<string>;
  /** Entries below `path`, folders first, down to `depth` levels, ignoring what .gitignore ignores; at most `limit`. */
  list(
    path: string,
    options: { depth: number; limit: number },
  ): Promise<{ entries: DirectoryEntry[]; truncated: boolean }>;
}

export interface FileWrite {
  readonly path: string;
  readonly text: string | null;
  readonly expected: string | null;
}

export type FileProblemCode =
  | 'missing'
  | 'folder'
  | 'binary'
  | 'too_large'
  | 'outside'
  | 'left_out'
  | 'not_permitted'
  | 'special'
  | 'changed'
  | 'exists'
  | 'untrusted'
  | 'no_space';

/** A refusal in words that help: the message says what happened, why, and what to do. */
export class FileProblem extends Error {
  constructor(
    readonly code: FileProblemCode,
    message: string,
  ) {
    super(message);
    this.name = 'FileProblem';
  }
}

export interface SearchQuery {
  /** A regular expression, or exact text when `literal`. */
  readonly pattern: string;
  readonly literal: boolean;
  /** File or folder below the workspace; the whole workspace when absent. */
  readonly path?: string;
  readonly glob?: string;
  readonly caseSensitive: boolean;
  readonly maxMatches: number;
}
export interface SearchMatch {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}
export interface Search {
  /** Throws `FileProblem` for a path outside, `Error` with the engine's message for a bad pattern. */
  search(query: SearchQuery, signal: AbortSignal): Promise<{ matches: SearchMatch[]; truncated: boolean }>;
}

export interface CommandOptions {
  /** Where the command ends the shell, the next one begins without what this one exported. */
  readonly forgets?: boolean;
  /** After this many milliseconds the command is interrupted, then its process tree killed. */
  readonly timeoutMs: number;
  /** Run on the terminal itself instead of into a pipe or file: for programs that draw or ask. */
  readonly tty: boolean;
  readonly signal: AbortSignal;
  /** Text as it is printed, for people to watch; control sequences removed. */
  onOutput?(text: string): void;
}

export interface CommandResult {
  readonly end: CommandEnd;
  /**
   * Null unless the command exited by itself, or the shell with it: `exit 3` has the code 3 and the end `shell_died`.
   */
  readonly exitCode: number | null;
  /** Clean text: no control sequences; head and tail with a line that says what was left out between them. */
  readonly output: string;
  readonly outputBytes: number;
  /**
   * Absolute path of a file with the whole output, when `output` is cut or a background process still prints into it;
   * `read_file` may read it.
   */
  readonly fullOutput?: string;
  readonly durationMs: number;
  /** The shell's folder after the command. */
  readonly cwd: string;
  /** What the model must know beside the output: "The shell ended and was replaced; variables are lost." */
  readonly note?: string;
  /** On which side of a sandbox it ran; absent where there is none. */
  readonly sandbox?: 'inside' | 'outside';
  /** What a command that failed says the sandbox kept it from. */
  readonly denied?: 'network' | 'files';
}

/** What is stopped stays so until it is released; a second release does nothing. */
export interface Hold {
  release(): void;
}

/** Where a terminal runs commands, and what that place may touch. */
export interface TerminalPlace {
  /** As in `RunPlace` of the protocol. */
  readonly runs: 'inside' | 'unconfined' | 'nowhere';
  /** Inside: the domains that commands may reach; empty: there is no network. */
  readonly domains: readonly string[];
  /** Why there is no sandbox, in words that end a sentence; absent inside, and where it is not known. */
  readonly why?: string;
  /** What the place is and what it may touch, in one line for a person, where it is no usual one. */
  readonly words?: string;
}

/**
 * One persistent shell: folder, variables and functions live from command to command. Commands run one at a time, in
 * order.
 */
export interface Terminal {
  /** The container that commands of `run` run in; absent where they run on this machine. */
  readonly container?: SessionContainer | undefined;
  /** The name of the shell that commands are written for; bash or one of its kin when absent. */
  readonly shellName?: string | undefined;
  /** Whether `run` confines commands to a sandbox that has no network. Absent: it does not. */
  confined?(): Promise<boolean>;
  /**
   * Whether the temporary folders that commands of `run` see are a sandbox's own, with nothing of other programs in
   * them. Absent: they are not.
   */
  hasOwnTemporary?(): Promise<boolean>;
  /**
   * Where `run` runs a command; with `types`, where the program runs that `answer` types into. Absent: with all rights
   * of the account.
   */
  place?(types: boolean): Promise<TerminalPlace>;
  run(command: string, options: CommandOptions): Promise<CommandResult>;
  /**
   * Types exactly `text` ("\n" is the Enter key) into a command that ended `waiting_for_input` and is still running,
   * then watches it again like `run`. Throws when nothing waits.
   */
  answer(text: string, options: CommandOptions): Promise<CommandResult>;
  /**
   * Stops all that runs in the sandbox, so that what is checked from now on is what a command outside finds; a command
   * of `outside` can run meanwhile. Rejects, in words for a person, where something does not stop. Absent where there
   * is never a sandbox.
   */
  hold?(): Promise<Hold>;
  /** Ends the shell and everything that it started. */
  dispose(): Promise<void>;
  /** Where there is a sandbox: the terminal for what a person allowed to run outside it. It shares the folder. */
  readonly outside?: Terminal;
  /**
   * For plan mode: a shell of its own that loads nothing of the workspace, and cannot write it where there is a
   * sandbox. It shares the folder.
   */
  readonly looking?: Terminal;
}

/** The text of some pages of a document. */
export interface DocumentText {
  /** The text of each page in turn, beginning with the first that was asked for; empty where a page has none. */
  readonly pages: readonly string[];
  /** How many pages the document has. */
  readonly total: number;
  /** Why it stopped before the last page that was asked for: it took too long, or there was too much text. */
  readonly stopped?: 'time' | 'size';
}

export interface Documents {
  /**
   * The text of a PDF file, its pages counted from 1. Throws an `Error` in words for the model where it cannot be read.
   */
  pdfText(
    bytes: Uint8Array,
    pages: { readonly from: number; readonly to?: number; readonly mostCharacters: number },
    signal: AbortSignal,
  ): Promise<DocumentText>;
}

export interface Outputs {
  /** The absolute path of a file that holds it, which `read_file` may read. `ending`: "txt", "png". */
  keep(content: string | Uint8Array, ending: string): Promise<string>;
}

/** What others than Waymark let the agent do; it may change at any time. */
export interface AddedTools {
  /** Those there are at this moment, each name once. */
  tools(): readonly Tool[];
  /** Begins what has to be begun before they can be told. Never rejects, and does not wait for ever. */
  prepare(signal: AbortSignal): Promise<void>;
  /** Those that there is no room or no name for. */
  readonly leftOut?: readonly Tool[];
  /** What a person should know of tools that cannot be given. */
  readonly unusable?: readonly string[];
}

/** What the repository and the person teach the agent. */
export interface Skills {
  /** Those that are used with a model of that name, in the order of their precedence. */
  used(model: string): Promise<readonly Skill[]>;
  /** All that were found, and why some of them are not used. */
  all?(model: string): Promise<readonly Listed[]>;
  /** Paths of the files that belong to an Agent Skill, relative to its folder; at most 100. */
  resources(skill: Skill): Promise<readonly string[]>;
  /** One of them. Throws a `FileProblem`: missing, outside, binary, too_large. */
  resource(skill: Skill, path: string): Promise<string>;
}

/** What was found wrong since a moment. Of files that were not changed errors alone. */
export interface NewProblems {
  /** "src/a.ts:3:5 error ts(2322): …" */
  readonly lines: readonly string[];
  /** How many are left out of `lines`. */
  readonly more: number;
  /** How many that were there are not any more. */
  readonly gone: number;
}

export interface Diagnostics {
  /**
   * Remembers what is wrong now, until it is disposed of. `since` waits a moment until what is said of the changed
   * files settles.
   */
  watch(): { since(changed: readonly string[], signal: AbortSignal): Promise<NewProblems>; dispose(): void };
  /**
   * Diagnostics that arrived too late for files that were edited before, each reported once. Undefined if there are
   * none. `atEnd`: the run is about to end, so this waits a little for late reports.
   */
  late?(atEnd: boolean, signal: AbortSignal): Promise<NewProblems | undefined>;
}

/** What the agent keeps for later sessions: notes on the work, and notes on the person. */
export type MemoryStore = 'memory' | 'user';

export interface Memory {
  /** The whole text of a store; empty where there is none yet. */
  read(store: MemoryStore): Promise<string>;
  /**
   * Replaces the text by what `change` makes of it, in one piece and with nobody else writing meanwhile. Nothing is
   * written when `change` throws.
   */
  update(store: MemoryStore, change: (text: string) => string): Promise<void>;
}

export interface PastQuery {
  /** Words that all stand in one message; empty: the latest sessions. */
  readonly words: readonly string[];
  readonly maxSessions: number;
}

export interface PastSession {
  readonly id: string;
  readonly title: string;
  /** Milliseconds since 1970 of its last event. */
  readonly updatedAt: number;
  /** What was said around the words that were searched for, secrets masked; the task if no words were given. */
  readonly snippets: readonly { readonly by: 'person' | 'agent'; readonly text: string }[];
}

/** The earlier sessions of this folder. */
export interface PastSessions {
  /** The sessions that say the most about the words, then the latest. */
  search(
    query: PastQuery,
    signal: AbortSignal,
  ): Promise<{ sessions: PastSession[]; /** True where older ones were not looked at. */ truncated: boolean }>;
}

/** A path, relative to the workspace, that a command deletes. `pattern`: the shell looks for names that fit it. */
export interface Deleted {
  readonly path: string;
  readonly pattern: boolean;
}

/**
 * What besides its own text decides what a command runs; as it is on disk, where a shell finds it, not as an editor
 * holds it.
 */
export interface Scripts {
  /** The text of a file of the workspace. Undefined: not there, outside, no plain file, over 64 KB, or no text. */
  read(path: string): Promise<string | undefined>;
  /**
   * Paths of the manifests, makefiles and shell scripts in the places where projects keep them, at most 100, and of
   * programs there, at most 60.
   */
  usual(): Promise<string[]>;
  /**
   * The places that a path leads to through links, where they are others than it says: relative to the folder when
   * inside, else absolute.
   * `pattern`: the places of all links among the names that fit. Throws where a pattern finds too much to look at.
   */
  leadsTo(path: string, pattern: boolean): Promise<readonly string[]>;
  /**
   * The first path found that .agentignore leaves out, of what `path` names; undefined where there is none, or too much
   * to look at. See `CommandContext.leftOut`.
   */
  leftOut(path: string, how: PathUse): Promise<string | undefined>;
  /**
   * What would be lost with each of the paths, in their order. Git is asked once for all of them. `made`: files of this
   * session and their versions.
   */
  inGit(deleted: readonly Deleted[], made: ReadonlyMap<string, string>): Promise<readonly GitStanding[]>;
  /**
   * What is at an absolute path in the machine's temporary folders. `since`: when the session began, in milliseconds
   * since 1970.
   */
  temporaryFile(path: string, since: number): Promise<TemporaryFile>;
  /**
   * Everything in the repository that can make Git run a program: settings, hooks, attributes. Equal while nothing of
   * it changes; empty without a repository.
   */
  gitSettings(): Promise<string>;
  /** The parser of PowerShell. Throws where it is missing. */
  powershell(): Promise<(text: string) => SyntaxNode>;
  /** Short and safe against made-up collisions. */
  hash(text: string): string;
}

/**
 * What would be lost with a path of the workspace, worst first. `changed`: Git tracks it, and it has uncommitted
 * changes. `untracked`: Git does not know it. `unknown`: there is no repository, or it did not answer. `secrets` and
 * `repository`: Git ignores it, but it contains secrets or a repository. `tracked`: as committed. `made`: by this
 * session, and unchanged since. `ignored`: Git ignores it. `nothing`: there is no such path.
 */
export type GitStanding =
  'changed' | 'untracked' | 'unknown' | 'secrets' | 'repository' | 'tracked' | 'made' | 'ignored' | 'nothing';

/**
 * `none`: nothing yet. `ours`: made by this session, or since it began. `others`: anything else, and whatever cannot be
 * told.
 */
export type TemporaryFile = 'none' | 'ours' | 'others';

/** How a path is meant. `pattern`: the shell looks for names that fit it. `within`: what lies below it, too. */
export interface PathUse {
  readonly pattern: boolean;
  readonly within: boolean;
}

/** A node of the syntax tree, as tree-sitter gives it. */
export interface SyntaxNode {
  readonly type: string;
  readonly text: string;
  readonly isNamed: boolean;
  readonly isMissing: boolean;
  readonly hasError: boolean;
  readonly children: readonly (SyntaxNode | null)[];
}
