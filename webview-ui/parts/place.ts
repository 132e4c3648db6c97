import { createContext } from 'preact';

/** Where in the feed a card stands, and which card the keyboard wants to reach. */
export const Place = createContext<{ index: number; size: number; wanted: { current: string | undefined } }>({
  index: 0,
  size: 1,
  wanted: { current: undefined },
});
