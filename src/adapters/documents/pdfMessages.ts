/** What the worker that reads a PDF file is given. */
export interface PdfTask {
  /** The address of PDF.js. */
  readonly library: string;
  readonly bytes: Uint8Array;
  /** The first page that is wanted, and the last one; all that follow when it is absent. */
  readonly from: number;
  readonly to?: number;
  /** Characters that are taken of one page. */
  readonly mostOfPage: number;
}

/**
 * What it says, in this order: once how many pages there are, each page, and that it is done. Or
 * that it failed, by PDF.js's name for it.
 */
export type PdfMessage =
  | { readonly kind: 'opened'; readonly total: number }
  | { readonly kind: 'page'; readonly text: string }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly name: string; readonly message: string };
