import type { CutOff } from '../../ports/cutOff';
import type { GitStanding, TemporaryFile, PathUse, SyntaxNode } from '../../ports/environment';
import type { Value } from '../syntax/value';

export const isPowerShell = (shell: string): boolean => /^(powershell|pwsh)(\.exe)?$/i.test(shell);

/** What the caller knows about the place a command will run in. All of it is optional; the safe answer is assumed. */
export interface CommandContext {
  /** bash when absent. Shells without a parser are always high. */
  readonly shell?: string;
  /** The parser of PowerShell, which is loaded on demand; without it PowerShell is always high. */
  readonly powershell?: (text: string) => SyntaxNode;
  /** The workspace folder, absolute, so that full paths into it count as inside. */
  readonly workspace?: string;
  /** Where the shell is, relative to the workspace. */
  readonly folder?: string;
  /** The session's own temporary folder, absolute. */
  readonly temporary?: string;
  /**
   * What is at a path in the machine's temporary folders. Absent: nobody looked, and what is there counts as another
   * program's.
   */
  readonly temporaryFile?: (path: string) => TemporaryFile | undefined;
  /**
   * What Git keeps of a workspace path that is to be deleted. Absent: nobody looked, so only its name says something.
   */
  readonly inGit?: (path: string, pattern: boolean) => GitStanding | undefined;
  /** It will run in a sandbox without network, in which only the workspace can be written. */
  readonly confined?: boolean;
  /**
   * The repository's configuration, attributes or hooks changed since a person last agreed: reading Git may run code.
   */
  readonly gitConfigurationChanged?: boolean;
  /**
   * The names of the repository's settings that have Git start a program where it would only read. Absent: nobody
   * looked.
   */
  readonly gitPrograms?: readonly string[];
  /**
   * A script by its name (`npm` script, `make` target) or path (`file`), seen from `folder`, which is relative to the
   * workspace.
   * `undefined`: there is none, or nobody looked.
   */
  readonly lookUp?: (kind: ScriptKind, name: string, folder: string) => FoundScript | undefined;
  /**
   * The places that a path leads to through links, where they are others than it says: relative to the workspace when
   * inside, else
   * absolute. The path is as it is spelled, from the workspace folder or absolute; `pattern`: the shell looks for
   * names that fit it.
   */
  readonly leadsTo?: (path: string, pattern: boolean) => readonly string[];
  /**
   * What .agentignore leaves out of that which a path of the workspace names: itself, a name that fits the pattern,
   * or, `within`, something below it.
   */
  readonly leftOut?: (path: string, how: PathUse) => string | undefined;
  /** Stops the analyser where a text keeps it busy for too long. Absent: nothing can stop it. */
  readonly cutOff?: CutOff;
  /** Values of variables that are set where it will run. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Told of every program that it starts: of a wrapper, then of what that starts. */
  readonly started?: (program: StartedProgram) => void;
}

/** A program with its words, the first of which names it. */
export interface StartedProgram {
  readonly words: readonly Value[];
  /** Where it may start, relative to the workspace or absolute; undefined where that is only known when it runs. */
  readonly folders: readonly string[] | undefined;
  /** Paths of the workspace that it is known to read or write. */
  readonly data: readonly string[];
}

/**
 * `packages`: the folders of the packages that a package manager's filter selects, one per line of `text`. `program`: a
 * file in a language other than shell. `text`: any file as it is. `compose`: a compose file and those that it includes;
 * for an empty name, the one that Docker finds. `install`: what a package manager of that name runs or obeys when it
 * installs or builds.
 */
export type ScriptKind =
  'npm' | 'make' | 'just' | 'task' | 'file' | 'program' | 'packages' | 'text' | 'compose' | 'install';

export interface FoundScript {
  /**
   * As shell commands. Absent where it is not plain commands: another language, too long, or a makefile that
   * computes.
   */
  readonly text?: string;
  /**
   * `same`: as when the session began or a person last agreed to it. `new`: not seen before. `changed`: another than
   * it was.
   */
  readonly standing: 'same' | 'new' | 'changed';
  /** What a program contains that should not run without a question, in words. */
  readonly alarm?: string;
  /** What to ask about, each in a sentence. */
  readonly alarms?: readonly string[];
  /** What of it runs by itself, or is obeyed by others: asked about in every mode. */
  readonly guarded?: boolean;
}
