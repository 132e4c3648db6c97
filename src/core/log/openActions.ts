import type { Action, EventOf, RunPlace } from '../../protocol/events/event';
import { voidsConsent } from './eventFacts';
import { projection, type History } from './projection';

/**
 * Everything that is open: actions without an observation, in call order, and the questions and decisions about them.
 */
interface OpenActions {
  readonly pending: Map<string, Action>;
  readonly started: Set<string>;
  /** Hash of each question by action id; "" in logs of earlier versions. */
  readonly asked: Map<string, string>;
  /** Place where the command will run according to the question, by action id. */
  readonly places: Map<string, RunPlace>;
  readonly questions: Map<string, EventOf<'question_asked'>>;
  readonly decisions: Map<string, EventOf<'confirmation_resolved'>>;
}

/** For `statusOf` and `readAhead`; others ask the functions below. */
export const openActionsOf = projection<OpenActions>(
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
export const pendingActions = (history: History): Action[] => [...openActionsOf(history).pending.values()];

/** Pending actions that have begun. Whether they took effect is unknown until they report. */
export const startedActions = (history: History): Action[] =>
  pendingActions(history).filter((action) => openActionsOf(history).started.has(action.id));

/** Pending actions that wait for a person's decision. */
export const undecidedActions = (history: History): Action[] =>
  pendingActions(history).filter((action) => openActionsOf(history).asked.has(action.id));

/** Hash of the open question about an action. "" if the question has none; undefined if there is no question. */
export const openQuestionHash = (actionId: string, history: History): string | undefined =>
  openActionsOf(history).asked.get(actionId);

/** Where the command will run according to the open question, or undefined if the question does not say. */
export const openQuestionPlace = (actionId: string, history: History): RunPlace | undefined =>
  openActionsOf(history).places.get(actionId);

/** Questions of the model that nobody has answered yet. */
export const openQuestions = (history: History): EventOf<'question_asked'>[] => [
  ...openActionsOf(history).questions.values(),
];

/** The decision about a pending action. Consent applies to one action and ends with it. */
export const decisionOn = (actionId: string, history: History): EventOf<'confirmation_resolved'> | undefined =>
  openActionsOf(history).decisions.get(actionId);

/** Ids of all actions that have begun. */
export const startedActionIds = (history: History): ReadonlySet<string> =>
  new Set(history.flatMap((event) => (event.type === 'action_started' ? [event.actionId] : [])));

/** Ids of all actions in the log. */
export const actionIds: (history: History) => ReadonlySet<string> = projection<Set<string>>(
  () => new Set(),
  (ids, event) => {
    if (event.type === 'agent_response') for (const { id } of event.actions) ids.add(id);
  },
);
