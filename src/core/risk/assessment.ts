import { onOneLine } from '../text/shownName';
import type { Assessment, Reach, RiskLevel } from '../../protocol/events/event';
import { findingsToShow, severity, findingWeight, type Finding, type Harm } from './finding';

/** An assessment in progress. It contains the findings until everything is known; `finalAssessment` removes them. */
export interface Judged extends Assessment {
  readonly findings?: readonly Finding[];
}

export const harmless: Judged = { level: 'low', reasons: [] };

/** Combines two assessments: the higher level wins, reasons are ordered, and the facts of both are kept. */
export const worst = (a: Judged, b: Judged): Judged => worstOf([a, b]);

/** Combines any number of assessments, like `worst`. */
export function worstOf(assessments: readonly Judged[]): Judged {
  // Most assessments of a harmless call say nothing, and combining takes time.
  const all = assessments.filter((one) => !isNeutral(one));
  if (all.length === 0) return { level: 'low', reasons: [] };
  const words = concluded(highest(all), all.flatMap(findingsOf));
  const grounds = [...new Set(all.flatMap(groundsOf))];
  const categories = union(all.map((one) => one.categories));
  const reaches = all.flatMap(({ reach }) => reach ?? []);
  const pins = all.map((one) => one.pins).filter((one) => one !== undefined);
  const { grounds: own, ...rest } = words;
  const coveredBy = coverOf(all.map(coverOfAssessment));
  return {
    ...rest,
    ...(coveredBy && atLeast(words.level, 'unknown') && { coveredBy }),
    ...differing(grounds, words.reasons),
    ...(all.some(({ floor }) => floor) && { floor: true }),
    ...(all.some(({ guarded }) => guarded) && { guarded: true }),
    ...(reaches.length > 0 && { reach: joinedReach(reaches) }),
    ...(categories && { categories }),
    ...(all.some(({ tainted }) => tainted) && { tainted: true }),
    ...(pins.length > 0 && { pins: Object.assign({}, ...pins) as Record<string, string> }),
  };
}

/** Returns whether an assessment is like `harmless`, so that combining it with others changes nothing. */
function isNeutral(one: Judged): boolean {
  if (one.level !== 'low' || one.reasons.length > 0) return false;
  for (const field in one) if (field !== 'level' && field !== 'reasons') return false;
  return true;
}

const highest = (all: readonly { readonly level: RiskLevel }[]): RiskLevel =>
  all.reduce<RiskLevel>((level, one) => (severity[one.level] > severity[level] ? one.level : level), 'low');

/**
 * Combines a new assessment with the one from the proposal. The level never drops below the earlier one. Reasons come
 * from the new assessment, unless the earlier level was higher: reasons of different times may contradict each other,
 * so they are not mixed.
 */
export function reassessed(before: Assessment, now: Assessment): Assessment {
  const [words, other] = severity[now.level] >= severity[before.level] ? [now, before] : [before, now];
  const { reasons, culprit, weight, grounds, ...facts } = worst(before, now);
  const { findings, ...known } = facts;
  return {
    ...known,
    reasons: words.reasons,
    ...(words.culprit !== undefined && { culprit: words.culprit }),
    ...(words.weight && { weight: words.weight }),
    ...differing([...new Set([...groundsOf(words), ...groundsOf(other)])], words.reasons),
  };
}

/** Returns an assessment made of findings. */
export function assessmentOf(...findings: readonly Finding[]): Judged {
  const judged = concluded(highest(findings), findings);
  const coveredBy = coverOf(findings.map(coverOfFinding));
  return coveredBy && atLeast(judged.level, 'unknown') ? { ...judged, coveredBy } : judged;
}

type Cover = NonNullable<Assessment['coveredBy']>;

/** An action that needs no approval needs no consent and keeps its level. */
const needsNone = (rest: RiskLevel): Cover => ({ kinds: [], rest });

function coverOfFinding({ level, consent, rewords }: Finding): Cover | undefined {
  if (rewords) return needsNone('low');
  if (!atLeast(level, 'unknown')) return needsNone(level);
  return consent && { kinds: [consent], rest: 'low' };
}

const coverOfAssessment = ({ level, coveredBy }: Judged): Cover | undefined =>
  atLeast(level, 'unknown') ? coveredBy : needsNone(level);

/** Returns the kinds of consent that together cover everything, or undefined if one part cannot be covered. */
function coverOf(covers: readonly (Cover | undefined)[]): Cover | undefined {
  const existing = covers.filter((cover) => cover !== undefined);
  if (existing.length < covers.length) return undefined;
  const kinds = [...new Set(existing.flatMap((cover) => cover.kinds))].sort();
  return { kinds, rest: highest(existing.map(({ rest }) => ({ level: rest }))) };
}

/** Returns the assessment to show and log. */
export function finalAssessment({ findings, ...assessment }: Judged): Assessment {
  return { ...assessment, reasons: assessment.reasons.map(onOneLine) };
}

/** Reasons without names, by which allow rules compare. */
export const groundsOf = ({ grounds, reasons }: Assessment): readonly string[] => grounds ?? reasons;

/** Returns the assessment with a known harm. */
export function withHarm(judged: Judged, harm: Harm): Judged {
  return { ...judged, findings: findingsOf(judged).map((one) => ({ ...one, harm })) };
}

export const atLeast = (level: RiskLevel, threshold: RiskLevel): boolean => severity[level] >= severity[threshold];

const ordinaryHarm: Record<RiskLevel, Harm> = { low: 'none', medium: 'none', unknown: 'unknown', high: 'changes' };

/** Returns the findings of an assessment. Plain reasons of a tool or analyzer are converted to findings. */
function findingsOf({ findings, level, reasons, culprit }: Judged): readonly Finding[] {
  if (findings) return findings;
  const part = culprit !== undefined && { part: culprit };
  // A part without a reason still shows what was decisive.
  const sentences = reasons.length > 0 || culprit === undefined ? reasons : [''];
  return sentences.map((reason) => ({ level, harm: ordinaryHarm[level], reason, ...part }));
}

function concluded(level: RiskLevel, findings: readonly Finding[]): Judged {
  const [headline, ...others] = findingsToShow(findings);
  const reasons = headline ? [headline, ...others].map(({ reason }) => reason) : [];
  const grounds = [...new Set(findings.map(({ ground, reason }) => ground ?? reason))].filter(
    (ground) => ground !== '',
  );
  const part = headline ? headline.part : findings.find((one) => one.level === level && one.part !== undefined)?.part;
  const isAlarming = headline !== undefined && findingWeight(headline) === 'danger';
  return {
    level,
    reasons,
    ...(part !== undefined && { culprit: part }),
    ...(level === 'high' && headline && !isAlarming && { weight: 'caution' as const }),
    ...differing(grounds, reasons),
    ...(findings.length > 0 && { findings }),
  };
}

/** Grounds are stored only if they differ from the reasons. */
function differing(grounds: readonly string[], reasons: readonly string[]): { grounds?: string[] } {
  const same = grounds.length === reasons.length && grounds.every((ground) => reasons.includes(ground));
  return same ? {} : { grounds: [...grounds] };
}

function joinedReach(all: readonly Reach[]): Reach {
  const untrusted = union(all.map((one) => one.untrusted));
  const secret = union(all.map((one) => one.secret));
  const network = union(all.map((one) => one.network));
  const quotes = union(all.map((one) => one.quotes));
  const plants = union(all.map((one) => one.plants));
  const runsPlanted = union(all.map((one) => one.runsPlanted));
  return {
    ...(untrusted && { untrusted }),
    ...(secret && { secret }),
    ...(network && { network }),
    ...(all.some(({ looks }) => looks) && { looks: true }),
    ...(quotes && { quotes }),
    ...(plants && { plants }),
    ...(runsPlanted && { runsPlanted }),
  };
}

/** Returns undefined if none of the lists is given. */
function union<Item>(lists: readonly (readonly Item[] | undefined)[]): Item[] | undefined {
  const existing = lists.filter((list) => list !== undefined);
  return existing.length > 0 ? [...new Set(existing.flat())] : undefined;
}
