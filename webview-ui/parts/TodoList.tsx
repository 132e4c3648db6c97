import { text } from '../base/text';
import type { TodoItem } from '../state/todo';
import { Visible } from './VisibleText';

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
