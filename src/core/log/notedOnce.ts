import type { Action } from '../../protocol/events/event';
import { projection, type History } from './projection';

/** The actions with what the model is told of a form of calls, once in a session for each form. */
export function notedOnce(actions: readonly Action[], history: History): Action[] {
  const told = new Set(formsTold(history));
  return actions.map((action) => {
    const { called } = action;
    if (called?.note === undefined) return action;
    const form = formOf(action);
    if (!told.has(form)) {
      told.add(form);
      return action;
    }
    const { note: _note, ...rest } = called;
    return { ...action, called: rest };
  });
}

const formsTold: (history: History) => ReadonlySet<string> = projection<Set<string>>(
  () => new Set(),
  (forms, event) => {
    if (event.type !== 'agent_response') return;
    for (const action of event.actions)
      if (action.called?.note !== undefined && action.problem === undefined) forms.add(formOf(action));
  },
);

const formOf = ({ tool, called }: Action): string => JSON.stringify([called?.name, tool, called?.words]);
