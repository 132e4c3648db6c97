import type { Action, Asking, Assessment, EventOf } from '../../../protocol/events/event';
import type { Conversation } from '../../session/conversation';
import { openSession, type OpenedSession } from '../../session/openSession';
import type { ConversationListener } from '../../session/publication';
import { openQuestions, undecidedActions } from '../../log/openActions';
import { settingsOf } from '../../log/runSettings';
import type { History } from '../../log/projection';
import type { Surroundings } from '../../agent/prompt';
import { asksAlways, confirmationPolicies } from '../../risk/confirmation';
import type { Environment } from '../../ports/environment';
import type { Model } from '../../ports/model';
import type { Profile } from '../../ports/profile';
import type { Tool } from '../../ports/tool';
import { differences, type ReplayDifference, replaceFolder } from './compare';
import {
  addedToolNames,
  recordedActions,
  recordedModel,
  type RecordedAction,
  replayProfile,
  replayTools,
} from './recorded';
import type { ChildReport } from '../../../protocol/events/details';
import { notStartedReport, type Children } from '../../ports/children';

/** What a replay needs besides the recorded log. */
export interface ReplayParts {
  /** Where the actions run: by default, in a copy of the workspace. */
  readonly environment: Environment;
  readonly surroundings: Surroundings;
  /** Folder that the copy was made from. */
  readonly source: string;
  /**
   * Asks a person to allow an action that needs approval. If it resolves to false, the action is not replayed.
   * Approvals in the log do not count.
   */
  consent(action: Action, risk: Assessment): Promise<boolean>;
  readonly asking?: Asking;
  /**
   * True if this machine wrote the log exactly like this. For any other log, actions outside a sandbox need approval
   * from medium risk on.
   */
  readonly vouched: boolean;
  readonly listener?: ConversationListener;
  readonly signal?: AbortSignal;
  /**
   * Returns what a child session did for an action, and an environment with its own shell. Resolves to undefined if its
   * log does not exist.
   */
  child?(session: string, actionId: string): Promise<RecordedChild | undefined>;
}

/** The log of a subsession and where to play it. `vouched`: see `ReplayParts`. */
export interface RecordedChild {
  readonly history: History;
  readonly vouched: boolean;
  readonly environment: Environment;
  child?: ReplayParts['child'];
  dispose(): Promise<void>;
}

/** Result of replaying one action. */
export interface ReplayedAction {
  readonly step: number;
  readonly id: string;
  readonly summary: string;
  /**
   * `refused`: it needed approval and got none. `not_compared`: there is nothing to compare with; `why` gives the
   * reason.
   */
  readonly verdict: 'same' | 'differs' | 'refused' | 'not_compared';
  readonly differences: readonly ReplayDifference[];
  readonly why?: string;
  /** What child sessions did for it. */
  readonly children?: readonly {
    readonly session: string;
    readonly title: string;
    readonly actions: readonly ReplayedAction[];
  }[];
}

/** Besides dangerous actions, a replay asks about actions that reach beyond the copy. */
const always = ['network', 'outside'] as const;

/**
 * Repeats the tool calls of a log through the real loop and reports results that differ. No model is called. Actions
 * that were refused or stopped then are not run. Actions that are dangerous or reach beyond the workspace run only with
 * a new approval.
 */
export async function replayRun(recorded: History, parts: ReplayParts): Promise<ReplayedAction[]> {
  const { environment, source, signal } = parts;
  const settings = settingsOf(recorded);
  if (!settings) throw new Error('The log contains no task, so there is nothing to replay.');
  const origin = recorded.find((event) => event.type === 'task_started')?.origin;
  const folders = [settings.cwd, source].filter((folder) => folder.length > 1 && folder !== environment.root);
  const model = recordedModel(recorded, (words) =>
    folders.reduce((text, folder) => replaceFolder(text, folder, environment.root), words),
  );
  const profile = replayProfile(settings.profile, origin);
  const tools = replayTools(profile, settings, recorded);
  const children = new ReplayedChildren(recorded, parts);
  const session = openReplay({ model, profile, tools, children }, parts);
  await session.begin(`Replay: ${settings.title}`, model, {
    profile: profile.name,
    mode: 'confirm',
    confirmation: 'always',
    // The log contains the calls in Waymark's own form, whatever the model read.
    dialect: 'waymark',
    limits: { steps: 0, cost: 0, seconds: 0 },
    allowPatterns: [],
  });
  const { conversation } = session;
  const all = recordedActions(recorded);
  const refused = new Map<string, string>();
  const stop = (): void => void conversation.interrupt('The replay was stopped.');
  signal?.addEventListener('abort', stop, { once: true });
  try {
    let before = -1;
    while (model.repliesLeft > 0 && before !== conversation.history.length && !signal?.aborted) {
      before = conversation.history.length;
      conversation.resume();
      await untilDone(conversation, all, refused, parts);
    }
  } finally {
    signal?.removeEventListener('abort', stop);
  }
  const options = { folders: [settings.cwd, source, environment.root], foreign: origin !== undefined };
  const results = resultsIn(conversation.history);
  const added = addedToolNames(recorded);
  return all.map((each) => {
    const { id, tool, summary } = each.action;
    if (added.has(tool))
      return { step: each.step, id, summary, differences: [], verdict: 'not_compared', why: ofAddedTool };
    return withChildren(compareAction(each, results.get(id), refused.get(id), options), each, children.childrenOf(id));
  });
}

const ofAddedTool = 'Tools of MCP servers and extensions do not run in a replay.';

/** Opens an ordinary session that is not saved and whose model replays the recording. */
function openReplay(
  recorded: {
    readonly model: Model;
    readonly profile: Profile;
    readonly tools: readonly Tool[];
    readonly children: Children;
  },
  { environment, surroundings, listener }: ReplayParts,
): OpenedSession {
  const { model, profile, tools, children } = recorded;
  return openSession({
    model,
    environment,
    surroundings,
    children,
    exactTools: tools,
    profileOf: () => profile,
    trusted: true,
    attended: true,
    events: [],
    store: { append: (_event, settled) => settled(), durable: async () => undefined },
    ...(listener && { listener }),
  });
}

const resultsIn = (history: History): ReadonlyMap<string, EventOf<'observation'>> =>
  new Map(history.flatMap((event) => (event.type === 'observation' ? [[event.actionId, event] as const] : [])));

type ReplayedChild = NonNullable<ReplayedAction['children']>[number];

/**
 * Child sessions of recorded actions. They return their recorded reports, and their actions are replayed one after
 * another, because the order of parallel sessions is unknown.
 */
class ReplayedChildren implements Children {
  /** Reports that each action has not returned yet. */
  private readonly reports = new Map<string, ChildReport[]>();
  private readonly played = new Map<string, ReplayedChild[]>();
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    recorded: History,
    private readonly parts: ReplayParts,
  ) {
    for (const event of recorded)
      if (event.type === 'observation' && event.details?.kind === 'delegate')
        this.reports.set(event.actionId, [...event.details.children]);
  }

  /** Returns the replayed child sessions of an action. */
  childrenOf(actionId: string): readonly ReplayedChild[] {
    return this.played.get(actionId) ?? [];
  }

  readonly run: Children['run'] = async ({ title }, { actionId, started }) => {
    const report = this.takeReport(title, actionId);
    if (!report) return notStartedReport(title, 'The log does not contain its result.');
    if (report.session === '') return report;
    started(report.session);
    await (this.turn = this.turn.then(() => this.play(report.session, actionId)));
    return report;
  };

  /** Returns the report with that title, or else the first remaining one. */
  private takeReport(title: string, actionId: string): ChildReport | undefined {
    const left = this.reports.get(actionId) ?? [];
    const index = left.findIndex((each) => each.title === title);
    const [report] = left.splice(Math.max(0, index), 1);
    return report;
  }

  private async play(session: string, actionId: string): Promise<void> {
    const { child: childOf, ...others } = this.parts;
    const known = others.signal?.aborted ? undefined : await childOf?.(session, actionId);
    if (!known) return;
    try {
      const actions = await replayRun(known.history, {
        ...others,
        environment: known.environment,
        vouched: others.vouched && known.vouched,
        ...(known.child && { child: known.child }),
      });
      const title = settingsOf(known.history)?.title ?? '';
      this.played.set(actionId, [...this.childrenOf(actionId), { session, title, actions }]);
    } finally {
      await known.dispose();
    }
  }
}

/** Runs the session, handling approvals and questions, until it stops for another reason. */
async function untilDone(
  conversation: Conversation,
  all: readonly RecordedAction[],
  refused: Map<string, string>,
  { consent, asking = {}, signal, vouched, environment }: ReplayParts,
): Promise<void> {
  const byId = new Map(all.map((each) => [each.action.id, each]));
  const about = [...new Set([...always, ...(asking.about ?? [])])];
  const wantedFrom = asking.from ?? 'high';
  const from = vouched || wantedFrom === 'low' || (await environment.terminal.isConfined?.()) ? wantedFrom : 'medium';
  for (;;) {
    await conversation.rested();
    if (signal?.aborted) return;
    const [action] = undecidedActions(conversation.history);
    const [question] = openQuestions(conversation.history);
    if (action) {
      const why = whyNotReplayed(byId.get(action.id)?.observation);
      const { risk } = action;
      const asks = asksAlways(risk) || confirmationPolicies.risky(risk, { from, about }) === 'ask';
      const approved = why === undefined && (!asks || (await consent(action, risk)));
      if (!approved && why === undefined) refused.set(action.id, risk.reasons[0] ?? `Its risk is ${risk.level}.`);
      if (approved) conversation.approve(action.id);
      else conversation.refuse(action.id, { comment: why ?? 'It needs approval, and nobody gave it.' });
    } else if (question) {
      conversation.answer(
        question.actionId,
        byId.get(question.actionId)?.observation?.content ?? 'No answer is recorded.',
      );
    } else return;
  }
}

/** Returns the reason why an action is not replayed: it was not run, or not completed, when it was recorded. */
function whyNotReplayed(recorded: EventOf<'observation'> | undefined): string | undefined {
  if (!recorded) return 'The log does not contain its result.';
  if (recorded.outcome === 'rejected') return 'It was refused when it was recorded.';
  if (recorded.outcome === 'skipped') return 'It was not run when it was recorded.';
  return recorded.outcome === 'interrupted' || recorded.outcome === 'unknown'
    ? 'It was stopped when it was recorded, or its result is unknown.'
    : undefined;
}

function compareAction(
  { step, action, observation }: RecordedAction,
  now: EventOf<'observation'> | undefined,
  refusal: string | undefined,
  options: Parameters<typeof differences>[2],
): ReplayedAction {
  const entry = { step, id: action.id, summary: action.summary, differences: [] };
  const why = whyNotReplayed(observation) ?? (now ? undefined : 'The replay ended before this action.');
  if (refusal !== undefined) return { ...entry, verdict: 'refused', why: refusal };
  if (why !== undefined || !observation || !now) return { ...entry, verdict: 'not_compared', why: why! };
  const found = differences(observation, now, options);
  return { ...entry, verdict: found.length > 0 ? 'differs' : 'same', differences: found };
}

/** The report of a child session is taken from the log. The verdict is that of the replayed child session. */
function withChildren(
  action: ReplayedAction,
  { action: { effect }, observation }: RecordedAction,
  children: readonly ReplayedChild[],
): ReplayedAction {
  const wasNotDone = action.verdict === 'refused' || (action.verdict === 'not_compared' && children.length === 0);
  if (effect !== 'delegates' || wasNotDone) return action;
  const { why: _why, ...known } = action;
  const reports = observation?.details?.kind === 'delegate' ? observation.details.children : [];
  const began = reports.filter(({ session }) => session !== '');
  if (children.length === 0)
    return {
      ...known,
      verdict: 'not_compared',
      differences: [],
      why: 'Its result is taken from the log; the logs of its subsessions are missing, so they cannot be replayed.',
    };
  if (children.length < began.length || began.length === 0)
    return {
      ...known,
      verdict: 'not_compared',
      differences: [],
      why: 'Not all logs of its subsessions exist; their results are taken from the log.',
      children,
    };
  return { ...known, children, differences: [], verdict: worstVerdict(children) };
}

function worstVerdict(children: readonly ReplayedChild[]): ReplayedAction['verdict'] {
  const verdicts = new Set(children.flatMap(({ actions }) => actions.map(({ verdict }) => verdict)));
  if (verdicts.has('differs')) return 'differs';
  return verdicts.has('refused') ? 'refused' : 'same';
}
