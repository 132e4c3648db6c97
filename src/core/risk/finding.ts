import type { ConsentKind, RiskLevel, RiskWeight } from '../../protocol/events/event';

/** What a finding threatens, from the least to the worst. Of findings on one level, the worst comes first. */
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
 * `none`: nothing beyond the ordinary. `unknown`: cannot be determined. `unusual`: known, and harmless by itself.
 * `installs`: brings in code of others. `changes`: changes something outside the workspace, or something that others
 * rely on. `destroys`: loses work or data. `leaks`: shows secrets. `sends`: sends something to another machine. `runs`:
 * runs code that nobody has read. `machine`: damages the computer.
 */
export type Harm = (typeof harms)[number];

/** One thing that is known about a call, as a sentence for a person. */
export interface Finding {
  readonly level: RiskLevel;
  readonly harm: Harm;
  /** One claim: subject, verb, object, with the names it is about. */
  readonly reason: string;
  /** The same without names, by which standing permissions compare; the reason itself when absent. */
  readonly ground?: string;
  /** The exact part of the input that it is about. */
  readonly part?: string;
  /**
   * What it is about, such as one of several commands. Of findings on one subject none may contradict another; see
   * `exclusive`.
   */
  readonly subject?: string;
  /** The kind of consent that covers exactly this; none where only a person decides. */
  readonly consent?: ConsentKind;
  /** It says in other words what another finding says, which decides alone whether consent covers it. */
  readonly rewords?: true;
  /** It says what such a thing does in general. A finding on the same subject that says more takes its place. */
  readonly general?: true;
}

const severity = { low: 0, medium: 1, unknown: 2, high: 3 } as const;
const rank = ({ harm }: Finding): number => harms.indexOf(harm);
const isKnown = ({ harm }: Finding): boolean => harm !== 'unknown';

/** Whether a finding alarms or only warns. Without a danger that is known, nothing alarms. */
export const weightOf = ({ level, harm }: Finding): RiskWeight =>
  level === 'high' && harms.indexOf(harm) >= harms.indexOf('changes') ? 'danger' : 'caution';

/** The findings that a person is told, the weightiest first. */
export function told(findings: readonly Finding[]): Finding[] {
  const sorted = exclusive(findings).toSorted((a, b) => severity[b.level] - severity[a.level] || rank(b) - rank(a));
  const seen = new Set<string>();
  return sorted.filter(({ reason }) => reason !== '' && !seen.has(reason) && seen.add(reason));
}

/**
 * Leaves out what another finding on the same subject makes untrue or needless: a general sentence where a special
 * one says more, a
 * doubt where the danger is known, and every ordinary effect of a command that does something dangerous as a whole.
 */
function exclusive(findings: readonly Finding[]): Finding[] {
  const subjects = new Map<string, Heights>();
  for (const finding of findings) {
    if (finding.subject === undefined) continue;
    const heights = subjects.get(finding.subject) ?? { known: -1, special: -1, any: -1 };
    const height = severity[finding.level];
    subjects.set(finding.subject, {
      known: isKnown(finding) ? Math.max(heights.known, height) : heights.known,
      special: finding.general || !isKnown(finding) ? heights.special : Math.max(heights.special, height),
      any: Math.max(heights.any, height),
    });
  }
  return findings.filter(
    (finding) => finding.subject === undefined || remains(finding, subjects.get(finding.subject)!),
  );
}

/**
 * How grave the gravest findings on a subject are: those that are known, those of them that say something special,
 * and all.
 */
interface Heights {
  readonly known: number;
  readonly special: number;
  readonly any: number;
}

function remains(finding: Finding, { known, special, any }: Heights): boolean {
  const height = severity[finding.level];
  if (!isKnown(finding)) return known < severity.unknown || known < height;
  return !finding.general || (special < height && any <= height);
}
