import type { CodeServices } from './codeServices';
import type { CutOff } from './cutOff';
import type { ListedSkill, Skill } from './skill';
import type { CommandEnd } from '../../protocol/events/details';
import type { SessionContainer } from '../../protocol/events/event';
import type { Effect, Tool } from './tool';
import type { Web } from './web';

/**
 * What tools act on: three ports that every session has, each with a contract suite in test/contracts, and optional
 * ones.
 */
export interface Environment {
  /** Absolute path of the first workspace folder. Relative paths are resolved against it. */
  readonly root: string;
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
  /** Tools from MCP servers and other extensions. */
  readonly added?: AddedTools;
  /** Saves file contents before an action changes them. Absent if changes cannot be undone. */
  readonly checkpoints?: Checkpoints;
  /** Edits that wait for review before they change a file. Absent if edits never wait. */
  readonly heldEdits?: HeldNotes;
  /** Returns the same environment for a single action, so that effects can be attributed to it. */
  forAction?(actionId: string): Environment;
}

/** Notes for the model about edits that wait for review. */
export interface HeldNotes {
  /** True if an edit of one of these files waits. Paths are as displayed. */
  holdsAny(paths: readonly string[]): boolean;
  /** Note after an edit that waits, or after a command that ran meanwhile. Undefined if there is nothing to say. */
  noteAfter(effect: Effect): string | undefined;
}

/** Copies of files from before each action of a run, used to review and undo changes. */
export interface Checkpoints {
  /**
   * Resolves when everything the action may change has been saved: the files in `paths`, as the tool writes them, or
   * any file of the workspace if `paths` is absent. Never rejects; if no checkpoint can be made, the run continues
   * without one.
   */
  before(actionId: string, paths?: readonly string[]): Promise<Checkpoint>;
  /**
   * Variant of `before` for an action that claims to change nothing. Does not wait; changes it makes anyway are found
   * later.
   */
  beforeUnchanging(actionId: string): Promise<Checkpoint>;
  /** True if an action that has not begun can be undone afterwards. `paths` is as in `before`. */
  canUndo(paths?: readonly string[]): boolean;
  /** Resolves when the changes of all ended actions are known, except those that claim to change nothing. */
  ended(): Promise<void>;
  /** Resolves when the changes of all ended actions are known, and those of processes they left running. */
  settled(): Promise<void>;
}

/** Handle of a checkpoint. Call one of its two methods when the action has ended, however it ended. Neither throws. */
export interface Checkpoint {
  /** Resolves when the changes of the action are known. */
  after(): Promise<void>;
  /** Computes the changes in the background. The next `before` and `settled` wait for it. */
  ended(): void;
}

/** Current state of a text file: the unsaved buffer if an editor has one. Line endings are normalized to "\n". */
export interface FileSnapshot {
  /** Path relative to its workspace folder, with "/", as the model and people see it. */
  readonly path: string;
  readonly text: string;
  /** Changes whenever the text changes. Equal text of the same file has equal versions. */
  readonly version: string;
  /** True if the write replaced a file that is marked read-only. Absent if it was not, or was not checked. */
  readonly readOnly?: boolean;
  /**
   * True if the editor changed the text further when saving the file, for example with a formatter. `text` is what was
   * saved.
   */
  readonly wasFormatted?: boolean;
}

/** Contents of a file on disk, of any type. */
export interface FileBytes {
  /** See `FileSnapshot`. */
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
 * Files inside the workspace folders. One resolver handles every path: it resolves `..`, symlinks and spelling before
 * any access, and throws a `FileProblem` with code `outside` for paths outside the folders.
 */
export interface Files {
  /** Throws a `FileProblem` with code missing, folder, binary, too_large, outside, not_permitted or special. */
  read(path: string): Promise<FileSnapshot>;
  /** Returns the bytes of a file on disk, at most `most`. Throws a `FileProblem` like `read`, but never `binary`. */
  readBytes(path: string, most: number): Promise<FileBytes>;
  /**
   * Writes all changes or none. `expected` is the version the new text is based on; null means the file must not exist.
   * If a file has changed meanwhile, the call throws a `FileProblem` with code `changed`. Keeps EOL, BOM, encoding and
   * mode. `text: null` deletes the file.
   */
  write(changes: readonly FileWrite[]): Promise<FileSnapshot[]>;
  /**
   * Moves one file of any type and creates missing folders. Keeps its bytes and mode, and never overwrites.
   * `expected` is the version of its text, or null if it has no text. Resolves to the new path.
   */
  move(from: string, to: string, expected: string | null): Promise<string>;
  /**
   * Deletes one file of any type and resolves to its path. Like `move`, refuses symbolic links instead of following
   * them.
   */
  remove(path: string, expected: string | null): Promise<string>;
  /**
   * Lists entries below `path`, folders first, down to `depth` levels and at most `limit`. Skips what .gitignore
   * ignores.
   */
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

/** A failed file operation. The message says what happened, why, and what to do. */
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
  /** A regular expression, or exact text if `literal` is set. */
  readonly pattern: string;
  readonly literal: boolean;
  /** File or folder in the workspace. Defaults to the whole workspace. */
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
  /** Throws a `FileProblem` for a path outside, and an `Error` with the engine's message for an invalid pattern. */
  search(query: SearchQuery, signal: AbortSignal): Promise<{ matches: SearchMatch[]; truncated: boolean }>;
}

export interface CommandOptions {
  /** If the command ends the shell, the next shell starts without the variables this one exported. */
  readonly forgets?: boolean;
  /** Timeout in milliseconds. The command is interrupted first, then its process tree is killed. */
  readonly timeoutMs: number;
  /** Runs on the terminal itself instead of a pipe or file, for programs that draw or prompt. */
  readonly tty: boolean;
  readonly signal: AbortSignal;
  /** Called with output as it is printed, for people to watch. Control sequences are removed. */
  onOutput?(text: string): void;
}

export interface CommandResult {
  readonly end: CommandEnd;
  /**
   * Null unless the command exited by itself, or the shell with it: `exit 3` has the exit code 3 and ends as
   * `shell_died`.
   */
  readonly exitCode: number | null;
  /** Output without control sequences. If it is too long, head and tail with a line about what was left out. */
  readonly output: string;
  readonly outputBytes: number;
  /**
   * Absolute path of a file with the whole output, if `output` is truncated or a background process still prints.
   * `read_file` may read it.
   */
  readonly fullOutput?: string;
  readonly durationMs: number;
  /** Working folder of the shell after the command. */
  readonly cwd: string;
  /** Note for the model besides the output, such as "The shell ended and was replaced; variables are lost." */
  readonly note?: string;
  /** Whether it ran inside or outside the sandbox. Absent without a sandbox. */
  readonly sandbox?: 'inside' | 'outside';
  /** What the sandbox blocked, according to the output of a failed command. */
  readonly denied?: 'network' | 'files';
}

/** Keeps processes suspended until released. A second release is a no-op. */
export interface Hold {
  release(): void;
}

/** Where a terminal runs commands, and what they may access there. */
export interface TerminalPlace {
  /** See `RunPlace` of the protocol. */
  readonly runs: 'inside' | 'unconfined' | 'nowhere';
  /** Domains that commands inside may reach. Empty if there is no network. */
  readonly domains: readonly string[];
  /** Why there is no sandbox, worded to end a sentence. Absent inside a sandbox, and if the reason is unknown. */
  readonly why?: string;
  /** One line for people about an unusual place and what commands may access there. */
  readonly words?: string;
}

/**
 * A persistent shell: folder, variables and functions are kept between commands. Commands run one at a time, in order.
 */
export interface Terminal {
  /** Container in which `run` runs commands. Absent if they run on this machine. */
  readonly container?: SessionContainer | undefined;
  /** Name of the shell that commands are written for. Defaults to bash or a compatible shell. */
  readonly shellName?: string | undefined;
  /** Returns whether `run` confines commands to a sandbox without a network. If absent, it does not. */
  confined?(): Promise<boolean>;
  /**
   * Returns whether commands of `run` see temporary folders that belong to a sandbox and contain nothing of other
   * programs. If absent, they do not.
   */
  hasOwnTemporary?(): Promise<boolean>;
  /**
   * Returns where `run` runs a command or, with `types`, where the program runs that `answer` types into. If absent,
   * commands have all rights of the account.
   */
  place?(types: boolean): Promise<TerminalPlace>;
  run(command: string, options: CommandOptions): Promise<CommandResult>;
  /**
   * Types exactly `text` ("\n" is the Enter key) into a command that ended with `waiting_for_input` and is still
   * running, then watches it like `run`. Throws if no command waits.
   */
  answer(text: string, options: CommandOptions): Promise<CommandResult>;
  /**
   * Suspends all processes in the sandbox, so that a command outside finds exactly what was checked. Commands of
   * `outside` can still run. Rejects with a message for people if a process cannot be suspended. Absent if there is
   * never a sandbox.
   */
  hold?(): Promise<Hold>;
  /** Ends the shell and all processes that it started. */
  dispose(): Promise<void>;
  /**
   * Terminal for commands that a person allowed to run outside the sandbox. Shares the working folder. Absent without a
   * sandbox.
   */
  readonly outside?: Terminal;
  /**
   * Terminal for plan mode: a separate shell that loads nothing from the workspace and, in a sandbox, cannot write to
   * it. Shares the working folder.
   */
  readonly readOnly?: Terminal;
}

/** Text of a range of pages of a document. */
export interface DocumentText {
  /** Text of each requested page, in order. Empty for pages without text. */
  readonly pages: readonly string[];
  /** Number of pages in the document. */
  readonly total: number;
  /** Why it stopped before the last requested page: time limit, or too much text. */
  readonly stopped?: 'time' | 'size';
}

export interface Documents {
  /**
   * Returns the text of a PDF file. Pages are 1-based. Throws an `Error` with a message for the model if the file
   * cannot be read.
   */
  pdfText(
    bytes: Uint8Array,
    pages: { readonly from: number; readonly to?: number; readonly mostCharacters: number },
    signal: AbortSignal,
  ): Promise<DocumentText>;
}

export interface Outputs {
  /**
   * Stores the content in a file that `read_file` may read, and returns its absolute path. `ending`: file extension,
   * such as "txt" or "png".
   */
  keep(content: string | Uint8Array, ending: string): Promise<string>;
}

/** Tools from others than Waymark. They can change at any time. */
export interface AddedTools {
  /** Currently available tools. Names are unique. */
  tools(): readonly Tool[];
  /** Starts what has to run before the tools are known. Never rejects, and has a time limit. */
  prepare(signal: AbortSignal): Promise<void>;
  /** Tools left out because there is no room or no free name for them. */
  readonly leftOut?: readonly Tool[];
  /** Messages for people about tools that cannot be offered. */
  readonly unusable?: readonly string[];
}

/** Instructions for the agent from the repository and the person. */
export interface Skills {
  /** Skills used with the model of that name, in order of precedence. */
  used(model: string): Promise<readonly Skill[]>;
  /** All skills that were found, with the reason for those not used. */
  all?(model: string): Promise<readonly ListedSkill[]>;
  /** Paths of the files that belong to an Agent Skill, relative to its folder. At most 100. */
  resources(skill: Skill): Promise<readonly string[]>;
  /** Returns the text of one of these files. Throws a `FileProblem` with code missing, outside, binary or too_large. */
  resource(skill: Skill, path: string): Promise<string>;
}

/** Problems found since a moment. For files that were not changed, errors only. */
export interface NewProblems {
  /** "src/a.ts:3:5 error ts(2322): …" */
  readonly lines: readonly string[];
  /** Number of problems left out of `lines`. */
  readonly more: number;
  /** Number of earlier problems that are fixed. */
  readonly gone: number;
}

export interface Diagnostics {
  /**
   * Remembers the current problems until disposed. `since` waits briefly for reports on the changed files to settle.
   */
  watch(): { since(changed: readonly string[], signal: AbortSignal): Promise<NewProblems>; dispose(): void };
  /**
   * Problems from earlier edits that were reported late, each returned once. Undefined if there are none. `atEnd`: the
   * run is about to end, so wait a little for late reports.
   */
  late?(atEnd: boolean, signal: AbortSignal): Promise<NewProblems | undefined>;
}

/** Notes for later sessions: `memory` is about the work, `user` about the person. */
export type MemoryStore = 'memory' | 'user';

export interface Memory {
  /** Returns the whole text of a store, empty if it does not exist yet. */
  read(store: MemoryStore): Promise<string>;
  /** Atomically replaces the text with the result of `change`, under a lock. Writes nothing if `change` throws. */
  update(store: MemoryStore, change: (text: string) => string): Promise<void>;
}

export interface PastQuery {
  /** Words that must all occur in one message. If empty, the latest sessions are returned. */
  readonly words: readonly string[];
  readonly maxSessions: number;
}

export interface PastSession {
  readonly id: string;
  readonly title: string;
  /** Time of its last event, in milliseconds since 1970. */
  readonly updatedAt: number;
  /** Text around the words searched for, with secrets masked. The task if no words were given. */
  readonly snippets: readonly { readonly by: 'person' | 'agent'; readonly text: string }[];
}

/** Earlier sessions of this folder. */
export interface PastSessions {
  /** Returns matching sessions, most relevant first, then latest first. */
  search(
    query: PastQuery,
    signal: AbortSignal,
  ): Promise<{ sessions: PastSession[]; /** True if older sessions were not searched. */ truncated: boolean }>;
}

/** A path that a command deletes, relative to the workspace. `pattern`: it is a glob that the shell expands. */
export interface DeletedPath {
  readonly path: string;
  readonly pattern: boolean;
}

/**
 * Everything besides its own text that determines what a command runs. Reads files from disk, as a shell does, not from
 * editor buffers.
 */
export interface Scripts {
  /**
   * Text of a file of the workspace. Undefined if it does not exist, is outside, is not a regular file, is over 64 KB,
   * or is not text.
   */
  read(path: string): Promise<string | undefined>;
  /**
   * Paths of manifests, makefiles and shell scripts in their usual places, at most 100, and of programs there, at most
   * 60.
   */
  usual(): Promise<string[]>;
  /**
   * Returns the real locations of a path that goes through symbolic links, if they differ from the path: relative to
   * the folder if inside, else absolute.
   * `pattern`: the locations of all links among the matching names. Throws if a pattern matches too much.
   */
  leadsTo(path: string, pattern: boolean): Promise<readonly string[]>;
  /**
   * Returns the first path excluded by .agentignore among those that `path` names. Undefined if there is none, or too
   * much to check. See `CommandContext.leftOut`.
   */
  leftOut(path: string, how: PathUse): Promise<string | undefined>;
  /**
   * Returns what would be lost with each of the paths, in their order, with a single call of Git. `made`: files of this
   * session and their versions.
   */
  inGit(deleted: readonly DeletedPath[], made: ReadonlyMap<string, string>): Promise<readonly LossIfDeleted[]>;
  /**
   * Returns what is at an absolute path in the machine's temporary folders. `since`: start of the session, in
   * milliseconds since 1970.
   */
  temporaryFile(path: string, since: number): Promise<TemporaryFile>;
  /**
   * Everything in the repository that can make Git run a program: settings, hooks and attributes. The same text as long
   * as nothing changed; empty without a repository.
   */
  gitSettings(): Promise<string>;
  /** Returns the PowerShell parser. Throws if it is missing. */
  powershell(): Promise<(text: string) => SyntaxNode>;
  /** Short, collision-resistant hash. */
  hash(text: string): string;
}

/**
 * What would be lost if a path of the workspace were deleted, worst first. `changed`: tracked, with uncommitted
 * changes. `untracked`: not tracked and not ignored. `unknown`: there is no repository, or Git did not answer.
 * `secrets` and `repository`: ignored, but contains secrets or a repository. `tracked`: as committed. `made`: created
 * by this session and unchanged since. `ignored`: ignored by Git. `nothing`: the path does not exist.
 */
export type LossIfDeleted =
  'changed' | 'untracked' | 'unknown' | 'secrets' | 'repository' | 'tracked' | 'made' | 'ignored' | 'nothing';

/**
 * `none`: does not exist. `ours`: created by this session, or since it began. `others`: anything else, including
 * unknown.
 */
export type TemporaryFile = 'none' | 'ours' | 'others';

/**
 * How a command uses a path. `pattern`: it is a glob that the shell expands. `within`: includes everything below it.
 */
export interface PathUse {
  readonly pattern: boolean;
  readonly within: boolean;
}

/** A node of the syntax tree, as in tree-sitter. */
export interface SyntaxNode {
  readonly type: string;
  readonly text: string;
  readonly isNamed: boolean;
  readonly isMissing: boolean;
  readonly hasError: boolean;
  readonly children: readonly (SyntaxNode | null)[];
}
