import type { Event } from '../../protocol/events/event';
import type { Secrets } from './secrets';

/** What must stay as it was written, because it is done or compared: only values that are known are masked in it. */
const exact: ReadonlySet<Event['type']> = new Set<Event['type']>([
  'agent_response',
  'confirmation_requested',
  'allow_rule_added',
]);

/** Parts of other events of which the same is true. */
const exactParts: Partial<Record<Event['type'], readonly string[]>> = { confirmation_resolved: ['edited'] };

/** An event as it may be kept, shown and sent. */
export function maskedEvent(event: Event, secrets: Secrets): Event {
  const whole = masked(event, exact.has(event.type) ? secrets.maskKnown : secrets.mask) as Event;
  const parts = Object.entries(event).filter(([name]) => exactParts[event.type]?.includes(name));
  if (parts.length === 0) return whole;
  return {
    ...whole,
    ...Object.fromEntries(parts.map(([name, part]) => [name, masked(part, secrets.maskKnown)])),
  } as Event;
}

/** Logs of which nothing is to be masked any more, and how much was known to be secret when that was found out. */
const clean = new WeakMap<readonly Event[], { readonly secrets: Secrets; readonly version: number }>();

/**
 * A saved log as it may be worked with, in pieces of one event each. The very same log where it was given by this
 * function before and nothing was learned since.
 */
export function* maskedLog(events: readonly Event[], secrets: Secrets): Generator<undefined, readonly Event[]> {
  const { version } = secrets;
  const known = clean.get(events);
  if (known?.secrets === secrets && known.version === version) return events;
  const all: Event[] = [];
  for (const event of events) {
    all.push(maskedEvent(event, secrets));
    yield;
  }
  clean.set(all, { secrets, version });
  return all;
}

/** Every text in a value masked; the very same value where there was nothing to mask. The data of pictures stay. */
function masked(value: unknown, mask: (text: string) => string, name = ''): unknown {
  if (typeof value === 'string') return name === 'data' && isPictureData(value) ? value : mask(value);
  if (typeof value !== 'object' || value === null) return value;
  let copy: Record<string, unknown> | unknown[] | undefined;
  for (const [key, part] of Object.entries(value)) {
    const clean = masked(part, mask, key);
    const cleanKey = Array.isArray(value) ? key : mask(key);
    if (clean === part && cleanKey === key) continue;
    copy ??= Array.isArray(value) ? [...(value as unknown[])] : { ...value };
    if (cleanKey !== key) delete (copy as Record<string, unknown>)[key];
    (copy as Record<string, unknown>)[cleanKey] = clean;
  }
  return copy ?? value;
}

/** How the data of pictures begin in base64: PNG, JPEG, GIF, WebP, BMP, TIFF. */
const beginnings = /^(?:iVBORw0KGgo|\/9j\/|R0lGODdh|R0lGODlh|UklGR|Qk[0-3]|SUkqAA|TU0AKg)[A-Za-z0-9+/]*={0,2}$/;

/** Whether a text is a picture in base64, in which nothing can be masked without breaking it. */
export const isPictureData = (text: string): boolean => beginnings.test(text);
