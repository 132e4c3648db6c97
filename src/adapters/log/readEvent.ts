import { Event } from '../../protocol/events/event';

/**
 * The event that a line holds, if it is the one that comes next. Where the line may be of a newer version (`newer`), an
 * event that is not known here keeps its place as a notice (`unknown`), so that what follows can be read.
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
      text: `An event of a newer version of Waymark (${type.slice(0, 40)}) cannot be shown.`,
    },
    unknown: true,
  };
}
