import type { Event } from '../../protocol/events/event';
import type { Delta } from '../../protocol/panel/panel';

/** Maximum length kept of a reply, and of the output of one command, in characters. */
const MOST_REPLY = 256_000;
const MOST_OUTPUT = 64_000;
/** Maximum length kept of the text a tool call writes, in characters. The end is shown. */
const MOST_WRITTEN = 4000;

/** Deltas that are not in the log yet, merged and bounded. A view that connects in the middle of a step gets them. */
export class InFlight {
  private parts: Delta[] = [];

  /** The deltas, merged. */
  get deltas(): readonly Delta[] {
    return this.parts;
  }

  add(delta: Delta): void {
    if (delta.kind === 'discard') {
      this.parts = this.parts.filter(({ kind }) => kind === 'reading');
      return;
    }
    // If there are several calls, only the one being written is shown.
    if (delta.kind === 'tool') this.parts = this.parts.filter((part) => !isOfAnotherCall(part, delta.call));
    const known = this.parts.find((part) => belongTogether(part, delta));
    if (known) merge(known, delta);
    else this.parts.push({ ...delta });
    truncateStart(known ?? this.parts.at(-1)!);
  }

  /** Removes deltas that the log now contains. */
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

/** Returns whether a later delta belongs to the same output, session or reply. */
export function belongTogether(before: Delta, delta: Delta): boolean {
  if (before.kind === 'output') return delta.kind === 'output' && delta.actionId === before.actionId;
  if (before.kind === 'child') return delta.kind === 'child' && delta.session === before.session;
  if (before.kind === 'tool' || before.kind === 'written')
    return delta.kind === before.kind && delta.call === before.call;
  return before.kind === delta.kind;
}

/** Merges a later delta into an earlier one: texts are appended, everything else is replaced. */
export function merge(before: Delta, delta: Delta): void {
  if ('text' in before && 'text' in delta) before.text += delta.text;
  else Object.assign(before, delta);
}

const isOfAnotherCall = (part: Delta, call: number | undefined): boolean =>
  (part.kind === 'tool' || part.kind === 'written') && part.call !== call;

/**
 * Truncates the beginning once twice the bound is reached, if possible at a line break. This happens rarely, so it
 * costs little per delta.
 */
function truncateStart(delta: Delta): void {
  if (!('text' in delta)) return;
  const most = maxCharacters[delta.kind];
  if (delta.text.length > 2 * most) {
    const line = delta.text.indexOf('\n', delta.text.length - most) + 1;
    delta.text = delta.text.slice(line || delta.text.length - most);
    if (delta.kind === 'output') delta.cut = true;
  }
}

const maxCharacters = { text: MOST_REPLY, reasoning: MOST_REPLY, output: MOST_OUTPUT, written: MOST_WRITTEN };
