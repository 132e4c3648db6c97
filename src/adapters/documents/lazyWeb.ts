import type { Web } from '../../core/ports/web';
import type { WebOptions } from './webPages';

/** Web access for tools of the agent. The implementation is loaded with the first page. */
export const lazyWeb = (options: WebOptions): Web => ({
  read: async (address, signal) => (await import('./webPages')).webPages(options).read(address, signal),
});
