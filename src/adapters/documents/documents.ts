import type { Documents } from '../../core/ports/environment';

/** Documents that are read on this machine. The reader loads with the first one. */
export const documents: Documents = {
  pdfText: async (bytes, pages, signal) => (await import('./pdfText')).pdfText(bytes, pages, signal),
};
