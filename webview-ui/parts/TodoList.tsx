import { text } from '../base/text';
import { type TodoItem, openTodo } from '../state/todo';
import { Visible } from './VisibleText';
import { useState } from 'preact/hooks';
import { Icon } from './Icon';

const icons = { pending: 'circle-large-outline', active: 'arrow-right', done: 'check', cancelled: 'circle-slash' };

/** Steps that the agent noted, each with how it stands in a sign and in words. */
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
