import type { ConversationListener } from '../../core/session/publication';
import type { Model } from '../../core/ports/model';
import type { GivenSettings } from '../../core/settings/table';
import { isAttended } from '../consent/ask';
import type { TrustOptions } from '../consent/folderTrust';
import { approvesByName, type WorkOptions } from './begin';
import { containerKind, type DesignOptions } from './designOptions';
import type { ModelOptions } from './modelOptions';
import type { PlaceOptions } from './workplace';

/** Options for running in a worktree. */
interface WorktreeOptions {
  /** Work in a separate worktree. */
  readonly worktree?: boolean;
  /** Include uncommitted changes. */
  readonly uncommitted?: boolean;
  /** The group of sessions on the same task whose results are compared. */
  readonly group?: string;
}

/** Options of one run, from the command line or a batch. */
export interface RunOptions
  extends WorkOptions, TrustOptions, ModelOptions, PlaceOptions, DesignOptions, WorktreeOptions {
  readonly settings: GivenSettings;
  readonly cwd?: string;
  readonly script?: string;
  readonly log?: string;
  /** The log, or the id of the session, to continue in a new log. */
  readonly fork?: string;
  /** The last shared event; by default the last one. */
  readonly at?: number;
  /** Alternative to `at`: the last shared step, from 1. */
  readonly afterStep?: number;
  readonly json?: boolean;
  /** Options as typed that a continued run needs again. */
  readonly again?: readonly string[];
  /** Names of the MCP servers that it may use; "all" for every one. */
  readonly mcp?: readonly string[];
  /** Stay for another task when one is done. */
  readonly interactive?: boolean;
  /** File for a JUnit report. */
  readonly junit?: string;
  /** Shows events, instead of the terminal. */
  readonly show?: ConversationListener;
  /** Wraps the model. */
  readonly asking?: (model: Model) => Model;
}

/**
 * Throws an `Error` with a message for people if options contradict each other, or need something that is missing here.
 */
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

/** These options only make sense with a fork. */
function refuseForkOptions({ at, afterStep, restoreFiles }: RunOptions): void {
  if (at !== undefined || afterStep !== undefined)
    throw new Error('--at and --after-step say where to go on from another session. Name that with --fork.');
  if (restoreFiles)
    throw new Error(
      '--restore-files restores the files of the session that this one goes on from. Name that with --fork.',
    );
}
