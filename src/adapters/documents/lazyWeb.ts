import type { Web } from '../../core/ports/web';
import type { WebOptions } from './webPages';

/** The web for tools of the agent. What reads it loads with the first page. */
export const lazyWeb = (options: WebOptions): Web => ({
  read: async (address, signal) => (await import('./webPages')).webPages(options).read(address, signal),
});
