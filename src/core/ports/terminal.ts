import type { CommandEnd } from '../../protocol/events/details';
import type { Problem, SessionContainer } from '../../protocol/events/event';
import type { LoggedShell } from '../log/shellState';

/**
 * A persistent shell: folder, variables and functions are kept between commands. Commands run one at a time, in order.
 */
export interface Terminal {
  /** Container in which `run` runs commands. Absent if they run on this machine. */
  readonly container?: SessionContainer | undefined;
  /** Name of the shell that commands are written for. Defaults to bash or a compatible shell. */
  readonly shellName?: string | undefined;
  /** Returns whether `run` confines commands to a sandbox without a network. If absent, it does not. */
  isConfined?(): Promise<boolean>;
  /**
   * Returns whether commands of `run` see temporary folders and processes that belong to a sandbox, and nothing of other
   * programs. If absent, they do not.
   */
  hasOwnTemporary?(): Promise<boolean>;
  /**
   * Returns the folder below which this machine sees every file as commands of `run` do, for example their own
   * temporary folders. Undefined if they see those of this machine, or if no shell runs yet.
   */
  fileSystem?(): Promise<string | undefined>;
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

/** How a command runs. */
export interface CommandOptions {
  /**
   * The stand for which the command was judged. The command runs in its folder or, if the shell cannot change to it,
   * not at all. If absent, it runs where the shell is.
   */
  readonly judgedFor?: LoggedShell | undefined;
  /** If the command ends the shell, the next shell starts without the variables this one exported. */
  readonly forgets?: boolean;
  /** Timeout in milliseconds. The command is interrupted first, then its process tree is killed. */
  readonly timeoutMs: number;
  /** Runs on the terminal itself instead of a pipe or file, for programs that draw or prompt. */
  readonly tty: boolean;
  /** How the model asks for a terminal, for messages: "tty: true". Absent if it cannot. */
  readonly ttyArgument?: string;
  readonly signal: AbortSignal;
  /** Called with output as it is printed, for people to watch. Control sequences are removed. */
  onOutput?(text: string): void;
}

/** How a command ended, and its output. */
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
  /** True if commands of the session ran before, but this is the first one in this shell. */
  readonly isNewShell?: true;
  /** Note for the model besides the output, such as "The shell ended and was replaced; variables are lost." */
  readonly note?: string;
  /** True if a program that it started in the background is still running. */
  readonly leftRunning?: true;
  /** Whether it ran inside or outside the sandbox. Absent without a sandbox. */
  readonly sandbox?: 'inside' | 'outside';
  /** What the sandbox blocked, according to the output. */
  readonly denied?: 'network' | 'files';
  /** True if the sandbox had no network, not even allowed domains. */
  readonly offline?: true;
}

/** Thrown instead of running an action if the run cannot go on before a person has solved the problem. */
export class RunCannotContinue extends Error {
  constructor(readonly problem: Problem) {
    super([problem.what, problem.why, problem.next].join(' '));
  }
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

/** Keeps processes suspended until released. A second release is a no-op. */
export interface Hold {
  release(): void;
}
