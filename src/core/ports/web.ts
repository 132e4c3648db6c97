/** Response of a web address. */
export interface WebPage {
  /** Address of the text, after redirects within the same site. */
  readonly address: string;
  /** Set if the address redirects to another site. Nothing was read. */
  readonly redirectsTo?: string;
  /** Content type from the server, such as "text/html". Empty if it sent none. */
  readonly type: string;
  /** Size of the uncompressed page. */
  readonly bytes: number;
  readonly title?: string;
  /** HTML converted to Markdown without menus and scripts; text and JSON unchanged; the text of a PDF file. */
  readonly text: string;
  /** What is missing from the text, worded for the model. Absent if it is complete. */
  readonly missing?: string;
}

/** Reads web pages without sending cookies, keys or other data of the person. */
export interface Web {
  /** Returns whether an address may be requested, as far as its text says. `read` refuses the others. */
  mayRead(address: string): Promise<boolean>;
  /** Throws an `Error` with a message for the model if the address cannot be read or leads into a private network. */
  read(address: string, signal: AbortSignal): Promise<WebPage>;
}
