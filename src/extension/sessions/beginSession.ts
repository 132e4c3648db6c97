import type { Model } from '../../core/ports/model';
import { workspaceRules } from '../consent/allowRules';
import type { Application } from '../window/application';
import type { LiveSession, StartSettings } from './liveSession';

/** Begins a task in a session of its own, which is shown. `root`: the workspace folder that it works in, where that is not the first. Throws as `LiveSession.start` does. */
export async function beginSession(
  application: Application,
  task: string,
  model: Model,
  settings: StartSettings,
  root?: string,
): Promise<LiveSession> {
  const session = application.sessions.openSession(undefined, { ...(root !== undefined && { root }) });
  await application.show(session);
  for (const rule of workspaceRules(application.context.workspaceState))
    session.conversation.append({ type: 'allow_rule_added', rule });
  await session.start(task, model, settings);
  return session;
}
