import type { Web } from '../../core/ports/web';
import type { WebOptions } from './webPages';

/** Web access for tools of the agent. The implementation is loaded with the first page. */
export function lazyWeb(options: WebOptions): Web {
  const loadWeb = async (): Promise<Web> => (await import('./webPages')).webPages(options);
  return {
    mayRead: async (address) => (await loadWeb()).mayRead(address),
    read: async (address, signal) => (await loadWeb()).read(address, signal),
  };
}
