import type { ConsentKind, RiskLevel, RiskWeight } from '../../protocol/events/event';

/** Harms, least severe first. Among findings with the same level, the most severe comes first. */
const harms = [
  'none',
  'unknown',
  'unusual',
  'installs',
  'changes',
  'destroys',
  'leaks',
  'sends',
  'runs',
  'machine',
] as const;

/**
 * `none`: nothing unusual. `unknown`: cannot be determined. `unusual`: known, and harmless by itself. `installs`:
 * installs code of others. `changes`: changes something outside the workspace, or something others rely on. `destroys`:
 * loses work or data. `leaks`: reveals secrets. `sends`: sends something to another machine. `runs`: runs code that
 * nobody has read. `machine`: damages the computer.
 */
export type Harm = (typeof harms)[number];

/** A fact about a call, as a sentence for people. */
export interface Finding {
  readonly level: RiskLevel;
  readonly harm: Harm;
  /** A single statement with subject, verb and object, and the names involved. */
  readonly reason: string;
  /** The reason without names, by which allow rules compare. Defaults to the reason. */
  readonly ground?: string;
  /** Exact part of the input it refers to. */
  readonly part?: string;
  /**
   * What it refers to, such as one of several commands. Findings on the same subject must not contradict each other;
   * see `exclusive`.
   */
  readonly subject?: string;
  /** The kind of consent that covers exactly this. Absent if only a person can decide. */
  readonly consent?: ConsentKind;
  /** Rewords another finding, which alone decides whether consent covers it. */
  readonly rewords?: true;
  /** A general statement, replaced by a more specific finding on the same subject. */
  readonly general?: true;
}

/** Orders the levels of risk. What is unknown may be high, so it is above medium. */
export const severity = { low: 0, medium: 1, unknown: 2, high: 3 } as const;
const rank = ({ harm }: Finding): number => harms.indexOf(harm);
const isKnown = ({ harm }: Finding): boolean => harm !== 'unknown';

/** Returns whether a finding is a danger or only a caution. It is a danger only if the harm is known. */
export const findingWeight = ({ level, harm }: Finding): RiskWeight =>
  level === 'high' && harms.indexOf(harm) >= harms.indexOf('changes') ? 'danger' : 'caution';

/** Returns the findings to show to people, most severe first. */
export function findingsToShow(findings: readonly Finding[]): Finding[] {
  const sorted = exclusive(findings).toSorted((a, b) => severity[b.level] - severity[a.level] || rank(b) - rank(a));
  const shownReasons = new Set<string>();
  return sorted.filter(({ reason }) => reason !== '' && !shownReasons.has(reason) && shownReasons.add(reason));
}

/**
 * Removes findings that another one on the same subject contradicts or makes redundant: a general statement if there is
 * a specific one, a doubt if the danger is known, and ordinary effects of a command that is dangerous as a whole.
 */
function exclusive(findings: readonly Finding[]): Finding[] {
  const subjects = new Map<string, Heights>();
  for (const finding of findings) {
    if (finding.subject === undefined) continue;
    const heights = subjects.get(finding.subject) ?? { knownCount: -1, special: -1, any: -1 };
    const height = severity[finding.level];
    subjects.set(finding.subject, {
      knownCount: isKnown(finding) ? Math.max(heights.knownCount, height) : heights.knownCount,
      special: finding.general || !isKnown(finding) ? heights.special : Math.max(heights.special, height),
      any: Math.max(heights.any, height),
    });
  }
  return findings.filter(
    (finding) => finding.subject === undefined || remains(finding, subjects.get(finding.subject)!),
  );
}

/** Highest severity of the findings on a subject: known ones, known and specific ones, and all. */
interface Heights {
  readonly knownCount: number;
  readonly special: number;
  readonly any: number;
}

function remains(finding: Finding, { knownCount, special, any }: Heights): boolean {
  const height = severity[finding.level];
  if (!isKnown(finding)) return knownCount < severity.unknown || knownCount < height;
  return !finding.general || (special < height && any <= height);
}
