import type { ChildReport } from '../../protocol/events/details';
import type { Delta } from '../../protocol/panel/panel';
import type { Skill, Skills } from '../ports/skill';
import type { Agent } from '../agent/agent';
import { personaNamed } from '../skills/personaNamed';
import { narrowByPersona } from './narrowByPersona';
import { notStartedReport, type Children, type ChildTask } from '../ports/children';
import { childEvents, childLimits, childMode, type ChildSurroundings } from './childSettings';
import type { Conversation } from './conversation';
import type { ConversationListener } from './publication';
import { pendingActions, openQuestions, undecidedActions } from '../log/openActions';
import { settingsOf } from '../log/runSettings';
import { statusOf, waitsForPerson } from '../log/status';
import { type History, eventsOfType } from '../log/projection';
import { Interrupt, LimitExceeded } from '../agent/interrupt';
import { sessionSpending, taskSpending } from '../log/spending';
import { errorMessage } from '../text/errorMessage';
import { reachOf } from '../security/taint/taint';
import { resultSoFar } from '../log/agentResults';
import { truncate } from '../../protocol/plain/truncate';

/** A session opened for a child, with an empty log. */
interface OpenedChild extends ChildSurroundings {
  readonly id: string;
  readonly conversation: Conversation;
  /** True if a person can be asked for consent and answers. */
  readonly attended: boolean;
  /** Ends everything that runs or waits in it. */
  stop(reason: string): Promise<void>;
  /** Closes the session after its report, including its shell. */
  close(): Promise<void>;
}

/** Opens sessions for children, each with its own environment and log. */
export interface ChildSessions {
  /** Where to look for personas; undefined if there are none. */
  skills?(): Skills | undefined;
  /** Opens a session. Throws an `Error` with a message for people if the model or profile does not exist. */
  open(task: Pick<ChildTask, 'title' | 'model' | 'profile'>, work: ChildWork): Promise<OpenedChild>;
}

/** How the session of a child is connected to its parent. */
interface ChildWork {
  /** The parent's action that the child works for. */
  readonly actionId: string;
  readonly listener: ConversationListener;
  /** Wraps the agent of the session, to apply the parent's limits and changes of its settings. */
  wrapAgent(agent: Pick<Agent, 'step'>): Pick<Agent, 'step'>;
}

/** The session that starts child sessions. */
interface ParentSession {
  readonly session: string;
  history(): History;
  /** Reports the state of the children to people. */
  onDelta?(delta: Delta): void;
}

/** Creates the runner for the child sessions of one session. */
export function childRunner(parent: ParentSession, sessions: ChildSessions): Children {
  const costs = new ChildCosts(parent);
  return {
    async run(childTask, { actionId, signal, started }): Promise<ChildReport> {
      const watch = new ChildWatch();
      let child: OpenedChild;
      try {
        child = await startChild(childTask, { actionId, signal, watch, costs }, parent, sessions);
      } catch (thrown) {
        return notStartedReport(childTask.title, signal.aborted ? describeStop(signal.reason) : errorMessage(thrown));
      }
      const { id, conversation } = child;
      costs.add(actionId, conversation);
      const stop = (): void => void child.stop(describeStop(signal.reason)).finally(() => watch.end());
      try {
        started(id);
        watch.begin(child, (words) =>
          parent.onDelta?.({
            kind: 'child',
            actionId,
            session: id,
            title: childTask.title,
            status: statusOf(conversation.savedHistory),
            words,
          }),
        );
        signal.addEventListener('abort', stop, { once: true });
        if (signal.aborted) stop();
        else conversation.wake();
        await watch.ended;
        return childReport(id, childTask.title, conversation.history);
      } finally {
        signal.removeEventListener('abort', stop);
        await child.close();
      }
    },
  };
}

/** What opening a child needs to know about the action that started it. */
interface ChildStart {
  readonly actionId: string;
  readonly signal: AbortSignal;
  readonly watch: ChildWatch;
  readonly costs: ChildCosts;
}

/** Opens the session of a child and writes its first events. Throws an `Error` with a message for people. */
async function startChild(
  childTask: ChildTask,
  { actionId, signal, watch, costs }: ChildStart,
  parent: ParentSession,
  sessions: ChildSessions,
): Promise<OpenedChild> {
  let follow = (): void => undefined;
  const wrapAgent = (agent: Pick<Agent, 'step'>): Pick<Agent, 'step'> => ({
    step(context) {
      follow();
      if (pendingActions(context.history).length === 0) costs.check();
      return agent.step(context);
    },
  });
  signal.throwIfAborted();
  const limits = childLimits(childTask.limits, parent.history(), costs.unreportedCost());
  const persona =
    childTask.persona === undefined
      ? undefined
      : await personaNamed(childTask.persona, sessions.skills?.(), settingsOf(parent.history())!.model.name);
  const task = withPersonaDefaults(childTask, persona);
  const child: OpenedChild = await sessions.open(task, { actionId, listener: watch, wrapAgent });
  follow = following(parent, child.conversation, persona);
  try {
    const from = { session: parent.session, actionId, history: parent.history() };
    (await childEvents(task, limits, from, { ...child, persona })).forEach(child.conversation.append);
  } catch (thrown) {
    await child.close();
    throw thrown;
  }
  return child;
}

/** What the children of a session cost, in US dollars. */
class ChildCosts {
  private running: { readonly actionId: string; cost(): number }[] = [];

  constructor(private readonly parent: ParentSession) {}

  add(actionId: string, conversation: Conversation): void {
    this.running.push({ actionId, cost: () => sessionSpending(conversation.history).usage.cost ?? 0 });
  }

  /** Returns the cost of children that is not in the parent's log yet. */
  unreportedCost(): number {
    const open = new Set(pendingActions(this.parent.history()).map(({ id }) => id));
    this.running = this.running.filter(({ actionId }) => open.has(actionId));
    return this.running.reduce((sum, { cost }) => sum + cost(), 0);
  }

  /** Throws if the parent and its children together have reached the parent's cost limit. */
  check(): void {
    const history = this.parent.history();
    const most = settingsOf(history)!.limits.cost;
    if (most > 0 && (taskSpending(history).usage.cost ?? 0) + this.unreportedCost() >= most)
      throw new LimitExceeded('cost', `The limit of $${most} for this task and its sub-agents is reached.`);
  }
}

/** Returns a function that applies changes of the parent's settings to a running child, from its next half step on. */
function following(parent: ParentSession, child: Conversation, persona: Skill | undefined): () => void {
  let { mode, confirmation, asking } = settingsOf(parent.history())!;
  return () => {
    const now = settingsOf(parent.history())!;
    if (now.mode !== mode || now.confirmation !== confirmation) {
      const chosen = { mode: childMode(now.mode), confirmation: now.confirmation, limits: now.limits };
      const own = persona ? narrowByPersona(persona, chosen, []) : chosen;
      const current = settingsOf(child.history)!.confirmation;
      if (persona || now.mode !== mode) child.setMode(own.mode);
      if ((persona || now.confirmation !== confirmation) && own.confirmation !== current)
        child.append({ type: 'settings_changed', confirmation: own.confirmation });
    }
    if (now.asking && now.asking !== asking) child.append({ type: 'settings_changed', asking: now.asking });
    ({ mode, confirmation, asking } = now);
  };
}

/** Fills in the persona's model and profile if the task does not name them. */
const withPersonaDefaults = (task: ChildTask, persona: Skill | undefined): ChildTask => {
  const { model = persona?.persona?.model, profile = persona?.persona?.profile } = task;
  return { ...task, ...(model !== undefined && { model }), ...(profile !== undefined && { profile }) };
};

function describeStop(reason: unknown): string {
  if (reason instanceof Interrupt)
    return (
      reason.events.flatMap((event) => (event.type === 'finished' ? [event.summary] : [])).join(' ') ||
      'Its parent task has ended.'
    );
  return typeof reason === 'string' ? reason : 'Its parent task was stopped.';
}

/** Listens to a child until it ends. A child that waits for a person or was paused by one has not ended. */
class ChildWatch implements ConversationListener {
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
    this.tell(currentActivity(this.child.conversation.savedHistory));
    this.endIfAtRest();
  }

  onRunning(): void {
    this.endIfAtRest();
  }

  /** Deferred by a microtask: the code that appends an end may resume the session right after. */
  private endIfAtRest(): void {
    queueMicrotask(() => {
      const { child } = this;
      if (!child || child.conversation.running) return;
      const { history } = child.conversation;
      const status = statusOf(history);
      if (status === 'idle' || status === 'finished') this.end();
      else if (!child.attended && waitsForPerson(history))
        void child.stop(`It needs approval or an answer, and nobody can be asked here: ${currentActivity(history)}.`);
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

/** Creates the report of a child session from its log. If it did not finish, includes what it has so far. */
export function childReport(session: string, title: string, history: History): ChildReport {
  const { steps, seconds, usage } = sessionSpending(history);
  const { untrusted, secret } = reachOf(history) ?? {};
  return {
    session,
    title,
    ...outcomeOf(history),
    steps,
    seconds: Math.round(seconds * 10) / 10,
    usage,
    ...(untrusted && { untrusted }),
    ...(secret && { secret }),
  };
}

function outcomeOf(history: History): Pick<ChildReport, 'status' | 'summary'> {
  const status = statusOf(history);
  if (status === 'idle') return { status: 'answered', summary: lastWords(history) };
  const end = history.findLast((event) => event.type === 'finished');
  if (status !== 'finished' || !end) return { status: 'stopped', summary: resultSoFar(history) };
  if (end.status === 'submitted') return { status: 'submitted', summary: end.summary.trim() || lastWords(history) };
  if (end.status === 'stopped') return { status: 'stopped', summary: end.summary };
  const why = end.problem ? [end.problem.what, end.problem.why].join(' ') : end.summary;
  return { status: end.status, summary: `${why} ${resultSoFar(history)}` };
}

const lastWords = (history: History): string =>
  eventsOfType(history, 'agent_response')
    .findLast(({ text }) => text.trim() !== '')
    ?.text.trim() ?? 'It ended without a report.';

/** Describes briefly what the session is doing or waiting for. */
function currentActivity(history: History): string {
  const [asked] = undecidedActions(history);
  if (asked) return asked.summary;
  const [question] = openQuestions(history);
  if (question) return question.question;
  const [action] = pendingActions(history);
  if (action) return action.summary;
  const last = history.findLast((event) => event.type === 'agent_response' || event.type === 'finished');
  if (!last) return '';
  const words = last.type === 'finished' ? last.summary : last.text;
  return truncate(words.trim().split('\n', 1)[0]!, 120);
}
