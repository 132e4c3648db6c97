import { computed } from '@preact/signals';
import type { Details } from '../../src/protocol/events/details';
import { events } from './store';

export type TodoItem = Extract<Details, { kind: 'todo' }>['items'][number];

/** The latest list of steps, while some of it is open and its task has not ended. */
export const openTodo = computed((): readonly TodoItem[] | undefined => {
  const latest = events.value.findLast(
    (event) => event.type === 'finished' || (event.type === 'observation' && event.details?.kind === 'todo'),
  );
  if (latest?.type !== 'observation' || latest.details?.kind !== 'todo') return undefined;
  const { items } = latest.details;
  return items.some(({ state }) => state === 'pending' || state === 'active') ? items : undefined;
});
