import { assessmentOf, worstOf, type Judged } from '../risk/assessment';
import type { RiskAnalyzer } from '../ports/analyzer';
import type { Finding } from '../risk/finding';
import { isGuarded, protectedWrites, matchingRules, secretReads, type PathRule } from '../risk/pathRules';

/** Judges the paths that a call declares: protected files it writes, secrets it reads. Links are resolved elsewhere. */
export const pathAnalyzer: RiskAnalyzer = {
  name: 'path',
  assess({
    call: {
      touches: { reads = [], writes = [] },
    },
  }) {
    const shown = reads.flatMap((path) =>
      matchingRules(path, secretReads).map((rule) => assessmentOf(findingOn(path, rule, 'Reads'))),
    );
    return worstOf([...shown, ...writes.flatMap(judgeWrite)]);
  },
};

function judgeWrite(path: string): Judged[] {
  const rules = matchingRules(path, [...protectedWrites, ...secretReads]);
  return rules.map((rule) => ({
    ...assessmentOf(findingOn(path, rule, 'Changes')),
    ...(isGuarded(path) && { guarded: true as const }),
  }));
}

function findingOn(path: string, { level, reason, about }: PathRule, verb: 'Reads' | 'Changes'): Finding {
  const harm = verb === 'Reads' ? 'leaks' : 'changes';
  return {
    level,
    harm: level === 'high' ? harm : 'none',
    reason: `${verb} ${path}, ${about}.`,
    ground: reason,
    part: path,
  };
}
