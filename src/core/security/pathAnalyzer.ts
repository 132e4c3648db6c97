import type { Assessment } from '../../protocol/event';
import { harmless, worst } from './assessment';
import type { RiskAnalyzer } from './analyzers';
import { isGuarded, protectedWrites, rulesFor, secretReads, type PathRule } from './pathRules';

/** Judges the paths a call declares: protected files it writes, secrets it reads. Where they really lead is the resolver's work. */
export const pathAnalyzer: RiskAnalyzer = {
  name: 'path',
  assess({ call: { touches: { reads = [], writes = [] } } }) {
    return [...reads.flatMap(path => judged(path, secretReads)), ...writes.flatMap(path => judged(path, [...protectedWrites, ...secretReads]).map(one => (isGuarded(path) ? { ...one, guarded: true } : one)))].reduce(worst, harmless);
  },
};

const judged = (path: string, rules: readonly PathRule[]): Assessment[] => rulesFor(path, rules).map(({ level, reason }) => ({ level, reasons: [reason], culprit: path }));
