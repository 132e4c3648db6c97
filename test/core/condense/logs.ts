import type { Event, EventOf, NewEvent } from '../../../src/protocol/events/event';
import type { ReadEvent } from '../../../src/core/condense/readEvents';
import { task } from '../agent/story';
import { agentResponse, uncounted } from '../../support/newEvents';

/** Builds logs for condensers from short descriptions: `logOf(task, step('a', 'b'), person('Stop.'))`. */

type Entry = NewEvent | readonly Entry[] | ((seq: number) => NewEvent);
export function logOf(...entries: Entry[]): Event[] {
  const log: Event[] = [];
  const put = (entry: Entry): void => {
    if (Array.isArray(entry)) return (entry as Entry[]).forEach(put);
    const event = typeof entry === 'function' ? entry(log.length) : (entry as NewEvent);
    log.push({ ...event, seq: log.length, at: 0 } as Event);
  };
  entries.forEach(put);
  return log;
}
export const readLog = (...entries: Entry[]): ReadEvent[] => logOf(...entries) as ReadEvent[];

const effect = 'reads' as const;
/** A reply that calls these actions. `readUpTo` defaults to the reply's own sequence number. */
export const calls =
  (ids: readonly string[], more: Partial<EventOf<'agent_response'>> = {}) =>
  (seq: number): NewEvent =>
    agentResponse('Next.', {
      readUpTo: seq,
      usage: uncounted,
      durationMs: 0,
      firstTokenMs: null,
      actions: ids.map((id) => ({
        id,
        tool: 'look',
        input: { name: id },
        summary: id,
        group: 0,
        risk: { level: 'low' as const, reasons: [] },
        effect,
      })),
      ...more,
    });
export const result = (
  actionId: string,
  content = `result of ${actionId}`,
  more: Partial<EventOf<'observation'>> = {},
): NewEvent => ({ type: 'observation', actionId, outcome: 'ok', content, ...more });
/** One reply with these calls, and their results. */
export const step = (...ids: string[]): Entry => [calls(ids), ...ids.map((id) => result(id))];
/** `count` steps of one call each, named p0, p1 … */
export const steps = (count: number, prefix = 's', content?: string): Entry =>
  Array.from({ length: count }, (_, index) => [calls([`${prefix}${index}`]), result(`${prefix}${index}`, content)]);
export const person = (text: string, more: Partial<EventOf<'user_message'>> = {}): NewEvent => ({
  type: 'user_message',
  text,
  ...more,
});
export const thinking = { text: '', details: [{ type: 'reasoning.text', text: 'hm', signature: 's' }] };
export const reported = (inputTokens: number) => ({ ...uncounted, inputTokens, outputTokens: 1, cost: 0.5 });
export { task };
