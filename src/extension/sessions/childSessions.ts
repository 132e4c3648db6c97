import type { ChildSessions } from '../../core/session/childRuns';
import type { Model } from '../../core/ports/model';
import type { LiveSession, SessionWork } from './liveSession';
import type { SessionEnvironment } from './sessionEnvironment';

/** The part of a window's sessions that sub-agent sessions need. */
export interface ChildHost {
  /** True while the window is closing. */
  readonly closing: boolean;
  openSession(id: undefined, options: { readonly work: SessionWork; readonly worktree?: string }): LiveSession;
  environmentOf(id: string): Pick<SessionEnvironment, 'skills' | 'added'> | undefined;
  /** Closes a session that has reported to its parent. */
  release(id: string): Promise<void>;
}

/**
 * Returns the sub-agent sessions of `parent`. They are sessions of this window like any other: listed, viewable, and
 * with the same approvals.
 */
export function childSessions(
  sessions: ChildHost,
  parent: () => LiveSession,
  modelNamed: (name: string) => Promise<Model>,
): ChildSessions {
  return {
    skills: () => sessions.environmentOf(parent().id)?.skills,
    async open(task, { actionId, listener, within }) {
      const model = task.model === undefined ? parent().model : await modelNamed(task.model);
      const above = parent();
      const worktree = above.worktree && above.parts.surroundings.root;
      const session = sessions.openSession(undefined, {
        work: { conversationListener: listener, within, family: above.family, workFor: above.workFor ?? actionId },
        ...(worktree !== undefined && { worktree }),
      });
      if (session.problem !== undefined) throw new Error(session.problem);
      session.useModel(model);
      const { id, conversation } = session;
      const { surroundings, trusted, customToolsets, profileOf } = session.parts;
      const { skills, added } = sessions.environmentOf(id) ?? {};
      return {
        id,
        conversation,
        model,
        surroundings,
        trusted,
        customToolsets,
        skills,
        added,
        attended: true,
        profile: profileOf,
        // A session interrupted by the closing window can be resumed.
        stop: (reason) => (sessions.closing ? conversation.interrupt(reason) : session.stop(reason)),
        close: () => sessions.release(id),
      };
    },
  };
}
