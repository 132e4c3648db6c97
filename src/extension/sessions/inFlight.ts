import type { Event } from '../../protocol/events/event';
import type { Delta } from '../../protocol/panel/panel';

/** Characters kept of a reply, and of the output of one command. */
const MOST_REPLY = 256_000;
const MOST_OUTPUT = 64_000;

/**
 * What streamed and is not in the log yet, merged and bounded, so that a view that comes
 * in the middle of a step can be shown it.
 */
export class InFlight {
  private parts: Delta[] = [];

  /** As few deltas as say the same. */
  get deltas(): readonly Delta[] {
    return this.parts;
  }

  add(delta: Delta): void {
    if (delta.kind === 'discard') {
      this.parts = [];
      return;
    }
    const known = this.parts.find((part) => isSame(part, delta));
    if (!known) {
      this.parts.push(bounded({ ...delta }));
      return;
    }
    if ('text' in known && 'text' in delta) known.text += delta.text;
    else Object.assign(known, delta);
    bounded(known);
  }

  /** What the log now holds is not in flight any more. */
  logged(event: Event): void {
    if (event.type === 'observation')
      this.parts = this.parts.filter(
        (part) => (part.kind !== 'output' && part.kind !== 'child') || part.actionId !== event.actionId,
      );
    else if (['agent_response', 'feedback', 'retry_scheduled', 'finished', 'paused'].includes(event.type))
      this.parts = this.parts.filter((part) => part.kind === 'output' || part.kind === 'child');
  }
}

/** Whether the later delta belongs to the same output, session or reply as the one before. */
export function isSame(before: Delta, delta: Delta): boolean {
  if (before.kind === 'output') return delta.kind === 'output' && delta.actionId === before.actionId;
  if (before.kind === 'child') return delta.kind === 'child' && delta.session === before.session;
  return before.kind === delta.kind;
}

/**
 * Cuts the head off, at a line break where one is near, once twice the bound is reached:
 * rarely, so that it costs little per delta.
 */
function bounded(delta: Delta): Delta {
  if (!('text' in delta)) return delta;
  const most = delta.kind === 'output' ? MOST_OUTPUT : MOST_REPLY;
  if (delta.text.length > 2 * most) {
    const line = delta.text.indexOf('\n', delta.text.length - most) + 1;
    delta.text = delta.text.slice(line || delta.text.length - most);
    if (delta.kind === 'output') delta.cut = true;
  }
  return delta;
}
