import { isQuietFeedback, voidsConsent, sameRule } from './eventFacts';
import type {
  Action,
  AddedTool,
  AllowRule,
  Asking,
  ConfirmationMode,
  Event,
  EventOf,
  Limits,
  Mode,
  ModelInfo,
  RunPlace,
  SessionContainer,
} from '../../protocol/events/event';
import type { Status } from '../../protocol/panel/panel';
import { waitingAfter, type WaitingMessage } from '../../protocol/plain/waitingMessages';
import { projection, type History, type Question } from './projection';

export type { History } from './projection';

/** What is still open: actions without an observation, in call order, and what was asked and decided about them. */
interface Ledger {
  readonly pending: Map<string, Action>;
  readonly started: Set<string>;
  /** By id, the hash that the question carries; "" in logs of earlier versions. */
  readonly asked: Map<string, string>;
  /** By id, where the question says that a command will run. */
  readonly places: Map<string, RunPlace>;
  readonly questions: Map<string, EventOf<'question_asked'>>;
  readonly decisions: Map<string, EventOf<'confirmation_resolved'>>;
}

const ledgerOf = projection<Ledger>(
  () => ({
    pending: new Map(),
    started: new Set(),
    asked: new Map(),
    places: new Map(),
    questions: new Map(),
    decisions: new Map(),
  }),
  (ledger, event) => {
    switch (event.type) {
      case 'agent_response':
        for (const action of event.actions) ledger.pending.set(action.id, action);
        if (event.instead !== undefined) moveBehind(event.instead, event.actions, ledger.pending);
        break;
      case 'action_started':
        ledger.started.add(event.actionId);
        break;
      case 'confirmation_requested':
        for (const id of event.actionIds) {
          ledger.asked.set(id, event.hashes?.[id] ?? '');
          const place = event.places?.[id];
          if (place) ledger.places.set(id, place);
          else ledger.places.delete(id);
          ledger.decisions.delete(id);
          // The action in question has not begun, and its risk is the current one.
          ledger.started.delete(id);
          const [action, risk] = [ledger.pending.get(id), event.risks?.[id]];
          if (action && risk) ledger.pending.set(id, { ...action, risk });
        }
        break;
      case 'confirmation_resolved':
        for (const id of event.actionIds) {
          ledger.asked.delete(id);
          ledger.decisions.set(id, event);
        }
        break;
      case 'question_asked':
        ledger.questions.set(event.actionId, event);
        break;
      case 'notice':
        if (voidsConsent(event)) for (const part of [ledger.asked, ledger.decisions]) part.clear();
        break;
      case 'observation':
        for (const part of [
          ledger.pending,
          ledger.started,
          ledger.asked,
          ledger.places,
          ledger.questions,
          ledger.decisions,
        ])
          part.delete(event.actionId);
        break;
    }
  },
);

/** Puts actions right after another one, which they replace. */
function moveBehind(place: string, moved: readonly Action[], pending: Map<string, Action>): void {
  const ids = [...pending.keys()];
  const own = new Set(moved.map(({ id }) => id));
  const later = ids.slice(ids.indexOf(place) + 1).filter((id) => !own.has(id));
  for (const id of later) {
    const action = pending.get(id)!;
    pending.delete(id);
    pending.set(id, action);
  }
}

/** Actions that have no observation yet, in call order. */
export const pendingActions = (history: History): Action[] => [...ledgerOf(history).pending.values()];

/** Pending actions that began: whether they took effect is unknown until they report. */
export const startedActions = (history: History): Action[] =>
  pendingActions(history).filter((action) => ledgerOf(history).started.has(action.id));

/** The ids of all actions that began. */
export const begunActions = (history: History): ReadonlySet<string> =>
  new Set(history.flatMap((event) => (event.type === 'action_started' ? [event.actionId] : [])));

/** Pending actions that a person was asked about and has not decided. */
export const undecidedActions = (history: History): Action[] =>
  pendingActions(history).filter((action) => ledgerOf(history).asked.has(action.id));

/** The hash of what a person is asked about an action; "" where it has none, undefined where nothing is asked. */
export const askedHash = (actionId: string, history: History): string | undefined =>
  ledgerOf(history).asked.get(actionId);

/** Where the question says that the command will run; undefined where it says nothing of that. */
export const askedPlace = (actionId: string, history: History): RunPlace | undefined =>
  ledgerOf(history).places.get(actionId);

export const openQuestions = (history: History): EventOf<'question_asked'>[] => [
  ...ledgerOf(history).questions.values(),
];

/** The decision about a pending action. Consent is about one action; it is gone with it. */
export const decisionOn = (actionId: string, history: History): EventOf<'confirmation_resolved'> | undefined =>
  ledgerOf(history).decisions.get(actionId);

interface Rest {
  rest: 'empty' | 'ready' | 'idle' | 'paused' | 'finished';
  /** The words of the user that no reply has read. */
  unread: number[];
  /** How it rested when the conversation was to be made shorter; it rests so again when that is done. */
  before?: Rest['rest'] | undefined;
  /** How it rested before these words, where they alone make it go on; it rests so again when they are taken back. */
  unasked?: Rest['rest'] | undefined;
}

const restOf = projection<Rest>(
  () => ({ rest: 'empty', unread: [] }),
  (state, event) => {
    switch (event.type) {
      case 'user_message':
        state.unread.push(event.seq);
        if (state.rest !== 'ready') state.unasked = state.rest;
        state.rest = 'ready';
        state.before = undefined;
        return;
      case 'message_changed':
        if (event.change === 'moved') return;
        state.unread = state.unread.filter((seq) => seq !== event.message);
        if (state.unread.length > 0 || state.unasked === undefined) return;
        state.rest = state.unasked;
        break;
      case 'agent_response': {
        state.unread = state.unread.filter((seq) => seq >= event.readUpTo);
        const goesOn = event.actions.length > 0 || event.by === 'person' || event.finishReason === 'interrupted';
        state.unasked = goesOn || state.unread.length === 0 ? undefined : 'idle';
        state.rest = goesOn || state.unread.length > 0 ? 'ready' : 'idle';
        return;
      }
      case 'feedback':
        if (isQuietFeedback(event)) return;
        state.rest = 'ready';
        break;
      case 'resumed':
        state.rest = 'ready';
        state.before = undefined;
        break;
      case 'task_started':
      case 'confirmation_resolved':
        state.rest = 'ready';
        break;
      case 'condensation_requested':
        if (state.rest !== 'ready') state.before = state.rest;
        state.rest = 'ready';
        break;
      case 'condensation':
        state.rest = state.before ?? state.rest;
        state.before = undefined;
        return;
      case 'paused':
      case 'finished':
        state.rest = event.type;
        break;
      default:
        return;
    }
    state.unasked = undefined;
  },
);

/** Whether the run handed in its work and nothing was asked of it since. */
export function isSubmitted(history: History): boolean {
  const end = statusOf(history) === 'finished' ? history.findLast((event) => event.type === 'finished') : undefined;
  return end?.status === 'submitted';
}

interface Typing {
  mode: Mode;
  commands: EventOf<'user_message'>[];
}

const typingOf = projection<Typing>(
  () => ({ mode: 'confirm', commands: [] }),
  (state, event) => {
    switch (event.type) {
      case 'task_started':
      case 'settings_changed':
        if (event.mode === undefined || event.mode === state.mode) break;
        return { mode: event.mode, commands: [] };
      case 'user_message':
        if (state.mode === 'human') state.commands.push(event);
        break;
      case 'message_changed':
        if (event.change !== 'moved') state.commands = state.commands.filter(({ seq }) => seq !== event.message);
        break;
      case 'agent_response':
        if (event.by === 'person') state.commands = state.commands.filter(({ seq }) => seq >= event.readUpTo);
        break;
    }
    return undefined;
  },
);

/** In human mode: what a person typed that was not run yet. Words from before that mode are no commands. */
export const typedCommands = (history: History): readonly EventOf<'user_message'>[] => typingOf(history).commands;

/** Messages of a person that no reply has read, in the order in which they will be read. */
export const waitingMessages: (history: History) => readonly WaitingMessage[] = projection<readonly WaitingMessage[]>(
  () => [],
  waitingAfter,
);

/** Whether a person said something that no reply has read. */
export function hasUnreadWords(history: History): boolean {
  return restOf(history).unread.length > 0;
}

/** The state of a run: computed from its events, never a flag. */
export function statusOf(history: History): Status {
  const { rest } = restOf(history);
  if (rest !== 'ready') return rest;
  const { asked, questions, pending } = ledgerOf(history);
  if (asked.size > 0) return 'waiting_for_confirmation';
  if (questions.size > 0) return 'waiting_for_answer';
  // A person who acts is not hurried: the run rests until something was typed.
  const { mode, commands } = typingOf(history);
  return mode === 'human' && pending.size === 0 && commands.length === 0 ? 'idle' : 'ready';
}

const requested = projection<{ open: boolean }>(
  () => ({ open: false }),
  (state, { type }) => {
    if (type === 'condensation_requested') state.open = true;
    else if (type === 'condensation') state.open = false;
  },
);

export const condensationIsRequested = (history: History): boolean => requested(history).open;

/** The settings a run goes by: those it began with and what was changed since. */
export interface RunSettings {
  model: ModelInfo;
  mode: Mode;
  confirmation: ConfirmationMode;
  limits: Limits;
  title: string;
  cwd: string;
  profile: string;
  /** In which tools are offered, by name; Waymark's own when absent. */ dialect?: string;
  toolsets?: readonly string[];
  disabledToolsets?: readonly string[];
  asking?: Asking;
  /** Whether there are skills that the model can ask for. */ offersSkills?: boolean;
  /** Where commands run; absent: on this machine. */ container?: SessionContainer;
  /** What others give. */ addedTools?: readonly AddedTool[];
  /** Set for who works for another or as a persona: names of what others gave at the beginning, for no new powers come later. */ keepsTools?: readonly string[];
}

const settings = projection<RunSettings | undefined>(
  () => undefined,
  (state, event) => {
    if (event.type === 'task_started') {
      const {
        model,
        mode = 'confirm',
        confirmation,
        limits,
        title,
        cwd,
        profile = 'waymark',
        dialect,
        toolsets,
        disabledToolsets,
        asking,
        addedTools,
        container,
      } = event;
      return {
        model,
        mode,
        confirmation,
        limits,
        title,
        cwd,
        profile,
        ...(dialect !== undefined && { dialect }),
        ...(toolsets && { toolsets }),
        ...(disabledToolsets && { disabledToolsets }),
        ...(asking && { asking }),
        ...(container && { container }),
        ...(event.skills?.some(({ kind }) => kind === 'skill') && { offersSkills: true }),
        ...(addedTools && { addedTools }),
        ...((event.parent || event.persona) && { keepsTools: addedTools?.map(({ name }) => name) ?? [] }),
      };
    }
    if (event.type !== 'settings_changed' || !state) return undefined;
    const {
      model = state.model,
      mode = state.mode,
      confirmation = state.confirmation,
      limits = state.limits,
      title = state.title,
      asking = state.asking,
      addedTools = state.addedTools,
      container = state.container,
    } = event;
    const { container: _, ...unchanged } = state;
    return {
      ...unchanged,
      model,
      mode,
      confirmation,
      limits,
      title,
      ...(asking && { asking }),
      ...(addedTools && { addedTools }),
      ...(container && { container }),
    };
  },
);

/** Undefined for a log without a task. */
export const settingsOf = (history: History): RunSettings | undefined => settings(history);

/** The folder that the shell is in: where it started, or where the last command left it. */
export const shellFolder: (history: History) => string | undefined = projection<string | undefined>(
  () => undefined,
  (_folder, event) => {
    if (event.type === 'task_started') return event.cwd;
    return event.type === 'observation' && event.details?.kind === 'command' ? event.details.cwd : undefined;
  },
);

export const allowRulesOf: (history: History) => readonly AllowRule[] = projection<AllowRule[]>(
  () => [],
  (rules, event) => {
    if (event.type === 'allow_rule_added' && event.revoked) return rules.filter((rule) => !sameRule(rule, event.rule));
    if (event.type === 'allow_rule_added') rules.push(event.rule);
    return voidsConsent(event) ? [] : undefined;
  },
);

/** The version of each file that the model was last shown or wrote itself, by `FileSnapshot.path`. */
export const versionsSeen: (history: History) => ReadonlyMap<string, string> = projection<Map<string, string>>(
  () => new Map(),
  (versions, event) => {
    if (event.type !== 'observation' || !event.details) return;
    if (event.details.kind === 'read') versions.set(event.details.path, event.details.version);
    if (event.details.kind === 'edit') {
      for (const { path, from, version } of event.details.changes) {
        if (from !== undefined) versions.delete(from);
        if (version === undefined) versions.delete(path);
        else versions.set(path, version);
      }
    }
  },
);

/** The endings of the files that the model was shown or wrote: "ts", "ipynb". */
export const endingsSeen: (history: History) => ReadonlySet<string> = projection<Set<string>>(
  () => new Set(),
  (endings, event) => {
    if (event.type !== 'observation' || !event.details) return;
    const { details } = event;
    if (details.kind === 'read') endings.add(endingOf(details.path));
    if (details.kind === 'edit') for (const { path } of details.changes) endings.add(endingOf(path));
  },
);

const endingOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1).toLowerCase();

/** The events that decide the state of a run, for `readAhead`. */
export const standing: readonly Question<unknown>[] = [ledgerOf, restOf, typingOf, settings];

/** The ids of all actions there ever were. */
export const actionIds: (history: History) => ReadonlySet<string> = projection<Set<string>>(
  () => new Set(),
  (ids, event) => {
    if (event.type === 'agent_response') for (const { id } of event.actions) ids.add(id);
  },
);

export function eventsOfType<Type extends Event['type']>(history: History, type: Type): EventOf<Type>[] {
  return history.filter((event): event is EventOf<Type> => event.type === type);
}
