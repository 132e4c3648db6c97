/** Reads the text of documents. */
export interface Documents {
  /**
   * Returns the text of a PDF file. Pages are 1-based. Throws an `Error` with a message for the model if the file
   * cannot be read.
   */
  pdfText(
    bytes: Uint8Array,
    pages: { readonly from: number; readonly to?: number; readonly maxCharacters: number },
    signal: AbortSignal,
  ): Promise<DocumentText>;
}

/** Text of a range of pages of a document. */
export interface DocumentText {
  /** Text of each requested page, in order. Empty for pages without text. */
  readonly pages: readonly string[];
  /** Number of pages in the document. */
  readonly total: number;
  /** Why it stopped before the last requested page: time limit, or too much text. */
  readonly stopped?: 'time' | 'size';
}

/** Stores complete outputs that a result shows only in part. */
export interface Outputs {
  /**
   * Stores the content in a file that `read_file` may read, and returns its absolute path. `ending`: file extension,
   * such as "txt" or "png".
   */
  keep(content: string | Uint8Array, ending: string): Promise<string>;
}
