import { Agent } from '../../../src/core/agent/agent';
import type { AgentParts } from '../../../src/core/agent/agentParts';
import { childRunner, type ChildSessions } from '../../../src/core/session/childRuns';
import { maxSessionDepth, depthOf } from '../../../src/core/session/childSettings';
import type { Children } from '../../../src/core/ports/children';
import { Conversation } from '../../../src/core/session/conversation';
import type { ConversationListener } from '../../../src/core/session/publication';
import { settingsOf } from '../../../src/core/log/runSettings';
import type { Model, ModelReply, ModelRequest } from '../../../src/core/ports/model';
import { profileNamed } from '../../../src/core/profiles/profiles';
import type { Skills } from '../../../src/core/ports/skill';
import type { Tool } from '../../../src/core/ports/tool';
import type { NewEvent } from '../../../src/protocol/events/event';
import type { Delta } from '../../../src/protocol/panel/panel';
import { partsFor, task, tools } from '../agent/story';
import { logInMemory } from '../../support/eventLogs';

/** In-memory sessions that start subsessions: the same parts as in the programs, without shells and files. */

type Answer = (task: string, request: ModelRequest, signal: AbortSignal) => ModelReply | Promise<ModelReply>;

/** True for the task of the session that starts the others. */
export const isParentTask = (text: string): boolean => text === 'Do it.';

/** A model that answers each session by its task, the first message. */
export function answering(answer: Answer): Model & { requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  return {
    requests,
    info: { name: 'story', provider: 'test', contextWindow: 1000, scripted: true },
    async complete(request, signal) {
      requests.push(
        structuredClone({
          messages: request.messages,
          tools: request.tools.map(({ name, description }) => ({ name, description, parameters: {} })),
        }),
      );
      const first = request.messages.find(({ role }) => role === 'user')!;
      return answer(typeof first.content === 'string' ? first.content : JSON.stringify(first.content), request, signal);
    },
  };
}

/**
 * A model that gives the replies of `parent` to the parent, one after another, and those of `child` to each subsession.
 * The last reply of a list is repeated.
 */
export function answeringInTurn({
  parent,
  child,
}: {
  readonly parent: readonly ModelReply[];
  readonly child: readonly ModelReply[] | Answer;
}): Model & { requests: ModelRequest[] } {
  const next = (replies: readonly ModelReply[], request: ModelRequest): ModelReply =>
    replies[Math.min(repliesIn(request), replies.length - 1)]!;
  return answering((text, request, signal) => {
    if (isParentTask(text)) return next(parent, request);
    return typeof child === 'function' ? child(text, request, signal) : next(child, request);
  });
}

/** Number of model replies in this conversation. */
export const repliesIn = ({ messages }: ModelRequest): number =>
  messages.filter(({ role }) => role === 'assistant').length;

interface Given {
  readonly first?: Partial<Extract<NewEvent, { type: 'task_started' }>>;
  readonly parts?: Partial<AgentParts>;
  readonly attended?: boolean;
  readonly skills?: Skills;
  readonly listener?: ConversationListener;
}

export function family(
  model: Model,
  delegating: readonly Tool[],
  { first = {}, parts = {}, attended = true, listener = {}, skills }: Given = {},
) {
  const sessions = new Map<string, Conversation>();
  const deltas: Delta[] = [];
  const closed: string[] = [];
  const all = [...tools, ...delegating];
  const agentFor = (conversation: () => Conversation, id: string): Pick<Agent, 'step'> => ({
    step(context) {
      const { disabledToolsets = [] } = settingsOf(context.history)!;
      const known = id === 'root' ? all : all.filter(({ name }) => !disabledToolsets.includes(name));
      const children = depthOf(context.history) < maxSessionDepth ? childrenFor(id, conversation) : undefined;
      return new Agent({ ...partsFor(model), tools: known, ...parts, ...(children && { children }) }).step(context);
    },
  });
  const made = new Map<string, Children>();
  const childrenFor = (session: string, conversation: () => Conversation): Children => {
    if (!made.has(session))
      made.set(
        session,
        childRunner(
          { session, history: () => conversation().history, onDelta: (delta) => void deltas.push(delta) },
          opener,
        ),
      );
    return made.get(session)!;
  };
  const opener: ChildSessions = {
    ...(skills && { skills: () => skills }),
    async open({ model: wanted }, { listener, wrapAgent }) {
      if (wanted !== undefined) throw new Error(`There is no model named ${wanted}.`);
      const id = `child-${sessions.size}`;
      const conversation: Conversation = new Conversation(
        wrapAgent(agentFor(() => conversation, id)),
        logInMemory(),
        listener,
      );
      sessions.set(id, conversation);
      return {
        id,
        conversation,
        model,
        attended,
        trusted: true,
        customToolsets: {},
        profile: profileNamed,
        surroundings: { root: '/', otherFolders: [], platform: 'test', shell: 'sh', mayAct: true },
        stop: (reason) => conversation.stop(reason),
        close: async () => void closed.push(id),
      };
    },
  };
  const root: Conversation = new Conversation(
    agentFor(() => root, 'root'),
    logInMemory(),
    listener,
  );
  sessions.set('root', root);
  root.append({ ...task, ...first } as NewEvent);
  return {
    root,
    sessions,
    deltas,
    closed,
    async go() {
      root.wake();
      await root.rested();
      return root;
    },
  };
}
