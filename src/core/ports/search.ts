/** Searches the text of files. */
export interface Search {
  /** Throws a `FileProblem` for a path outside, and an `Error` with the engine's message for an invalid pattern. */
  search(query: SearchQuery, signal: AbortSignal): Promise<SearchResult>;
}

/** What a search found, cut to the requested number of lines. */
export interface SearchResult {
  /** The first matching lines, by path and line. */
  readonly matches: SearchMatch[];
  /** True if there are more. */
  readonly truncated: boolean;
  /** If there are more: the number of matching lines in each file, in the order of the files. */
  readonly counts?: readonly { readonly path: string; readonly matches: number }[];
  /** If there are too many to count: they are more than this. */
  readonly moreThan?: number;
}

/** What to search for, and where. */
export interface SearchQuery {
  /** A regular expression, or exact text if `literal` is set. */
  readonly pattern: string;
  readonly literal: boolean;
  /** File or folder in the workspace. Defaults to the whole workspace. */
  readonly path?: string;
  readonly glob?: string;
  readonly caseSensitive: boolean;
  readonly maxMatches: number;
}

/** A matching line. `line` counts from 1. */
export interface SearchMatch {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}
