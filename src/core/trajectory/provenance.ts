import { fingerprints } from './provenance/fingerprints';
import { matchLines } from './provenance/matchLines';

/**
 * Tracks which step each line of a file comes from. A text is a list of lines, each with its origin. A change preserves
 * the origin of every line that still exists, wherever it moved; all other lines get the origin of the change.
 * Independent of files and editors.
 */

/** Action that wrote a line. `session` is the session's id, `action` the id of the action in its log. */
export interface StepOrigin {
  readonly session: string;
  readonly action: string;
}

/** `person`: typed in the editor. `unknown`: existed before the agent, or changed by another program. */
export type Origin = StepOrigin | 'person' | 'unknown';

/** A file reduced to hashes of its lines, with who wrote each. */
export interface MarkedText {
  /** Line hashes from `fingerprints`. */
  readonly lines: readonly number[];
  /** Origin of each line. */
  readonly origins: readonly Origin[];
}

/** A text without lines, such as a file before it is created. */
export const emptyText: MarkedText = { lines: [], origins: [] };

export const isStep = (origin: Origin | undefined): origin is StepOrigin => typeof origin === 'object';

const sameOrigin = (one: Origin | undefined, other: Origin | undefined): boolean =>
  one === other || (isStep(one) && isStep(other) && one.session === other.session && one.action === other.action);

/** Returns a text with a single origin. */
export function markedText(text: string, by: Origin): MarkedText {
  const lines = fingerprints(text);
  return { lines, origins: lines.map(() => by) };
}

/** Returns the text after a change by `by`. Existing lines keep their origin. */
export function textAfterChange(before: MarkedText, lines: readonly number[], by: Origin): MarkedText {
  const was = matchLines(before.lines, lines);
  return { lines, origins: lines.map((_line, index) => before.origins[was[index]!] ?? by) };
}

/** Consecutive lines `from` to `to` (from 0, `to` exclusive) with the same origin. */
interface OriginSpan {
  readonly from: number;
  readonly to: number;
  readonly origin: Origin;
}

/**
 * Returns the runs of adjacent lines that have the same origin. `from` and `to` are line indices; `to` is exclusive.
 */
export function spansOf({ origins }: MarkedText): OriginSpan[] {
  const spans: OriginSpan[] = [];
  for (let from = 0, to = 1; to <= origins.length; to++) {
    if (sameOrigin(origins[from], origins[to])) continue;
    spans.push({ from, to, origin: origins[from]! });
    from = to;
  }
  return spans;
}
