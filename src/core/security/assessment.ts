import type { Assessment, Reach, RiskLevel } from '../../protocol/event';

const severity = { low: 0, medium: 1, unknown: 2, high: 3 } as const;

export const harmless: Assessment = { level: 'low', reasons: [] };

/** The higher level wins and brings its culprit; the reasons and facts of both are kept. */
export function worst(a: Assessment, b: Assessment): Assessment {
  const [high, low] = severity[b.level] > severity[a.level] ? [b, a] : [a, b];
  const culprit = high.culprit ?? low.culprit;
  const categories = union(a.categories, b.categories);
  const reach = a.reach && b.reach ? bothReach(a.reach, b.reach) : a.reach ?? b.reach;
  return {
    level: high.level, reasons: [...new Set([...high.reasons, ...low.reasons])], ...(culprit !== undefined && { culprit }), ...((a.floor || b.floor) && { floor: true }), ...((a.guarded || b.guarded) && { guarded: true }),
    ...(reach && { reach }), ...(categories && { categories }), ...((a.tainted || b.tainted) && { tainted: true }), ...((a.pins || b.pins) && { pins: { ...a.pins, ...b.pins } }),
  };
}

export const atLeast = (level: RiskLevel, threshold: RiskLevel): boolean => severity[level] >= severity[threshold];

function bothReach(a: Reach, b: Reach): Reach {
  const [untrusted, secret, network] = [union(a.untrusted, b.untrusted), union(a.secret, b.secret), union(a.network, b.network)];
  const [plants, runsPlanted] = [union(a.plants, b.plants), union(a.runsPlanted, b.runsPlanted)];
  return {
    ...(untrusted && { untrusted }), ...(secret && { secret }), ...(network && { network }), ...((a.looks || b.looks) && { looks: true }),
    ...(plants && { plants }), ...(runsPlanted && { runsPlanted }),
  };
}

const union = <Item>(a: readonly Item[] | undefined, b: readonly Item[] | undefined): Item[] | undefined => (a || b ? [...new Set([...(a ?? []), ...(b ?? [])])] : undefined);
