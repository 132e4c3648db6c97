import { isDeferredFeedback, voidsConsent, sameRule } from './eventFacts';
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
import { projection, type History, type Projection } from './projection';

export type { History } from './projection';

/**
 * Everything that is open: actions without an observation, in call order, and the questions and decisions about them.
 */
interface Ledger {
  readonly pending: Map<string, Action>;
  readonly started: Set<string>;
  /** Hash of each question by action id; "" in logs of earlier versions. */
  readonly asked: Map<string, string>;
  /** Place where the command will run according to the question, by action id. */
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
          // The action has not begun, and the event contains its current risk.
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

/** Inserts actions right after the action they replace. */
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

/** Pending actions that have begun. Whether they took effect is unknown until they report. */
export const startedActions = (history: History): Action[] =>
  pendingActions(history).filter((action) => ledgerOf(history).started.has(action.id));

/** Ids of all actions that have begun. */
export const startedActionIds = (history: History): ReadonlySet<string> =>
  new Set(history.flatMap((event) => (event.type === 'action_started' ? [event.actionId] : [])));

/** Pending actions that wait for a person's decision. */
export const undecidedActions = (history: History): Action[] =>
  pendingActions(history).filter((action) => ledgerOf(history).asked.has(action.id));

/** Hash of the open question about an action. "" if the question has none; undefined if there is no question. */
export const openQuestionHash = (actionId: string, history: History): string | undefined =>
  ledgerOf(history).asked.get(actionId);

/** Where the command will run according to the open question, or undefined if the question does not say. */
export const openQuestionPlace = (actionId: string, history: History): RunPlace | undefined =>
  ledgerOf(history).places.get(actionId);

export const openQuestions = (history: History): EventOf<'question_asked'>[] => [
  ...ledgerOf(history).questions.values(),
];

/** The decision about a pending action. Consent applies to one action and ends with it. */
export const decisionOn = (actionId: string, history: History): EventOf<'confirmation_resolved'> | undefined =>
  ledgerOf(history).decisions.get(actionId);

interface Rest {
  rest: 'empty' | 'ready' | 'idle' | 'paused' | 'finished';
  /** Sequence numbers of user messages that no reply has read. */
  unread: number[];
  /** The resting state when a condensation was requested. It is restored afterwards. */
  before?: Rest['rest'] | undefined;
  /**
   * The resting state before these messages, if they alone made the run continue. It is restored if they are withdrawn.
   */
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
        if (isDeferredFeedback(event)) return;
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

/** True if the run submitted its result and got no new request since. */
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

/** Commands typed in human mode that have not run yet. Messages from before human mode are not commands. */
export const typedCommands = (history: History): readonly EventOf<'user_message'>[] => typingOf(history).commands;

/** User messages that no reply has read, in reading order. */
export const waitingMessages: (history: History) => readonly WaitingMessage[] = projection<readonly WaitingMessage[]>(
  () => [],
  waitingAfter,
);

/** True if a user message has not been read by a reply. */
export function hasUnreadWords(history: History): boolean {
  return restOf(history).unread.length > 0;
}

/** State of a run, always computed from its events. */
export function statusOf(history: History): Status {
  const { rest } = restOf(history);
  if (rest !== 'ready') return rest;
  const { asked, questions, pending } = ledgerOf(history);
  if (asked.size > 0) return 'waiting_for_confirmation';
  if (questions.size > 0) return 'waiting_for_answer';
  // In human mode the run is idle until the person types something.
  const { mode, commands } = typingOf(history);
  return mode === 'human' && pending.size === 0 && commands.length === 0 ? 'idle' : 'ready';
}

/** True if the run rests until a person approves an action or answers a question. */
export function waitsForPerson(history: History): boolean {
  const status = statusOf(history);
  return status === 'waiting_for_confirmation' || status === 'waiting_for_answer';
}

const requested = projection<{ open: boolean }>(
  () => ({ open: false }),
  (state, { type }) => {
    if (type === 'condensation_requested') state.open = true;
    else if (type === 'condensation') state.open = false;
  },
);

export const condensationIsRequested = (history: History): boolean => requested(history).open;

/** The effective settings of a run: the initial ones with later changes applied. */
export interface RunSettings {
  model: ModelInfo;
  mode: Mode;
  confirmation: ConfirmationMode;
  limits: Limits;
  title: string;
  cwd: string;
  profile: string;
  /** Name of the dialect in which tools are offered. Defaults to Waymark's own. */ dialect?: string;
  toolsets?: readonly string[];
  disabledToolsets?: readonly string[];
  asking?: Asking;
  /** True if there are skills that the model can request. */ offersSkills?: boolean;
  /** Container for commands. Absent if they run on this machine. */ container?: SessionContainer;
  /** Tools provided by MCP servers and other extensions. */ addedTools?: readonly AddedTool[];
  /** Names of the added tools at the start. Set for child sessions and personas, which get no new tools later. */
  keepsTools?: readonly string[];
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

/** Returns the settings, or undefined for a log without a task. */
export const settingsOf = (history: History): RunSettings | undefined => settings(history);

/** What the log says about the shell of a session. */
export interface ShellState {
  /** Absolute folder: where the session started, or where the last command left its shell. */
  readonly folder: string;
  /** True if commands ran before, so that a shell which starts now is not the first. */
  readonly isUsed: boolean;
}

/** Undefined before a task is started. */
export const shellStateOf: (history: History) => ShellState | undefined = projection<ShellState | undefined>(
  () => undefined,
  (stand, event) => {
    if (event.type === 'task_started') return { folder: event.cwd, isUsed: stand?.isUsed ?? false };
    if (event.type !== 'observation' || event.details?.kind !== 'command') return undefined;
    const folder = event.details.cwd;
    return stand?.isUsed && stand.folder === folder ? undefined : { folder, isUsed: true };
  },
);

/** See `ShellState.folder`. */
export const shellFolder = (history: History): string | undefined => shellStateOf(history)?.folder;

/**
 * Returns the shell's folder in a session that works in `root`. If the log names another folder, the workspace was
 * moved, and the folders in it with it.
 */
export function shellFolderIn(root: string, history: History): string {
  const folder = shellFolder(history) ?? root;
  const began = settingsOf(history)?.cwd ?? root;
  if (folder === began) return root;
  return folder.startsWith(`${began}/`) ? root + folder.slice(began.length) : folder;
}

export const allowRulesOf: (history: History) => readonly AllowRule[] = projection<AllowRule[]>(
  () => [],
  (rules, event) => {
    if (event.type === 'allow_rule_added' && event.revoked) return rules.filter((rule) => !sameRule(rule, event.rule));
    if (event.type === 'allow_rule_added') rules.push(event.rule);
    return voidsConsent(event) ? [] : undefined;
  },
);

/** Version of each file that the model was last shown or wrote itself, by `FileSnapshot.path`. */
export const seenVersions: (history: History) => ReadonlyMap<string, string> = projection<Map<string, string>>(
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

/** Extensions of files that the model was shown or wrote, such as "ts" and "ipynb". */
export const seenExtensions: (history: History) => ReadonlySet<string> = projection<Set<string>>(
  () => new Set(),
  (endings, event) => {
    if (event.type !== 'observation' || !event.details) return;
    const { details } = event;
    if (details.kind === 'read') endings.add(endingOf(details.path));
    if (details.kind === 'edit') for (const { path } of details.changes) endings.add(endingOf(path));
  },
);

const endingOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1).toLowerCase();

/** Projections that determine the state of a run, for `readAhead`. */
export const stateProjections: readonly Projection<unknown>[] = [ledgerOf, restOf, typingOf, settings];

/** Ids of all actions in the log. */
export const actionIds: (history: History) => ReadonlySet<string> = projection<Set<string>>(
  () => new Set(),
  (ids, event) => {
    if (event.type === 'agent_response') for (const { id } of event.actions) ids.add(id);
  },
);

export function eventsOfType<Type extends Event['type']>(history: History, type: Type): EventOf<Type>[] {
  return history.filter((event): event is EventOf<Type> => event.type === type);
}
