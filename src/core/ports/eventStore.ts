import type { Event } from '../../protocol/events/event';

/** Keeps events. One writer; `append` never blocks, `durable` says when what was appended survives a crash. */
export interface EventStore {
  /**
   * `settled` is called once the event is on disk, in the order of the events and before `durable` resolves; before
   * that with each reason why it cannot be written, for the first event that waits.
   */
  append(event: Event, settled: (failure?: Error) => void): void;
  /**
   * Resolves when everything appended so far is on disk. Rejects when it cannot be kept, with an `Interrupt`
   * when it never can; another call tries again.
   */
  durable(): Promise<void>;
  /** Why the last try to keep events failed; absent while all is well. */
  readonly failure?: Error | undefined;
}
