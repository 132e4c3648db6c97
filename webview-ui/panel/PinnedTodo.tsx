import { useState } from 'preact/hooks';
import { Icon } from '../parts/Icon';
import { TodoList } from '../parts/TodoList';
import { openTodo } from '../state/todo';
import { text } from '../base/text';

/** The list of steps that the agent keeps, above the composer while some of it is open. */
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
