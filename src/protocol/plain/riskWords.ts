import type { Assessment } from '../events/risk';

/** How much an action should alarm: `danger` destroys or leaks, `caution` is worth a look, `calm` is low risk. */
export type Weight = 'danger' | 'caution' | 'calm';

/** The word before the headline of a card; views say it in their language. */
export type RiskWord = 'low' | 'medium' | 'high' | 'unknown' | 'danger' | 'caution';

/** Of an assessment without a weight, as in earlier logs, high risk is danger. */
export function weightOf({ level, weight }: Pick<Assessment, 'level' | 'weight'>): Weight {
  if (level === 'low') return 'calm';
  return weight ?? (level === 'high' ? 'danger' : 'caution');
}

export function riskWordOf(risk: Pick<Assessment, 'level' | 'weight'>): RiskWord {
  const weight = weightOf(risk);
  if (weight === 'calm') return 'low';
  if (weight === 'danger') return risk.level === 'high' ? 'high' : 'danger';
  // High, but nothing that destroys or leaks.
  return risk.level === 'high' ? 'caution' : risk.level;
}
