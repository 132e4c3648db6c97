import type { Documents } from '../../core/ports/documents';

/** Reads documents on this machine. The reader is loaded with the first document. */
export const documents: Documents = {
  pdfText: async (bytes, pages, signal) => (await import('./pdfText')).pdfText(bytes, pages, signal),
};
