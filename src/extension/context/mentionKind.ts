import type { Found } from '../../core/context/contextPart';
import type { Mention } from '../../core/context/mentions';
import type { Completion } from '../../protocol/panel/panel';
import type { ContextSources } from './contextSources';

/** A kind of mention, such as a file or a URL. */
export interface MentionKind {
  /** The suggestion shown after a bare `@`. */
  offer(): Completion;
  /**
   * Suggestions for the typed part of an argument, at most 20. Absent if this kind has none. Rejects once the signal is
   * aborted, because the user typed on.
   */
  complete?(query: string, sources: ContextSources, signal?: AbortSignal): Promise<Completion[]>;
  /**
   * Returns the current content. Returns undefined if nothing is found and the text may mean something else. Throws an
   * `Error` with a message for people if the content cannot be attached.
   */
  resolve(mention: Mention, sources: ContextSources): Promise<Found | undefined>;
}
