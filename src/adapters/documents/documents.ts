import type { Documents } from '../../core/ports/documents';
import type { Web } from '../../core/ports/web';
import type { WebOptions } from './webPages';

/** Reads documents on this machine. The reader is loaded with the first document. */
export const documents: Documents = {
  pdfText: async (bytes, pages, signal) => (await import('./pdfText')).pdfText(bytes, pages, signal),
};

/** Web access for tools of the agent. The implementation is loaded with the first page. */
export const lazyWeb = (options: WebOptions): Web => ({
  read: async (address, signal) => (await import('./webPages')).webPages(options).read(address, signal),
});
