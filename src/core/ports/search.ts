/** Searches the text of files. */
export interface Search {
  /** Throws a `FileProblem` for a path outside, and an `Error` with the engine's message for an invalid pattern. */
  search(query: SearchQuery, signal: AbortSignal): Promise<{ matches: SearchMatch[]; truncated: boolean }>;
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
