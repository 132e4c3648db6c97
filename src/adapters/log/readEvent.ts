import { Event } from '../../protocol/events/event';

/**
 * Parses the event of a line, if it has the expected number. If the line may be of a newer version (`newer`), an
 * unknown event is replaced by a notice (`unknown`), so that the following ones can be read.
 */
export function readEvent(text: string, seq: number, newer: boolean): { event?: Event; unknown?: boolean } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return {};
  }
  const { success, data } = Event.safeParse(value);
  if (success) return data.seq === seq ? { event: data } : {};
  if (!newer || typeof value !== 'object' || value === null || !('seq' in value && 'at' in value && 'type' in value))
    return {};
  const { seq: place, at, type } = value;
  if (place !== seq || typeof at !== 'number' || typeof type !== 'string') return {};
  return {
    event: {
      seq,
      at,
      type: 'notice',
      level: 'warning',
      text: `An event from a newer version of Waymark (${type.slice(0, 40)}) cannot be shown.`,
    },
    unknown: true,
  };
}
