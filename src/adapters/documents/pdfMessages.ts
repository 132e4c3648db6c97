/** Task of the worker that reads a PDF file. */
export interface PdfTask {
  /** The URL of PDF.js. */
  readonly library: string;
  readonly bytes: Uint8Array;
  /** The first and the last page to read. If the latter is absent, all following pages are read. */
  readonly from: number;
  readonly to?: number;
  /** Maximum number of characters to take from one page. */
  readonly maxPageCharacters: number;
}

/**
 * Messages of the worker, in this order: the number of pages once, each page, and that it is done. Or that it failed,
 * with the name that PDF.js gives to the error.
 */
export type PdfMessage =
  | { readonly kind: 'opened'; readonly total: number }
  | { readonly kind: 'page'; readonly text: string }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly name: string; readonly message: string };
