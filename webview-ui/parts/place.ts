import { signal, type ReadonlySignal } from '@preact/signals';
import { createContext } from 'preact';

/**
 * Where in the feed a card stands, and which card the keyboard wants to reach. `size` is a signal, so that no card is
 * drawn again because the feed grew.
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
