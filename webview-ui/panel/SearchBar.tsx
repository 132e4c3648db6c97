import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../parts/Icon';
import { moveTo } from '../state/moves';
import { rows, search, shownRows } from '../state/store';
import { text } from '../base/text';

export function SearchBar() {
  const box = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => box.current?.focus(), []);
  const total = rows.value.length;
  const n = shownRows.value.length;
  return (
    <div class="search" role="search">
      <Icon name="search" />
      <input
        ref={box}
        data-testid="search"
        aria-label={text('search.label')}
        placeholder={text('search.label')}
        value={search.value ?? ''}
        onInput={(event) => {
          search.value = event.currentTarget.value;
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' || event.key === 'ArrowDown') {
            event.preventDefault();
            moveTo('last');
          }
        }}
      />
      <span class="dim" role="status">
        {search.value && (n ? text('search.count', { n, total }) : text('search.none', { total }))}
      </span>
      <button
        type="button"
        class="icon-button codicon codicon-close"
        aria-label={text('search.close')}
        onClick={() => {
          search.value = undefined;
        }}
      />
    </div>
  );
}
