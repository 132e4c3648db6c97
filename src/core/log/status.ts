import type { EventOf, Mode } from '../../protocol/events/event';
import type { Status } from '../../protocol/panel/panel';
import { waitingAfter, type WaitingMessage } from '../../protocol/plain/waitingMessages';
import { isDeferredFeedback } from './eventFacts';
import { openActionsOf } from './openActions';
import { projection, type History, type Projection } from './projection';
import { settingsOf } from './runSettings';

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
  const { asked, questions, pending } = openActionsOf(history);
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

/** True if somebody requested a condensation and it has not happened yet. */
export const condensationIsRequested = (history: History): boolean => requested(history).open;

/** Projections that determine the state of a run, for `readAhead`. */
export const stateProjections: readonly Projection<unknown>[] = [openActionsOf, restOf, typingOf, settingsOf];
