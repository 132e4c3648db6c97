import { fingerprints } from './provenance/fingerprints';
import { matchLines } from './provenance/matchLines';

/**
 * Which step each line of a file comes from. A text is a list of lines, each with its origin. A change keeps the origin
 * of every line that is still there, wherever it is now; all other lines get the origin of whoever made the change.
 * Nothing here knows about files or editors.
 */

/**
 * The action of a session that wrote a line. `session` is the session's id, `action` the id of the action in its log.
 */
export interface StepOrigin {
  readonly session: string;
  readonly action: string;
}

/** `person`: typed in the editor. `unknown`: there before the agent came, or changed by another program. */
export type Origin = StepOrigin | 'person' | 'unknown';

export interface MarkedText {
  /** As `fingerprints` gives them. */
  readonly lines: readonly number[];
  /** The origin of each line. */
  readonly origins: readonly Origin[];
}

/** A text without lines: what there is of a file before it is created. */
export const nothing: MarkedText = { lines: [], origins: [] };

export const isStep = (origin: Origin | undefined): origin is StepOrigin => typeof origin === 'object';

const sameOrigin = (one: Origin | undefined, other: Origin | undefined): boolean =>
  one === other || (isStep(one) && isStep(other) && one.session === other.session && one.action === other.action);

/** A text that is all of one origin. */
export function markedText(text: string, by: Origin): MarkedText {
  const lines = fingerprints(text);
  return { lines, origins: lines.map(() => by) };
}

/** The text after a change by `by`: lines that were there keep their origin. */
export function afterChange(before: MarkedText, lines: readonly number[], by: Origin): MarkedText {
  const was = matchLines(before.lines, lines);
  return { lines, origins: lines.map((_line, at) => before.origins[was[at]!] ?? by) };
}

/** Lines `from` … `to` (from 0, `to` exclusive) that one after the other are of one origin. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly origin: Origin;
}

export function spansOf({ origins }: MarkedText): Span[] {
  const spans: Span[] = [];
  for (let from = 0, to = 1; to <= origins.length; to++) {
    if (sameOrigin(origins[from], origins[to])) continue;
    spans.push({ from, to, origin: origins[from]! });
    from = to;
  }
  return spans;
}
