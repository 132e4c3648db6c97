import type { CutOff } from '../../ports/cutOff';
import type { LossIfDeleted, TemporaryFile, PathUse, ProtectedBelow, SyntaxNode } from '../../ports/scripts';
import type { WorkspaceFolders } from '../syntax/place';
import type { Value } from '../syntax/value';

export const isPowerShell = (shell: string): boolean => /^(powershell|pwsh)(\.exe)?$/i.test(shell);

/** Shells whose commands evaluate words such as those of `exit` and `printf %d` as arithmetic. */
export const evaluatesWords = ({ shell }: Pick<CommandContext, 'shell'>): boolean => shell === 'zsh' || shell === 'ksh';

/**
 * What the caller knows about the place where a command will run. Everything is optional; the safe answer is assumed.
 */
export interface CommandContext extends WorkspaceFolders {
  /** Defaults to bash. Shells without a parser are always high. */
  readonly shell?: string;
  /** Parser of PowerShell, loaded on demand. Without it, PowerShell is always high. */
  readonly powershell?: (text: string) => SyntaxNode;
  /** Current folder of the shell, relative to the workspace. */
  readonly folder?: string;
  /** Absolute path of the session's own temporary folder. */
  readonly temporary?: string;
  /** Looks up a path in the machine's temporary folders. If absent, files there count as another program's. */
  readonly temporaryFile?: (path: string) => TemporaryFile | undefined;
  /** See `Terminal.fileSystem`. */
  readonly fileSystem?: string;
  /** Returns what Git knows about a workspace path that is to be deleted. If absent, only the name is judged. */
  readonly inGit?: (path: string, pattern: boolean) => LossIfDeleted | undefined;
  /** True if the command will run in a sandbox without network that can write only the workspace. */
  readonly confined?: boolean;
  /** True if it will run where it sees only processes of its sandbox or container. */
  readonly ownProcesses?: boolean;
  /** Looks up the settings of the workspace's repository. Returns undefined if nobody looked. */
  readonly gitSettings?: () => GitSettingsVerdict | undefined;
  /**
   * Looks up a script by name (`npm` script, `make` target) or path (`file`), as seen from `folder`, which is relative
   * to the workspace. Returns undefined if there is none or nobody looked.
   */
  readonly lookUp?: (kind: ScriptKind, name: string, folder: string) => FoundScript | undefined;
  /**
   * Returns the real targets of a path that contains links, if they differ from its spelling: relative to the workspace
   * if inside, else absolute. The path is as written, from the workspace folder or absolute. `pattern`: the shell
   * expands it as a glob.
   */
  readonly linkTargets?: (path: string, pattern: boolean) => readonly string[];
  /** See `Scripts.protectedBelow`. Returns undefined if nobody looked. */
  readonly protectedBelow?: (path: string, pattern?: 'visible' | 'hidden') => ProtectedBelow | undefined;
  /**
   * Returns what .agentignore excludes at a workspace path: the path itself, a name that matches the pattern, or, with
   * `within`, something below it.
   */
  readonly excludedPath?: (path: string, how: PathUse) => string | undefined;
  /** Stops the analyser if a text takes too long. If absent, nothing can stop it. */
  readonly cutOff?: CutOff;
  /** Variables set in the environment where it will run. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Called for every program that the command starts: first for a wrapper, then for what the wrapper starts. */
  readonly started?: (program: StartedProgram) => void;
}

/** What the settings of a repository mean for a command that only reads. */
export interface GitSettingsVerdict {
  /**
   * True if its configuration, attributes or hooks changed since a person last approved them: reading Git may then run
   * code.
   */
  readonly isChanged: boolean;
  /** Names of settings that make Git start a program where it would only read. Empty if a person approved them. */
  readonly programs: readonly string[];
}

/** A program with its words. The first word is its name. */
export interface StartedProgram {
  readonly words: readonly Value[];
  /** Folders where it may start, relative to the workspace or absolute. Undefined if known only at run time. */
  readonly folders: readonly string[] | undefined;
  /** Workspace paths that it is known to read or write. */
  readonly data: readonly string[];
}

/**
 * `packages`: folders of the packages that a package manager's filter selects, one per line of `text`. `program`: a
 * file in a language other than shell. `text`: any file, unparsed. `compose`: a compose file and its includes; for an
 * empty name, the file that Docker would find. `install`: what a package manager of that name runs or obeys when it
 * installs or builds. `repository`: settings of other repositories in the workspace that make Git start programs if it
 * starts in a folder of that name, one per line of `text`: the name, a tab and the repository's folder. `**` stands for
 * every folder.
 */
export type ScriptKind =
  'npm' | 'make' | 'just' | 'task' | 'file' | 'program' | 'packages' | 'text' | 'compose' | 'install' | 'repository';

/** A script file that a command runs, as found on the disk. */
export interface FoundScript {
  /**
   * Content as shell commands. Absent if it is not plain commands: another language, too long, or a computed makefile.
   */
  readonly text?: string;
  /**
   * `same`: unchanged since the session began or since a person last approved it. `new`: not seen before. `changed`:
   * different from before.
   */
  readonly standing: 'same' | 'new' | 'changed';
  /** True if a person approved or refused another content of it in this session. */
  readonly otherWasDecided?: boolean;
  /** Why a program should not run without approval, in words. */
  readonly alarm?: string;
  /** What to ask about, one sentence each. */
  readonly alarms?: readonly string[];
  /** True if part of it runs by itself or is obeyed by other programs. Requires approval in every mode. */
  readonly guarded?: boolean;
}
