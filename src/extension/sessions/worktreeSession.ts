import type { Worktree } from '../../protocol/events/event';
import type { LiveSession } from './liveSession';
import type { OpenSessions } from './openSessions';
import { foldersHere } from './sessionFolders';

/** How to create the worktree of a new session. */
export interface WorktreeChoice {
  /** True if it starts with the uncommitted changes of the workspace. */
  readonly uncommitted: boolean;
  /** The workspace folder that it is a worktree of, by default the first. */
  readonly root?: string;
  /** Name that several sessions with the same task share, so that their results can be compared. */
  readonly group?: string;
}

interface SessionInWorktree {
  readonly session: LiveSession;
  readonly worktree: Worktree;
  /** Messages for the user. */
  readonly notes: readonly string[];
  /** Closes the session and removes the worktree, for a task that could not start. */
  drop(): Promise<void>;
}

/** Opens a new session in a new worktree. Rejects with an `Error` with a message for people. */
export async function openInWorktree(
  sessions: OpenSessions,
  task: string,
  { uncommitted, root, group }: WorktreeChoice,
): Promise<SessionInWorktree> {
  const [folder] = foldersHere(root);
  const id = sessions.newId();
  const [{ makeWorktree }, { removeWorktree, useWorktree }] = await Promise.all([
    import('../../adapters/sessions/worktree'),
    import('../../adapters/sessions/worktrees'),
  ]);
  const made = await makeWorktree({
    folder: folder!,
    session: id,
    log: sessions.stored.logOf(id),
    task,
    uncommitted,
    ...(group !== undefined && { group }),
  });
  const drop = async (): Promise<void> => {
    await sessions.close(id);
    removeWorktree(made.id);
  };
  try {
    await sessions.hooks.agreeAsIn(folder!, made.root);
    const session = sessions.openSession(id, { worktree: made.root });
    useWorktree(made.id);
    return { session, worktree: made.worktree, notes: made.notes, drop };
  } catch (error) {
    await drop();
    throw error;
  }
}
