/** Notes that agents keep for later sessions. */
export interface Memory {
  /** Returns the whole text of a store, empty if it does not exist yet. */
  read(store: MemoryStore): Promise<string>;
  /** Atomically replaces the text with the result of `change`, under a lock. Writes nothing if `change` throws. */
  update(store: MemoryStore, change: (text: string) => string): Promise<void>;
}

/** Notes for later sessions: `memory` is about the work, `user` about the person. */
export type MemoryStore = 'memory' | 'user';

/** Earlier sessions of this folder. */
export interface PastSessions {
  /** Returns matching sessions, most relevant first, then latest first. */
  search(
    query: PastQuery,
    signal: AbortSignal,
  ): Promise<{ sessions: PastSession[]; /** True if older sessions were not searched. */ truncated: boolean }>;
}

/** An earlier session that matches a query. */
export interface PastSession {
  readonly id: string;
  readonly title: string;
  /** Time of its last event, in milliseconds since 1970. */
  readonly updatedAt: number;
  /** Text around the words searched for, with secrets masked. The task if no words were given. */
  readonly snippets: readonly { readonly by: 'person' | 'agent'; readonly text: string }[];
}

/** A search in earlier sessions. */
interface PastQuery {
  /** Words that must all occur in one message. If empty, the latest sessions are returned. */
  readonly words: readonly string[];
  readonly maxSessions: number;
}
