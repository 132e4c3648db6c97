import type { Event } from '../../protocol/events/event';
import type { History } from '../log/projection';

/** Stores events for a single writer. `append` never blocks; `durable` reports when appended events survive a crash. */
export interface EventStore {
  /**
   * `settled` is called once the event is on disk, in order and before `durable` resolves. While writing fails, it is
   * also called with each error, for the first waiting event.
   */
  append(event: Event, settled: (failure?: Error) => void): void;
  /**
   * Resolves when everything appended so far is on disk. Rejects if it cannot be written, with an `Interrupt` if it
   * never can be. A further call tries again.
   */
  durable(): Promise<void>;
  /** Why the last write failed. Absent if it succeeded. */
  readonly failure?: Error | undefined;
}

/** A log that was opened for writing. */
export interface WritableLog {
  /** Events that it already contains. */
  readonly events: History;
  readonly store: EventStore;
}
