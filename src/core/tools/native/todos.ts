import type { Todo } from '../../../protocol/events/details';
import { projection, type History } from '../../log/projection';

/** The list of steps as the agent left it: a projection of the whole log, so that it survives condensation. */
export const todosOf: (history: History) => readonly Todo[] = projection<readonly Todo[]>(
  () => [],
  (_list, event) => (event.type === 'observation' && event.details?.kind === 'todo' ? event.details.items : undefined),
);

const marks: Record<Todo['state'], string> = { pending: '[ ]', active: '[>]', done: '[x]', cancelled: '[-]' };

/** A list for the model, one step a line; also what a condenser puts back. */
export function todosInWords(items: readonly Todo[]): string {
  return items.map(({ id, text, state }) => `${marks[state]} ${id === undefined ? '' : `${id}. `}${text}`).join('\n');
}
