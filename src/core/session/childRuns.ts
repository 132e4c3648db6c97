import type { ChildReport } from '../../protocol/events/details';
import type { Delta } from '../../protocol/panel/panel';
import type { Skill } from '../ports/skill';
import type { Skills } from '../ports/environment';
import type { Agent } from '../agent/agent';
import { narrowByPersona, personaNamed } from './narrowByPersona';
import { childReport, doingNow } from './childReport';
import { notRun, type Children, type ChildTask } from '../ports/children';
import { childEvents, childLimits, modeOf, type ChildSurroundings } from './childSettings';
import type { Conversation } from './conversation';
import type { ConversationListener } from './publication';
import { pendingActions, settingsOf, statusOf, type History } from '../log/history';
import { Interrupt, LimitExceeded } from '../agent/interrupt';
import { spentBy, spentOnTask } from '../log/spending';

/** A session that was begun for a child and holds no events yet. */
export interface OpenedChild extends ChildSurroundings {
  readonly id: string;
  readonly conversation: Conversation;
  /** Whether a person can be asked for consent and answers. */
  readonly attended: boolean;
  /** Ends what runs and waits in it. */
  stop(reason: string): Promise<void>;
  /** It has reported: its shell can end. */
  close(): Promise<void>;
}

/** Opens sessions for children, each with an environment and a log of its own. */
export interface ChildSessions {
  /** Where to look for personas; absent if there are none. */
  skills?(): Skills | undefined;
  /**
   * Throws an `Error` in words where there is no such model or profile. `within`
   * has to be put around the session's agent. `actionId`: the action that it works for.
   */
  open(
    task: Pick<ChildTask, 'title' | 'model' | 'profile'>,
    listener: ConversationListener,
    within: (agent: Pick<Agent, 'step'>) => Pick<Agent, 'step'>,
    actionId: string,
  ): Promise<OpenedChild>;
}

export interface ChildrenOf {
  readonly session: string;
  history(): History;
  /** Shows people the state of the children. */
  onDelta?(delta: Delta): void;
}

interface Member {
  readonly actionId: string;
  cost(): number;
}

/** The sessions that work for one session. */
export function childrenOf(parent: ChildrenOf, sessions: ChildSessions): Children {
  let members: Member[] = [];
  /** What children used that the parent's log does not hold yet. */
  const unreported = (): number => {
    const open = new Set(pendingActions(parent.history()).map(({ id }) => id));
    members = members.filter(({ actionId }) => open.has(actionId));
    return members.reduce((sum, { cost }) => sum + cost(), 0);
  };
  /** The parent's limit holds for all of them together, however many run side by side. */
  const checkCost = (): void => {
    const most = settingsOf(parent.history())!.limits.cost;
    if (most > 0 && (spentOnTask(parent.history()).usage.cost ?? 0) + unreported() >= most)
      throw new LimitExceeded('cost', `The limit of $${most} for this task and all that work on it is reached.`);
  };
  /** What a person chooses for the parent while a child works holds for the child from its next half of a step on. */
  const following = (child: () => Conversation, persona: () => Skill | undefined): (() => void) => {
    let { mode, confirmation, asking } = settingsOf(parent.history())!;
    return () => {
      const now = settingsOf(parent.history())!;
      if (now.mode !== mode || now.confirmation !== confirmation) {
        const chosen = { mode: modeOf(now.mode), confirmation: now.confirmation, limits: now.limits };
        const [as, known] = [persona(), settingsOf(child().history)!];
        const own = as ? narrowByPersona(as, chosen, []) : chosen;
        if (as || now.mode !== mode) child().setMode(own.mode);
        if ((as || now.confirmation !== confirmation) && own.confirmation !== known.confirmation)
          child().append({ type: 'settings_changed', confirmation: own.confirmation });
      }
      if (now.asking && now.asking !== asking) child().append({ type: 'settings_changed', asking: now.asking });
      ({ mode, confirmation, asking } = now);
    };
  };

  return {
    async run(given, { actionId, signal, started }): Promise<ChildReport> {
      const watch = new Watch();
      let child: OpenedChild;
      let persona: Skill | undefined;
      const follow = following(
        () => child.conversation,
        () => persona,
      );
      const within = (agent: Pick<Agent, 'step'>): Pick<Agent, 'step'> => ({
        step(context) {
          follow();
          if (pendingActions(context.history).length === 0) checkCost();
          return agent.step(context);
        },
      });
      try {
        signal.throwIfAborted();
        const limits = childLimits(given.limits, parent.history(), unreported());
        persona =
          given.persona === undefined
            ? undefined
            : await personaNamed(given.persona, sessions.skills?.(), settingsOf(parent.history())!.model.name);
        const task = asWanted(given, persona);
        child = await sessions.open(task, watch, within, actionId);
        try {
          (
            await childEvents(
              task,
              limits,
              { session: parent.session, actionId, history: parent.history() },
              { ...child, persona },
            )
          ).forEach(child.conversation.append);
        } catch (thrown) {
          await child.close();
          throw thrown;
        }
      } catch (thrown) {
        return notRun(
          given.title,
          signal.aborted ? wordsOf(signal.reason) : thrown instanceof Error ? thrown.message : String(thrown),
        );
      }
      const { id, conversation } = child;
      members.push({ actionId, cost: () => spentBy(conversation.history).usage.cost ?? 0 });
      const stop = (): void => void child.stop(wordsOf(signal.reason)).finally(() => watch.end());
      try {
        started(id);
        watch.begin(child, (words) =>
          parent.onDelta?.({
            kind: 'child',
            actionId,
            session: id,
            title: given.title,
            status: statusOf(conversation.savedHistory),
            words,
          }),
        );
        signal.addEventListener('abort', stop, { once: true });
        if (signal.aborted) stop();
        else conversation.wake();
        await watch.ended;
        return childReport(id, given.title, conversation.history);
      } finally {
        signal.removeEventListener('abort', stop);
        await child.close();
      }
    },
  };
}

/** Model and way of working of its persona, where the task itself names none. */
const asWanted = (task: ChildTask, persona: Skill | undefined): ChildTask => {
  const { model = persona?.persona?.model, profile = persona?.persona?.profile } = task;
  return { ...task, ...(model !== undefined && { model }), ...(profile !== undefined && { profile }) };
};

function wordsOf(reason: unknown): string {
  if (reason instanceof Interrupt)
    return (
      reason.events.flatMap((event) => (event.type === 'finished' ? [event.summary] : [])).join(' ') ||
      'The task it works for has ended.'
    );
  return typeof reason === 'string' ? reason : 'The task it works for was stopped.';
}

/** Listens to a child until it has come to its end. One that waits for a person, or was paused by one, has not. */
class Watch implements ConversationListener {
  private child: OpenedChild | undefined;
  private tell: (words: string) => void = () => undefined;
  readonly end: () => void;
  readonly ended: Promise<void>;

  constructor() {
    const { promise, resolve } = deferred();
    this.ended = promise;
    this.end = resolve;
  }

  begin(child: OpenedChild, tell: (words: string) => void): void {
    this.child = child;
    this.tell = tell;
  }

  onEvent(): void {
    if (!this.child) return;
    this.tell(doingNow(this.child.conversation.savedHistory));
    this.endIfAtRest();
  }

  onRunning(): void {
    this.endIfAtRest();
  }

  /** A moment later: whoever appends an end may let it go on in the same breath. */
  private endIfAtRest(): void {
    queueMicrotask(() => {
      const { child } = this;
      if (!child || child.conversation.running) return;
      const status = statusOf(child.conversation.history);
      if (status === 'idle' || status === 'finished') this.end();
      else if (!child.attended && (status === 'waiting_for_confirmation' || status === 'waiting_for_answer'))
        void child.stop(
          `It needs consent or an answer, and nobody can be asked here: ${doingNow(child.conversation.history)}.`,
        );
    });
  }
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
