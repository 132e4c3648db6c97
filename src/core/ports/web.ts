/** What an address of the web answered. */
export interface WebPage {
  /** Where the text is from, after redirects within the same site. */
  readonly address: string;
  /** Set where the address leads to another site: nothing was read. */
  readonly leadsTo?: string;
  /** As the server says, such as "text/html"; empty where it says nothing. */
  readonly type: string;
  /** Of the page, unpacked. */
  readonly bytes: number;
  readonly title?: string;
  /** HTML as Markdown without menus and scripts; text and JSON as they are; of a PDF file its text. */
  readonly text: string;
  /** What the text lacks, in words for the model; absent where nothing is missing. */
  readonly missing?: string;
}

/** Reads pages of the web. Sends nothing of the person: no cookies and no keys. */
export interface Web {
  /** Throws an `Error` in words for the model where the address cannot be read, or leads into a private network. */
  read(address: string, signal: AbortSignal): Promise<WebPage>;
}
