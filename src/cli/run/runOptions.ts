import type { ConversationListener } from '../../core/session/publication';
import type { Model } from '../../core/ports/model';
import type { GivenSettings } from '../../core/settings/table';
import { isAttended } from '../consent/ask';
import type { TrustOptions } from '../consent/folderTrust';
import { approvesByName, type WorkOptions } from './begin';
import { containerKind, type DesignOptions } from './designOptions';
import type { ModelOptions } from './modelOptions';
import type { PlaceOptions } from './workplace';

/** Whether a run works in a worktree. */
interface WorktreeOptions {
  /** Work in a worktree of its own. */
  readonly worktree?: boolean;
  /** It begins with what is not committed. */
  readonly uncommitted?: boolean;
  /** What its result is compared with, where several work on one task. */
  readonly group?: string;
}

/** What the command line, or a batch, says of one run. */
export interface RunOptions
  extends WorkOptions, TrustOptions, ModelOptions, PlaceOptions, DesignOptions, WorktreeOptions {
  readonly settings: GivenSettings;
  readonly cwd?: string;
  readonly script?: string;
  readonly log?: string;
  /** The log, or the id of the session, that this one goes on from. */
  readonly fork?: string;
  /** The last event of it that both have; the very last when absent. */
  readonly at?: number;
  /** In place of `at`: the last step, from 1. */
  readonly afterStep?: number;
  readonly json?: boolean;
  /** Options as they were typed that a continued run needs again. */
  readonly again?: readonly string[];
  /** Names of the MCP servers that it may use; "all" for every one of them. */
  readonly mcp?: readonly string[];
  /** Stay for another task when one is done. */
  readonly interactive?: boolean;
  /** A file for a JUnit report. */
  readonly junit?: string;
  /** Where it shows what happens, in place of the terminal. */
  readonly show?: ConversationListener;
  /** Asks the model in another way. */
  readonly asking?: (model: Model) => Model;
}

/** Throws an `Error` in words where options contradict each other, or need what is missing here. */
export function refuseContradictions(task: string, options: RunOptions): void {
  const hasTask = task.trim() !== '' || approvesByName(options);
  if (!hasTask) throw new Error('There is no task. Say in words what should be done.');
  if (options.settings.mode === 'human' && !isAttended())
    throw new Error(
      'In human mode each command is typed at a terminal, and there is none here. Choose another --mode, or run this in a terminal.',
    );
  if (options.settings.mode === 'plan' && containerKind(options) !== 'local')
    throw new Error('In plan mode nothing is changed, and a container can change the folder. Leave --environment out.');
  const agreesToServers = options.allowMcp || options.agree?.includes('mcp');
  if (agreesToServers && !options.mcp) throw new Error('--agree mcp agrees to start servers. Name them with --mcp.');
  if (options.uncommitted && !options.worktree)
    throw new Error(
      '--uncommitted says what a worktree begins with. Give --worktree or --best-of, too, or leave it out.',
    );
  if (options.worktree && options.fork !== undefined)
    throw new Error('A session that goes on from another one works where that did. Leave --worktree or --fork out.');
  if (options.fork === undefined) refuseForkOptions(options);
  else if (approvesByName(options))
    throw new Error(
      'Consent is about an action of one session, and --fork begins another one. Leave --approve and --approve-outside out.',
    );
}

/** Options that mean something only where a session goes on from another one. */
function refuseForkOptions({ at, afterStep, restoreFiles }: RunOptions): void {
  if (at !== undefined || afterStep !== undefined)
    throw new Error('--at and --after-step say where to go on from another session. Name that with --fork.');
  if (restoreFiles)
    throw new Error(
      '--restore-files restores the files of the session that this one goes on from. Name that with --fork.',
    );
}
