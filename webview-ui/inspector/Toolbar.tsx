import type { StepTag } from '../../src/protocol/inspector/inspector';
import { Icon } from '../parts/Icon';
import { moveTo } from './state/moves';
import { shownPairs } from './state/compareStore';
import { searchFor, first, helpShown, pairs, runs, showView, shownRows, tags, view, searchWords } from './state/store';
import { say } from './state/words';

/** Tags to filter by, in display order. */
const offeredTags: readonly StepTag[] = [
  'error',
  'asked',
  'edit',
  'command',
  'look',
  'child',
  'candidates',
  'person',
  'condensed',
];

/** Search, filters, and the switch between the two views. */
export function Toolbar() {
  const comparing = runs.value.length > 1;
  const total = comparing ? pairs.value.length : (first.value?.rows.length ?? 0);
  const n = comparing ? shownPairs.value.length : shownRows.value.length;
  const narrowed = searchWords.value.trim() !== '' || tags.value.size > 0;
  return (
    <div class="toolbar">
      <div class="find" role="search">
        <Icon name="search" />
        <input
          id="find"
          data-testid="find"
          type="text"
          aria-label={say('find.label')}
          placeholder={say('find.label')}
          value={searchWords.value}
          onInput={(event) => searchFor(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' || event.key === 'ArrowDown') {
              event.preventDefault();
              moveTo('first');
            }
          }}
        />
        <span class="dim find-count" role="status">
          {narrowed ? say('find.count', { n: n.toLocaleString(), total: total.toLocaleString() }) : ''}
        </span>
        {searchWords.value && (
          <button
            type="button"
            class="icon-button codicon codicon-close"
            aria-label={say('find.close')}
            onClick={() => searchFor('')}
          />
        )}
      </div>
      <div class="views">
        {!comparing &&
          (['steps', 'charts'] as const).map((name) => (
            <button
              key={name}
              type="button"
              class="chip"
              data-testid={`view-${name}`}
              aria-pressed={view.value === name}
              onClick={() => showView(name)}
            >
              <Icon name={name === 'steps' ? 'list-flat' : 'graph'} />
              {say(`view.${name}`)}
            </button>
          ))}
        <button
          type="button"
          class="icon-button codicon codicon-keyboard"
          aria-label={say('help.title')}
          title={`${say('help.title')} (?)`}
          onClick={() => {
            helpShown.value = true;
          }}
        />
      </div>
      <div class="filters" role="group" aria-label={say('filter.label')}>
        <button
          type="button"
          class="chip"
          aria-pressed={tags.value.size === 0}
          onClick={() => {
            tags.value = new Set();
          }}
        >
          {say('filter.all')}
        </button>
        {offeredTags
          .filter((tag) => runs.value.some((run) => run.rows.some((row) => row.tags.includes(tag))))
          .map((tag) => (
            <button
              key={tag}
              type="button"
              class="chip"
              data-testid={`filter-${tag}`}
              aria-pressed={tags.value.has(tag)}
              onClick={() => toggle(tag)}
            >
              {say(`filter.${tag}`)}
            </button>
          ))}
      </div>
    </div>
  );
}

function toggle(tag: StepTag): void {
  const next = new Set(tags.value);
  if (!next.delete(tag)) next.add(tag);
  tags.value = next;
}
