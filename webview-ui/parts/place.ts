import { signal, type ReadonlySignal } from '@preact/signals';
import { createContext } from 'preact';

/**
 * Position of a card in the feed, and the card that keyboard navigation wants to reach. `size` is a signal, so that a
 * growing feed does not rerender its cards.
 */
export const Place = createContext<{
  index: number;
  size: ReadonlySignal<number>;
  wanted: { current: string | undefined };
}>({
  index: 0,
  size: signal(1),
  wanted: { current: undefined },
});
