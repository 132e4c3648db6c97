import { Icon } from '../parts/Icon';
import { Parts } from '../parts/Parts';
import { post } from '../base/host';
import { helpShown, state } from '../state/store';
import { text } from '../base/text';
import { takeTask } from '../composer/draft';

/** Shown before the first task: suggested tasks for the folder, and recent sessions. */
export function EmptyState() {
  const { tasks = [], recent = [] } = state.value.starters ?? {};
  const [before, between, after] = text('feed.signs', { at: '\0', slash: '\0' }).split('\0');
  return (
    <main class="welcome" data-testid="empty">
      <h2>{text('feed.empty')}</h2>
      <p class="dim">{text('feed.emptyHelp')}</p>
      {tasks.length > 0 && (
        <section aria-label={text('feed.tryTasks')}>
          <h3>{text('feed.tryTasks')}</h3>
          <ul>
            {tasks.map(({ icon, label, task }) => (
              <li key={label}>
                <button
                  type="button"
                  class="offer starter"
                  data-testid="starter"
                  title={task}
                  onClick={() => takeTask(task)}
                >
                  <Icon name={icon} />
                  <span class="offer-label">{label}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {recent.length > 0 && (
        <section aria-label={text('feed.recent')}>
          <h3>{text('feed.recent')}</h3>
          <ul>
            {recent.map(({ id, title, detail }) => (
              <li key={id}>
                <button
                  type="button"
                  class="offer"
                  data-testid="recent"
                  title={title}
                  onClick={() => post({ type: 'open_session', id })}
                >
                  <Icon name="history" />
                  <span>
                    <span class="offer-label">{title}</span>
                    <span class="dim">
                      <Parts words={detail} />
                    </span>
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      <p class="dim">
        {before}
        <kbd>@</kbd>
        {between}
        <kbd>/</kbd>
        {after}
      </p>
      <button
        type="button"
        class="link"
        onClick={() => {
          helpShown.value = true;
        }}
      >
        {text('feed.shortcuts')}
      </button>
    </main>
  );
}
