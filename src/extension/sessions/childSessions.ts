import type { ChildSessions } from '../../core/session/childRuns';
import type { Model } from '../../core/ports/model';
import type { LiveSession, SessionWork } from './liveSession';
import type { SessionEnvironment } from './sessionEnvironment';

/** The sessions of the window, as far as those that work for others need them. */
export interface ChildHost {
  /** The window goes. */
  readonly closing: boolean;
  openSession(id: undefined, options: { readonly work: SessionWork; readonly worktree?: string }): LiveSession;
  environmentOf(id: string): Pick<SessionEnvironment, 'skills' | 'added'> | undefined;
  /** It has reported to the session that it worked for. */
  release(id: string): Promise<void>;
}

/**
 * The sessions that work for `parent`: sessions of this window like any other, so that they are listed,
 * can be looked at, and ask where all ask.
 */
export function childSessions(
  sessions: ChildHost,
  parent: () => LiveSession,
  modelNamed: (name: string) => Promise<Model>,
): ChildSessions {
  return {
    skills: () => sessions.environmentOf(parent().id)?.skills,
    async open(task, told, within, actionId) {
      const model = task.model === undefined ? parent().model : await modelNamed(task.model);
      const above = parent();
      const worktree = above.worktree && above.surroundings.root;
      const session = sessions.openSession(undefined, {
        work: { told, within, family: above.family, workFor: above.workFor ?? actionId },
        ...(worktree !== undefined && { worktree }),
      });
      if (session.problem !== undefined) throw new Error(session.problem);
      session.useModel(model);
      const { id, conversation, surroundings, trusted, customToolsets } = session;
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
        profile: (name) => session.profileOf(name),
        // What only the end of the window stops can be gone on with.
        stop: (reason) => (sessions.closing ? conversation.interrupt(reason) : session.stop(reason)),
        close: () => sessions.release(id),
      };
    },
  };
}
