import type { Event } from '../../protocol/events/event';
import type { Delta } from '../../protocol/panel/panel';

/** Characters kept of a reply, and of the output of one command. */
const MOST_REPLY = 256_000;
const MOST_OUTPUT = 64_000;
/** Of what a call writes, the end is shown. */
const MOST_WRITTEN = 4000;

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
      this.parts = this.parts.filter(({ kind }) => kind === 'reading');
      return;
    }
    // Of several calls the one that is being written is shown.
    if (delta.kind === 'tool') this.parts = this.parts.filter((part) => !isOfAnotherCall(part, delta.call));
    const known = this.parts.find((part) => isSame(part, delta));
    if (known) merge(known, delta);
    else this.parts.push({ ...delta });
    bounded(known ?? this.parts.at(-1)!);
  }

  /** What the log now holds is not in flight any more. */
  logged(event: Event): void {
    if (event.type === 'observation')
      this.parts = this.parts.filter(
        (part) => (part.kind !== 'output' && part.kind !== 'child') || part.actionId !== event.actionId,
      );
    else if (['agent_response', 'feedback', 'retry_scheduled', 'finished', 'paused'].includes(event.type))
      this.parts = this.parts.filter(
        (part) =>
          part.kind === 'output' ||
          part.kind === 'child' ||
          (part.kind === 'reading' && event.type === 'retry_scheduled'),
      );
  }
}

/** Whether the later delta belongs to the same output, session or reply as the one before. */
export function isSame(before: Delta, delta: Delta): boolean {
  if (before.kind === 'output') return delta.kind === 'output' && delta.actionId === before.actionId;
  if (before.kind === 'child') return delta.kind === 'child' && delta.session === before.session;
  if (before.kind === 'tool' || before.kind === 'written')
    return delta.kind === before.kind && delta.call === before.call;
  return before.kind === delta.kind;
}

/** Makes one delta of two that are the same: texts grow, of all else the later one counts. */
export function merge(before: Delta, delta: Delta): void {
  if ('text' in before && 'text' in delta) before.text += delta.text;
  else Object.assign(before, delta);
}

const isOfAnotherCall = (part: Delta, call: number | undefined): boolean =>
  (part.kind === 'tool' || part.kind === 'written') && part.call !== call;

/**
 * Cuts the head off, at a line break where one is near, once twice the bound is reached:
 * rarely, so that it costs little per delta.
 */
function bounded(delta: Delta): void {
  if (!('text' in delta)) return;
  const most = mostOf[delta.kind];
  if (delta.text.length > 2 * most) {
    const line = delta.text.indexOf('\n', delta.text.length - most) + 1;
    delta.text = delta.text.slice(line || delta.text.length - most);
    if (delta.kind === 'output') delta.cut = true;
  }
}

const mostOf = { text: MOST_REPLY, reasoning: MOST_REPLY, output: MOST_OUTPUT, written: MOST_WRITTEN };
