import type { ConversationListener } from '../../core/session/publication';
import type { Model } from '../../core/ports/model';
import type { UserSettings } from '../../core/settings/table';
import { isAttended } from '../consent/ask';
import type { TrustOptions } from '../consent/folderTrust';
import { decidesByName, type WorkOptions } from './begin';
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
  readonly settings: UserSettings;
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
  const hasTask = task.trim() !== '' || decidesByName(options);
  if (!hasTask) throw new Error('There is no task. Describe it in words.');
  if (options.settings.mode === 'human' && !isAttended())
    throw new Error(
      'In human mode you type each command at a terminal, and there is none here. Choose another --mode, or run this in a terminal.',
    );
  if (options.settings.mode === 'plan' && containerKind(options) !== 'local')
    throw new Error('Plan mode changes nothing, and a container can change the folder. Remove --environment.');
  refuseUnnamedServers(options);
  if (options.uncommitted && !options.worktree) throw new Error('--uncommitted requires --worktree or --best-of.');
  if (options.worktree && options.fork !== undefined)
    throw new Error('A forked session works in the folder of the original session. Remove --worktree or --fork.');
  if (options.fork === undefined) refuseForkOptions(options);
  else if (decidesByName(options))
    throw new Error(
      '--approve, --approve-outside and --refuse apply to one session, and --fork starts another. Remove them.',
    );
}

/** Throws an `Error` with a message for people if servers are approved, but none is named. */
export function refuseUnnamedServers({ agree, allowMcp, mcp }: Pick<RunOptions, 'agree' | 'allowMcp' | 'mcp'>): void {
  if ((allowMcp || agree?.includes('mcp')) && !mcp)
    throw new Error('--agree mcp approves the start of servers. Name them with --mcp.');
}

/** These options only make sense with a fork. */
function refuseForkOptions({ at, afterStep, restoreFiles }: RunOptions): void {
  if (at !== undefined || afterStep !== undefined) throw new Error('--at and --after-step require --fork.');
  if (restoreFiles) throw new Error('--restore-files requires --fork.');
}
