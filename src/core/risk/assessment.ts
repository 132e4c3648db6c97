import type { Assessment, Reach, RiskLevel } from '../../protocol/events/event';
import { told, weightOf, type Finding, type Harm } from './finding';

const severity = { low: 0, medium: 1, unknown: 2, high: 3 } as const;

/** An assessment on its way: it carries what was found until everything is known. `settled` leaves that out. */
export interface Judged extends Assessment {
  readonly findings?: readonly Finding[];
}

export const harmless: Judged = { level: 'low', reasons: [] };

/** The higher level wins; reasons are put in order, and the facts of both are kept. */
export const worst = (a: Judged, b: Judged): Judged => worstOf([a, b]);

/** The same for any number of them. */
export function worstOf(all: readonly Judged[]): Judged {
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

const highest = (all: readonly { readonly level: RiskLevel }[]): RiskLevel =>
  all.reduce<RiskLevel>((level, one) => (severity[one.level] > severity[level] ? one.level : level), 'low');

/**
 * An action judged again: never below what it was when it was proposed, in the words of now unless it was higher
 * before. Two answers of
 * different times may contradict each other, so the words of one of them are kept, not both.
 */
export function judgedAgain(before: Assessment, now: Assessment): Assessment {
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

/** One finding as an assessment. */
export function judgedAs(...findings: readonly Finding[]): Judged {
  const judged = concluded(highest(findings), findings);
  const coveredBy = coverOf(findings.map(coverOfFinding));
  return coveredBy && atLeast(judged.level, 'unknown') ? { ...judged, coveredBy } : judged;
}

type Cover = NonNullable<Assessment['coveredBy']>;

/** An action that needs no question needs no consent, and stays as it is. */
const needsNone = (rest: RiskLevel): Cover => ({ kinds: [], rest });

function coverOfFinding({ level, consent, rewords }: Finding): Cover | undefined {
  if (rewords) return needsNone('low');
  if (!atLeast(level, 'unknown')) return needsNone(level);
  return consent && { kinds: [consent], rest: 'low' };
}

const coverOfAssessment = ({ level, coveredBy }: Judged): Cover | undefined =>
  atLeast(level, 'unknown') ? coveredBy : needsNone(level);

/** The kinds that together cover all of them; undefined if one of them has no kind. */
function coverOf(covers: readonly (Cover | undefined)[]): Cover | undefined {
  const known = covers.filter((cover) => cover !== undefined);
  if (known.length < covers.length) return undefined;
  const kinds = [...new Set(known.flatMap((cover) => cover.kinds))].sort();
  return { kinds, rest: highest(known.map(({ rest }) => ({ level: rest }))) };
}

/** The assessment as it is shown and logged. */
export function settled({ findings, ...assessment }: Judged): Assessment {
  return assessment;
}

/** Reasons without names, by which standing permissions compare. */
export const groundsOf = ({ grounds, reasons }: Assessment): readonly string[] => grounds ?? reasons;

/** The same assessment, with what it threatens known. */
export function harming(judged: Judged, harm: Harm): Judged {
  return { ...judged, findings: findingsOf(judged).map((one) => ({ ...one, harm })) };
}

export const atLeast = (level: RiskLevel, threshold: RiskLevel): boolean => severity[level] >= severity[threshold];

const ordinaryHarm: Record<RiskLevel, Harm> = { low: 'none', medium: 'none', unknown: 'unknown', high: 'changes' };

/** What an assessment rests on; those that a tool or an analyzer wrote as plain reasons are read as findings. */
function findingsOf({ findings, level, reasons, culprit }: Judged): readonly Finding[] {
  if (findings) return findings;
  const part = culprit !== undefined && { part: culprit };
  // A part without a reason still shows what decided.
  const sentences = reasons.length > 0 || culprit === undefined ? reasons : [''];
  return sentences.map((reason) => ({ level, harm: ordinaryHarm[level], reason, ...part }));
}

function concluded(level: RiskLevel, findings: readonly Finding[]): Judged {
  const [headline, ...others] = told(findings);
  const reasons = headline ? [headline, ...others].map(({ reason }) => reason) : [];
  const grounds = [...new Set(findings.map(({ ground, reason }) => ground ?? reason))].filter(
    (ground) => ground !== '',
  );
  const part = headline ? headline.part : findings.find((one) => one.level === level && one.part !== undefined)?.part;
  const isAlarming = headline !== undefined && weightOf(headline) === 'danger';
  return {
    level,
    reasons,
    ...(part !== undefined && { culprit: part }),
    ...(level === 'high' && headline && !isAlarming && { weight: 'caution' as const }),
    ...differing(grounds, reasons),
    ...(findings.length > 0 && { findings }),
  };
}

/** Grounds are only kept where they are not the reasons themselves. */
function differing(grounds: readonly string[], reasons: readonly string[]): { grounds?: string[] } {
  const same = grounds.length === reasons.length && grounds.every((ground) => reasons.includes(ground));
  return same ? {} : { grounds: [...grounds] };
}

function joinedReach(all: readonly Reach[]): Reach {
  const untrusted = union(all.map((one) => one.untrusted));
  const secret = union(all.map((one) => one.secret));
  const network = union(all.map((one) => one.network));
  const plants = union(all.map((one) => one.plants));
  const runsPlanted = union(all.map((one) => one.runsPlanted));
  return {
    ...(untrusted && { untrusted }),
    ...(secret && { secret }),
    ...(network && { network }),
    ...(all.some(({ looks }) => looks) && { looks: true }),
    ...(plants && { plants }),
    ...(runsPlanted && { runsPlanted }),
  };
}

/** Undefined where none of them is given. */
function union<Item>(lists: readonly (readonly Item[] | undefined)[]): Item[] | undefined {
  const given = lists.filter((list) => list !== undefined);
  return given.length > 0 ? [...new Set(given.flat())] : undefined;
}
