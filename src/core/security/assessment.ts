import type { Assessment } from '../../protocol/event';

const severity = { low: 0, medium: 1, unknown: 2, high: 3 } as const;

export const harmless: Assessment = { level: 'low', reasons: [] };

/** The higher level wins and brings its culprit; the reasons of both are kept. */
export function worst(a: Assessment, b: Assessment): Assessment {
  const [high, low] = severity[b.level] > severity[a.level] ? [b, a] : [a, b];
  const culprit = high.culprit ?? low.culprit;
  return { level: high.level, reasons: [...new Set([...high.reasons, ...low.reasons])], ...(culprit !== undefined && { culprit }), ...((a.floor || b.floor) && { floor: true }), ...((a.pins || b.pins) && { pins: { ...a.pins, ...b.pins } }) };
}
