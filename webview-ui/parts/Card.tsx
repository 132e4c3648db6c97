import { computed, signal, type ReadonlySignal } from '@preact/signals';
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { Row } from '../state/rows';
import { focusedKey } from '../state/store';

/** One article of the feed. It is focusable; Enter clicks its `data-toggle` button. */
export function Card({
  row,
  label,
  class: more = '',
  children,
}: {
  row: Pick<Row, 'key' | 'type'>;
  label: string;
  class?: string;
  children: ComponentChildren;
}) {
  const place = useContext(FeedPosition);
  const element = useRef<HTMLElement>(null);
  const tabIndex = useMemo(
    () =>
      computed(() => {
        const isLast = place.index === place.size.value - 1;
        return focusedKey.value === row.key || (focusedKey.value === undefined && isLast) ? 0 : -1;
      }),
    [row.key, place],
  );
  useLayoutEffect(() => {
    // Only keyboard navigation moves the focus here, never an event of the run.
    if (focusedKey.peek() === row.key && place.wanted.current === row.key) {
      place.wanted.current = undefined;
      element.current?.focus({ preventScroll: true });
    }
  });
  return (
    <article
      ref={element}
      class={`card ${more}`}
      data-testid={`card-${row.type}`}
      data-key={row.key}
      tabIndex={tabIndex}
      aria-label={label}
      aria-posinset={place.index + 1}
      aria-setsize={place.size}
      onFocusIn={() => {
        focusedKey.value = row.key;
      }}
    >
      {children}
    </article>
  );
}

/**
 * Position of a card in the feed, and the card that keyboard navigation wants to reach. `size` is a signal, so that a
 * growing feed does not rerender its cards.
 */
export const FeedPosition = createContext<{
  index: number;
  size: ReadonlySignal<number>;
  wanted: { current: string | undefined };
}>({
  index: 0,
  size: signal(1),
  wanted: { current: undefined },
});
