import type { Event } from '../../protocol/events/event';
import type { Secrets, MaskedStream } from './secrets';
import type { Delta } from '../../protocol/panel/panel';
import type { InPieces } from '../text/slices';

/** Events that are executed or compared and must stay exact. Only known values are masked in them. */
const exact: ReadonlySet<Event['type']> = new Set<Event['type']>([
  'agent_response',
  'confirmation_requested',
  'allow_rule_added',
]);

/** Parts of other events that must stay exact, too. */
const exactParts: Partial<Record<Event['type'], readonly string[]>> = { confirmation_resolved: ['edited'] };

/** Returns an event in a form that may be stored, shown and sent. */
export function maskedEvent(event: Event, secrets: Secrets): Event {
  const whole = withChangedCalls(
    event,
    masked(event, exact.has(event.type) ? secrets.maskKnown : secrets.mask) as Event,
  );
  const parts = Object.entries(event).filter(([name]) => exactParts[event.type]?.includes(name));
  if (parts.length === 0) return whole;
  return {
    ...whole,
    ...Object.fromEntries(parts.map(([name, part]) => [name, masked(part, secrets.maskKnown)])),
  } as Event;
}

/**
 * Masking may change what a call does: a secret can contain a quotation mark. What was judged with the secret in it must
 * not run without it.
 */
function withChangedCalls(before: Event, now: Event): Event {
  if (before.type !== 'agent_response' || now.type !== 'agent_response' || now.actions === before.actions) return now;
  const actions = now.actions.map((action, index) =>
    action.problem !== undefined || action.input === before.actions[index]!.input
      ? action
      : {
          ...action,
          problem: 'It contained a secret, which was masked after the call had been checked. Send it again.',
        },
  );
  return { ...now, actions };
}

/** Returns a value with known secrets masked in every text in it. */
export const maskedValue = (value: unknown, secrets: Pick<Secrets, 'maskKnown'>): unknown =>
  masked(value, secrets.maskKnown);

/** Logs without anything left to mask, with the version of the secrets for which that is true. */
const clean = new WeakMap<readonly Event[], { readonly secrets: Secrets; readonly version: number }>();

/**
 * Masks a saved log, yielding after each event. Returns the same array if this function produced it and no secret was
 * learned since.
 */
export function* maskedLog(events: readonly Event[], secrets: Secrets): InPieces<readonly Event[]> {
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

/** Masks every text in a value. Returns the same value if nothing was masked. Image data is kept. */
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

/** Base64 of image file signatures: PNG, JPEG, GIF, WebP, BMP, TIFF. */
const beginnings = /^(?:iVBORw0KGgo|\/9j\/|R0lGODdh|R0lGODlh|UklGR|Qk[0-3]|SUkqAA|TU0AKg)[A-Za-z0-9+/]*={0,2}$/;

/** Returns whether a text is a base64 image, which masking would break. */
export const isPictureData = (text: string): boolean => beginnings.test(text);

type TextDelta = Extract<Delta, { text: string }>;

/**
 * After these events, a reply that was cut off never continues. Text held back from it must not precede the next one.
 */
const cutReplies: ReadonlySet<Event['type']> = new Set(['paused', 'finished']);

/** Masks streamed text, each stream separately. Text held back is emitted before the event that ends its stream. */
export class MaskedDeltas {
  readonly #streams = new Map<string, { readonly delta: TextDelta; readonly stream: MaskedStream }>();

  constructor(
    private readonly secrets: Secrets,
    private readonly tell: (delta: Delta) => void,
  ) {}

  readonly add = (delta: Delta): void => {
    if (delta.kind === 'discard') this.#streams.clear();
    if (delta.kind === 'tool' && delta.path !== undefined)
      return this.tell({ ...delta, path: this.secrets.mask(delta.path) });
    if (!('text' in delta)) return this.tell(delta);
    const key = streamKey(delta);
    const known = this.#streams.get(key) ?? { delta, stream: this.secrets.stream() };
    this.#streams.set(key, known);
    const text = known.stream.push(delta.text);
    if (text !== '') this.tell({ ...delta, text });
  };

  /** Ends the streams that this event completes. */
  endedBy(event: Pick<Event, 'type'> & { readonly actionId?: string | undefined }): void {
    if (event.type === 'agent_response') {
      this.#end('reasoning', 'text');
      // The complete text of the call is in the log.
      this.#forgetReply();
      return;
    }
    if (cutReplies.has(event.type)) this.#forgetReply();
    if (event.type === 'observation' && event.actionId !== undefined) this.#end(event.actionId);
  }

  #forgetReply(): void {
    for (const [key, { delta }] of this.#streams) if (delta.kind !== 'output') this.#streams.delete(key);
  }

  #end(...keys: readonly string[]): void {
    for (const key of keys) {
      const known = this.#streams.get(key);
      if (!known) continue;
      this.#streams.delete(key);
      const text = known.stream.end();
      if (text !== '') this.tell({ ...known.delta, text });
    }
  }
}

function streamKey(delta: TextDelta): string {
  if (delta.kind === 'output') return delta.actionId;
  return delta.kind === 'written' ? `written ${delta.call}` : delta.kind;
}
