import type { Action, EventOf, HookMoment } from '../../protocol/events/event';
import type { Hook } from '../ports/hook';
import { hooksFor } from '../hooks/matcher';
import { pendingActions } from '../log/openActions';
import { settingsOf } from '../log/runSettings';
import { projection, type History } from '../log/projection';

interface Occasions {
  /** True if another session started this one. */
  child: boolean;
  readonly ran: Set<string>;
  /** Messages that no reply has read. */
  words: { readonly seq: number; readonly text: string }[];
  actions: Map<string, Action>;
  readonly started: Set<string>;
  /** Actions of the last reply that ran, with their observations. */
  results: { readonly action: Action; readonly observation: EventOf<'observation'> }[];
}

const occasionsIn = projection<Occasions>(
  () => ({ child: false, ran: new Set(), words: [], actions: new Map(), started: new Set(), results: [] }),
  (state, event) => {
    switch (event.type) {
      case 'task_started':
        state.child = event.parent !== undefined;
        state.words.push({ seq: event.seq, text: event.task });
        break;
      case 'user_message':
        state.words.push({ seq: event.seq, text: event.text });
        break;
      case 'message_changed':
        if (event.change !== 'moved') state.words = state.words.filter(({ seq }) => seq !== event.message);
        break;
      case 'agent_response':
        state.words = state.words.filter(({ seq }) => seq >= event.readUpTo);
        state.actions = new Map(event.actions.map((action) => [action.id, action]));
        state.results = [];
        break;
      case 'action_started':
        state.started.add(event.actionId);
        break;
      case 'observation': {
        const action = state.actions.get(event.actionId);
        if (action && state.started.has(action.id) && ['ok', 'error', 'timeout'].includes(event.outcome))
          state.results.push({ action, observation: event });
        break;
      }
      case 'hook_ran':
        if (event.on === 'SessionEnd')
          for (const key of state.ran) if (key.startsWith('SessionStart|')) state.ran.delete(key);
        if (event.decision === 'block') state.words = state.words.filter(({ seq }) => seq !== event.message);
        state.ran.add(runKey(event.on, event, event));
        break;
    }
  },
);

const runKey = (
  on: HookMoment,
  { path, place }: Pick<Hook, 'path' | 'place'>,
  { actionId, message }: { readonly actionId?: string | undefined; readonly message?: number | undefined } = {},
): string => [on, path, place, actionId ?? message ?? ''].join('|');

/**
 * Returns the hooks that are due according to the log and have not run yet. Hooks for tool calls also apply to child
 * sessions; the others only to sessions that a person started. In human mode a person types actions, not messages to
 * the agent.
 */
export function hooksDue(hooks: readonly Hook[], history: History) {
  const state = () => occasionsIn(history);
  const hooksNotYetRun = (
    on: HookMoment,
    { action, message }: { readonly action?: Action; readonly message?: number } = {},
  ): Hook[] =>
    hooksFor(hooks, on, action).filter((hook) => !state().ran.has(runKey(on, hook, { actionId: action?.id, message })));
  const forPeople = (): boolean => !state().child && settingsOf(history)?.mode !== 'human';
  const hasDue = ({ due }: { readonly due: readonly Hook[] }): boolean => due.length > 0;
  return {
    start: () => (forPeople() ? hooksNotYetRun('SessionStart') : []),
    words() {
      if (!forPeople()) return [];
      return state()
        .words.map((words) => ({ ...words, due: hooksNotYetRun('UserPromptSubmit', { message: words.seq }) }))
        .filter(hasDue);
    },
    /** Actions that would run next. */
    calls() {
      const pending = pendingActions(history);
      return pending
        .filter(({ group, problem }) => group === pending[0]?.group && problem === undefined)
        .map((action) => ({ action, due: hooksNotYetRun('PreToolUse', { action }) }))
        .filter(hasDue);
    },
    results: () =>
      state()
        .results.map((result) => ({ ...result, due: hooksNotYetRun('PostToolUse', { action: result.action }) }))
        .filter(hasDue),
    stop: () => (forPeople() ? hooksFor(hooks, 'Stop') : []),
    end: () => (state().child ? [] : hooksFor(hooks, 'SessionEnd')),
  };
}
