import type { Event } from '../../protocol/events/event';
import type { Delta } from '../../protocol/panel/panel';
import type { MaskedStream, Secrets } from './secrets';

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
