import type { Action, Asking, Assessment, EventOf } from '../../../protocol/events/event';
import { assembleAgent, taskStarted } from '../../session/assemble';
import { Conversation } from '../../session/conversation';
import type { ConversationListener } from '../../session/publication';
import { openQuestions, settingsOf, undecidedActions, type History } from '../../log/history';
import type { Surroundings } from '../../agent/prompt';
import { asksAlways, confirmationPolicies } from '../../risk/confirmation';
import type { Environment } from '../../ports/environment';
import { differences, type Difference } from './compare';
import { replaceFolder } from './normalised';
import { recordedActions, recordedModel, type RecordedAction } from './recorded';
import { replayProfile, replayTools } from './replayTools';
import type { ChildReport } from '../../../protocol/events/details';
import { notRun, type Children } from '../../ports/children';

export interface ReplayParts {
  /** What the actions act on: a copy of the workspace, unless a person wants otherwise. */
  readonly environment: Environment;
  readonly surroundings: Surroundings;
  /** Where that copy was made from. */
  readonly source: string;
  /**
   * Whether a person lets an action run that needs consent. False: it is not
   * replayed. Consent in the log counts for nothing.
   */
  consent(action: Action, risk: Assessment): Promise<boolean>;
  readonly asking?: Asking;
  /**
   * Whether the log stands as this machine wrote it. Of any other, what is not confined to a
   * sandbox is asked about from medium risk on.
   */
  readonly vouched: boolean;
  readonly listener?: ConversationListener;
  readonly signal?: AbortSignal;
  /**
   * What a session did that worked for an action of the log, and a place like `environment` with a shell of its
   * own. Undefined where its log is not there.
   */
  child?(session: string, actionId: string): Promise<RecordedChild | undefined>;
}

export interface RecordedChild {
  readonly history: History;
  readonly vouched: boolean;
  readonly environment: Environment;
  child?: ReplayParts['child'];
  dispose(): Promise<void>;
}

/** What came of one action when it was done again. */
export interface ReplayedAction {
  readonly step: number;
  readonly id: string;
  readonly summary: string;
  /**
   * `refused`: it needs consent, which nobody gave. `not_compared`: there is nothing to compare with; `why` says it.
   */
  readonly verdict: 'same' | 'differs' | 'refused' | 'not_compared';
  readonly differences: readonly Difference[];
  readonly why?: string;
  /** What sessions did for it. */
  readonly children?: readonly {
    readonly session: string;
    readonly title: string;
    readonly actions: readonly ReplayedAction[];
  }[];
}

/** What is asked about here beside what is dangerous: what reaches beyond the copy. */
const always = ['network', 'outside'] as const;

/**
 * Does again what the replies of a log ask for, through the real loop, and tells where the results are others. No
 * model is asked. What a person refused or stopped then is not run; whatever is dangerous, or reaches beyond the
 * workspace, is run only with consent now.
 */
export async function replay(recorded: History, parts: ReplayParts): Promise<ReplayedAction[]> {
  const { environment, surroundings, source, listener, signal } = parts;
  const settings = settingsOf(recorded);
  if (!settings) throw new Error('The log holds no task, so there is nothing to replay.');
  const origin = recorded.find((event) => event.type === 'task_started')?.origin;
  const folders = [settings.cwd, source].filter((folder) => folder.length > 1 && folder !== environment.root);
  const model = recordedModel(recorded, (words) =>
    folders.reduce((text, folder) => replaceFolder(text, folder, environment.root), words),
  );
  const profile = replayProfile(settings.profile, origin);
  const tools = replayTools(profile, settings, recorded);
  const played = new Map<string, NonNullable<ReplayedAction['children']>[number][]>();
  const children = recordedChildren(recorded, async (session, actionId) => {
    const known = signal?.aborted ? undefined : await parts.child?.(session, actionId);
    if (!known) return;
    try {
      const { child, ...others } = parts;
      const actions = await replay(known.history, {
        ...others,
        environment: known.environment,
        vouched: parts.vouched && known.vouched,
        ...(known.child && { child: known.child }),
      });
      played.set(actionId, [
        ...(played.get(actionId) ?? []),
        { session, title: settingsOf(known.history)?.title ?? '', actions },
      ]);
    } finally {
      await known.dispose();
    }
  });
  const agent = assembleAgent({ profile, tools, model, environment, surroundings, children, attended: true });
  const conversation = new Conversation(
    agent,
    [],
    { append: (_event, settled) => settled(), durable: async () => undefined },
    listener,
  );
  const chosen = { mode: 'confirm', confirmation: 'always', limits: { steps: 0, cost: 0, seconds: 0 } } as const;
  (
    await taskStarted(
      `Replay: ${settings.title}`,
      { profile, model, tools, scripts: environment.scripts },
      surroundings,
      chosen,
    )
  ).forEach(conversation.append);
  const told = { folders: [settings.cwd, source, environment.root], foreign: origin !== undefined };
  const refused = new Map<string, string>();
  const all = recordedActions(recorded);
  const stop = (): void => void conversation.interrupt('The replay was stopped.');
  signal?.addEventListener('abort', stop, { once: true });
  try {
    for (let before = -1; model.left > 0 && before !== conversation.history.length && !signal?.aborted;) {
      before = conversation.history.length;
      conversation.resume();
      await untilDone(conversation, all, refused, parts);
    }
  } finally {
    signal?.removeEventListener('abort', stop);
  }
  const results = new Map(
    conversation.history.flatMap((event) => (event.type === 'observation' ? [[event.actionId, event] as const] : [])),
  );
  return all.map((each) =>
    withChildren(
      compared(each, results.get(each.action.id), refused.get(each.action.id), told),
      each,
      played.get(each.action.id) ?? [],
    ),
  );
}

/**
 * Sessions that did something for an action of a log: they report again what they reported then. `play` does again what
 * one did; one after another, because nobody knows who of those side by side was first.
 */
function recordedChildren(recorded: History, play: (session: string, actionId: string) => Promise<void>): Children {
  const reports = new Map<string, ChildReport[]>();
  for (const event of recorded)
    if (event.type === 'observation' && event.details?.kind === 'delegate')
      reports.set(event.actionId, [...event.details.children]);
  let turn: Promise<unknown> = Promise.resolve();
  return {
    async run({ title }, { actionId, started }) {
      const left = reports.get(actionId) ?? [];
      const [report] = left.splice(
        Math.max(
          0,
          left.findIndex((each) => each.title === title),
        ),
        1,
      );
      if (!report) return notRun(title, 'The log does not say what came of it.');
      if (report.session === '') return report;
      started(report.session);
      await (turn = turn.then(() => play(report.session, actionId)));
      return report;
    },
  };
}

/** Lets the run go on, deciding and answering what it waits for, until it rests for another reason. */
async function untilDone(
  conversation: Conversation,
  all: readonly RecordedAction[],
  refused: Map<string, string>,
  { consent, asking = {}, signal, vouched, environment }: ReplayParts,
): Promise<void> {
  const byId = new Map(all.map((each) => [each.action.id, each]));
  const about = [...new Set([...always, ...(asking.about ?? [])])];
  const given = asking.from ?? 'high';
  const from = vouched || given === 'low' || (await environment.terminal.confined?.()) ? given : 'medium';
  for (;;) {
    await conversation.rested();
    if (signal?.aborted) return;
    const [action] = undecidedActions(conversation.history);
    const [question] = openQuestions(conversation.history);
    if (action) {
      const why = notDone(byId.get(action.id)?.observation);
      const { risk } = action;
      const asks = asksAlways(risk) || confirmationPolicies.risky(risk, { from, about }) === 'ask';
      const approved = why === undefined && (!asks || (await consent(action, risk)));
      if (!approved && why === undefined) refused.set(action.id, risk.reasons[0] ?? `Its risk is ${risk.level}.`);
      conversation.decide(action.id, approved, approved ? undefined : (why ?? 'It needs consent, and nobody gave it.'));
    } else if (question) {
      conversation.answer(
        question.actionId,
        byId.get(question.actionId)?.observation?.content ?? 'No answer is recorded.',
      );
    } else return;
  }
}

/** Why an action is not done again: it was not done, or not to its end, when it was recorded. */
function notDone(recorded: EventOf<'observation'> | undefined): string | undefined {
  if (!recorded) return 'The log does not say what came of it.';
  if (recorded.outcome === 'rejected') return 'It was refused when it was recorded.';
  if (recorded.outcome === 'skipped') return 'It was not run when it was recorded.';
  return recorded.outcome === 'interrupted' || recorded.outcome === 'unknown'
    ? 'It was stopped when it was recorded, or its end is not known.'
    : undefined;
}

function compared(
  { step, action, observation }: RecordedAction,
  now: EventOf<'observation'> | undefined,
  refusal: string | undefined,
  told: Parameters<typeof differences>[2],
): ReplayedAction {
  const known = { step, id: action.id, summary: action.summary, differences: [] };
  const why = notDone(observation) ?? (now ? undefined : 'The replay ended before it.');
  if (refusal !== undefined) return { ...known, verdict: 'refused', why: refusal };
  if (why !== undefined || !observation || !now) return { ...known, verdict: 'not_compared', why: why! };
  const found = differences(observation, now, told);
  return { ...known, verdict: found.length > 0 ? 'differs' : 'same', differences: found };
}

/** What another session reported is taken from the log; whether it is so again is what that session did. */
function withChildren(
  action: ReplayedAction,
  { action: { effect }, observation }: RecordedAction,
  children: NonNullable<ReplayedAction['children']>,
): ReplayedAction {
  if (
    effect !== 'delegates' ||
    action.verdict === 'refused' ||
    (action.verdict === 'not_compared' && children.length === 0)
  )
    return action;
  const began =
    observation?.details?.kind === 'delegate'
      ? observation.details.children.filter(({ session }) => session !== '')
      : [];
  const { why: _why, ...known } = action;
  if (children.length < began.length || began.length === 0)
    return {
      ...known,
      verdict: 'not_compared',
      differences: [],
      why:
        children.length === 0
          ? 'What it came to is taken from the log; what other sessions did for it is not there to be done again.'
          : 'Not all sessions that worked for it are there; what they came to is taken from the log.',
      ...(children.length > 0 && { children }),
    };
  const verdicts = new Set(children.flatMap(({ actions }) => actions.map(({ verdict }) => verdict)));
  return {
    ...known,
    children,
    differences: [],
    verdict: verdicts.has('differs') ? 'differs' : verdicts.has('refused') ? 'refused' : 'same',
  };
}
