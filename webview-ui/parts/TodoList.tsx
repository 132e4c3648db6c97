import { computed } from '@preact/signals';
import { useState } from 'preact/hooks';
import type { Details } from '../../src/protocol/events/details';
import { text } from '../base/text';
import { events } from '../state/store';
import { Icon } from './Icon';
import { Visible } from './VisibleText';

type TodoItem = Extract<Details, { kind: 'todo' }>['items'][number];

/** Latest list of steps while some are open and its task has not ended. */
const openTodo = computed((): readonly TodoItem[] | undefined => {
  const latest = events.value.findLast(
    (event) => event.type === 'finished' || (event.type === 'observation' && event.details?.kind === 'todo'),
  );
  if (latest?.type !== 'observation' || latest.details?.kind !== 'todo') return undefined;
  const { items } = latest.details;
  return items.some(({ state }) => state === 'pending' || state === 'active') ? items : undefined;
});

const icons = { pending: 'circle-large-outline', active: 'arrow-right', done: 'check', cancelled: 'circle-slash' };

/** The agent's steps, each with its state as an icon and as text. */
export const TodoList = ({ items }: { items: readonly TodoItem[] }) => (
  <ul class="todo">
    {items.map((item, index) => (
      <li key={index} class={item.state}>
        <span class={`codicon codicon-${icons[item.state]}`} role="img" aria-label={text(`todo.${item.state}`)} />
        <span>
          <Visible words={item.text} />
        </span>
      </li>
    ))}
  </ul>
);

/** The agent's list of steps, above the composer while some of them are open. */
export function PinnedTodo() {
  const [isOpen, setOpen] = useState(false);
  const items = openTodo.value;
  if (!items) return null;
  const done = items.filter(({ state }) => state === 'done' || state === 'cancelled').length;
  const active = items.find(({ state }) => state === 'active') ?? items.find(({ state }) => state === 'pending');
  return (
    <section class="pinned-todo" data-testid="pinned-todo">
      <button
        type="button"
        class="pinned-head"
        aria-expanded={isOpen}
        data-testid="pinned-toggle"
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} class="chevron" />
        <span>{text('todo.pinned', { done, total: items.length })}</span>
        {!isOpen && active && <span class="dim target">{active.text}</span>}
      </button>
      {isOpen && <TodoList items={items} />}
    </section>
  );
}
