import type { Assessment } from '../events/risk';

/** How alarming an action is: `danger` destroys or leaks, `caution` deserves a look, `calm` is low risk. */
export type Weight = 'danger' | 'caution' | 'calm';

/** Word before the headline of a card; views translate it. */
export type RiskWord = 'low' | 'medium' | 'high' | 'unknown' | 'danger' | 'caution';

/** Returns the weight. An assessment without one, as in earlier logs, counts as danger if its risk is high. */
export function weightOf({ level, weight }: Pick<Assessment, 'level' | 'weight'>): Weight {
  if (level === 'low') return 'calm';
  return weight ?? (level === 'high' ? 'danger' : 'caution');
}

/** Returns the word for a risk on cards: calm counts as low. */
export function riskWordOf(risk: Pick<Assessment, 'level' | 'weight'>): RiskWord {
  const weight = weightOf(risk);
  if (weight === 'calm') return 'low';
  if (weight === 'danger') return risk.level === 'high' ? 'high' : 'danger';
  // High risk, but neither destroys nor leaks anything.
  return risk.level === 'high' ? 'caution' : risk.level;
}

/** Ground of an action that changes `.git`, which has no copy for undo. */
export const changesGitInternals = 'Changes the internals of the Git repository.';
