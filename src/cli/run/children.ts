import path from 'node:path';
import { openEventLog, sessionName } from '../../adapters/log/eventLog';
import { surroundingsOf } from '../../adapters/sessions/surroundings';
import { childRunner, type ChildSessions } from '../../core/session/childRuns';
import type { Children } from '../../core/ports/children';
import type { Conversation } from '../../core/session/conversation';
import type { ConversationListener } from '../../core/session/publication';
import type { History } from '../../core/log/projection';
import { type Warn, warning } from '../../core/log/eventFacts';
import type { Hooks } from '../../core/agent/agentParts';
import { openSession } from '../../core/session/openSession';
import type { SessionAgentParts } from '../../core/session/sessionAgent';
import type { Model } from '../../core/ports/model';
import type { Profile } from '../../core/ports/profile';
import type { ActiveChildren } from './activeChildren';
import { workplace, type PlaceOptions, type SharedByRun, type WorkFor } from './workplace';

interface ChildParts extends PlaceOptions, WorkFor {
  /** The log of the parent session; the logs of its children are beside it. */
  readonly file: string;
  readonly root: string;
  readonly model: Model;
  /** Rejects with an `Error` with a message for the model. */
  modelNamed(name: string): Promise<Model>;
  readonly profile: Profile;
  profileNamed(name: string): Promise<Profile>;
  readonly sampling?: SessionAgentParts['sampling'];
  readonly attended: boolean;
  readonly activeChildren: ActiveChildren;
  readonly hooks?: Hooks | undefined;
  readonly shared: SharedByRun;
  /** Returns the listener that shows what a child does. */
  show(id: string, title: string): ConversationListener;
}

/**
 * The child sessions of the session with the log `file`. Each has its own log beside it and its own shell, and may ask
 * at the same terminal.
 */
export const childrenIn = (parts: ChildParts, history: () => History): Children =>
  childRunner({ session: sessionName(parts.file), history }, sessionsFor(parts));

const sessionsFor = (parts: ChildParts): ChildSessions => ({
  skills: () => parts.shared.skills,
  async open(task, { actionId, listener, wrapAgent }) {
    const model = task.model === undefined ? parts.model : await parts.modelNamed(task.model);
    const profile = task.profile === undefined ? parts.profile : await parts.profileNamed(task.profile);
    const id = `${new Date().toISOString().replace(/\D/g, '').slice(8, 14)}-${crypto.randomUUID().slice(0, 8)}`;
    const file = path.join(`${parts.file}.children`, `${id}.waymark.jsonl`);
    const { store, problem } = openEventLog(file);
    if (!store) throw new Error(problem);
    const workFor = parts.workFor ?? actionId;
    const warn: Warn = (...words) => void conversation.append(warning(...words));
    const environment = workplace({ root: parts.root, file, warn }, parts.shared, { ...parts, workFor });
    const custom = parts.settings?.customToolsets;
    const surroundings = surroundingsOf({ root: parts.root });
    const children = childrenIn({ ...parts, file, model, profile, workFor }, () => conversation.history);
    const shown = parts.show(id, task.title);
    const opened = openSession({
      model,
      environment,
      surroundings,
      children,
      trusted: true,
      attended: parts.attended,
      profileOf: () => profile,
      samplingOf: () => parts.sampling,
      ...(custom && { customToolsets: custom }),
      ...(parts.hooks && { hooks: parts.hooks }),
      events: [],
      store,
      wrapAgent: (agent) => wrapAgent(agent),
      listener: {
        onEvent(event) {
          shown.onEvent?.(event);
          listener.onEvent?.(event);
          parts.activeChildren.changed();
        },
        onDelta: (delta) => listener.onDelta?.(delta),
        onRunning(running) {
          listener.onRunning?.(running);
          parts.activeChildren.changed();
        },
        onUnkept: (problem) => shown.onUnkept?.(problem),
        onFailure: (thrown) => shown.onFailure?.(thrown),
      },
    });
    const conversation: Conversation = opened.conversation;
    parts.activeChildren.add({ id, title: task.title, conversation, editPreview: opened.editPreview });
    return {
      id,
      conversation,
      model,
      surroundings,
      attended: parts.attended,
      trusted: true,
      customToolsets: custom ?? {},
      skills: environment.skills,
      added: environment.added,
      profile: (name) => (name === profile.name ? profile : parts.profile),
      stop: (reason) => conversation.stop(reason),
      async close() {
        parts.activeChildren.remove(id);
        await environment.dispose();
        await store.close();
      },
    };
  },
});
