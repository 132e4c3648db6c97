import path from 'node:path';
import { openEventLog } from '../../../src/adapters/log/eventLog';
import { surroundingsOf } from '../../../src/adapters/sessions/surroundings';
import type { Agent } from '../../../src/core/agent/agent';
import { childRunner, type ChildSessions } from '../../../src/core/session/childRuns';
import { Conversation } from '../../../src/core/session/conversation';
import type { ConversationListener } from '../../../src/core/session/publication';
import type { Surroundings } from '../../../src/core/agent/prompt';
import { sessionAgent, type SessionAgentParts } from '../../../src/core/session/sessionAgent';
import type { Model } from '../../../src/core/ports/model';
import type { Profile } from '../../../src/core/ports/profile';
import type { Event } from '../../../src/protocol/events/event';
import type { Place, World } from './world';

interface Shared {
  readonly place: Place;
  readonly model: Model;
  readonly attended: boolean;
  readonly named: (profile: string) => Profile;
  readonly parts: Partial<SessionAgentParts>;
}

interface Session {
  readonly id: string;
  readonly conversation: Conversation;
  /** Path of the log. */ readonly file: string;
}

/** A session and its subsessions, each with its own log, in one place and with one model. */
export class Family {
  readonly sessions: Session[] = [];
  readonly surroundings: Surroundings;
  readonly #opener: ChildSessions;

  constructor(
    private readonly world: World,
    private readonly shared: Shared,
  ) {
    const { place, model, attended, named } = shared;
    this.surroundings = surroundingsOf({ root: place.workspace.root, shell: 'bash' });
    this.#opener = {
      open: async (_task, { listener, wrapAgent }) => {
        const { id, conversation } = this.open([], listener, wrapAgent);
        return {
          id,
          conversation,
          model,
          attended,
          trusted: true,
          customToolsets: {},
          profile: named,
          surroundings: this.surroundings,
          stop: (reason) => conversation.stop(reason),
          close: async () => undefined,
        };
      },
    };
  }

  open(
    saved: readonly Event[],
    listener: ConversationListener,
    wrapAgent: (agent: Pick<Agent, 'step'>) => Pick<Agent, 'step'> = (agent) => agent,
  ): Session {
    const {
      place: { workspace, environment },
      model,
      attended,
      named,
      parts,
    } = this.shared;
    const id = `session-${this.sessions.length}`;
    const file = path.join(workspace.root, '..', `${crypto.randomUUID()}.jsonl`);
    const { store, problem } = openEventLog(file);
    if (!store) throw new Error(problem);
    this.world.after(() => store.close());
    const children = childRunner({ session: id, history: () => conversation.history }, this.#opener);
    const agent = sessionAgent({
      model,
      environment,
      surroundings: this.surroundings,
      trusted: true,
      attended,
      profile: named,
      children,
      ...parts,
    });
    const conversation: Conversation = new Conversation(
      { ...agent, ...wrapAgent(agent) },
      { events: saved, store },
      listener,
    );
    this.world.after(() => conversation.stop());
    const session = { id, conversation, file };
    this.sessions.push(session);
    return session;
  }
}
