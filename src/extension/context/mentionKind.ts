import type { Found } from '../../core/context/contextPart';
import type { Mention } from '../../core/context/mentions';
import type { Completion } from '../../protocol/panel/panel';
import type { ContextSources } from './contextSources';

/** A kind of thing that a message can point at. */
export interface MentionKind {
  /** Offered while nothing but the `@` was typed. */
  offer(): Completion;
  /** Suggestions for the typed part of an argument, at most 20. Absent if there are none. */
  complete?(query: string, sources: ContextSources): Promise<Completion[]>;
  /**
   * What is there now. Undefined where nothing is and the words may mean something else. Throws an `Error`
   * in words that say why it cannot be given.
   */
  resolve(mention: Mention, sources: ContextSources): Promise<Found | undefined>;
}
