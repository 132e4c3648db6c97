import type { Asking, Assessment, ConfirmationMode } from '../../protocol/event';
import { atLeast } from './assessment';

export type ConfirmationPolicy = (risk: Assessment, asking?: Asking) => 'run' | 'ask';

/** `risky` asks for what is dangerous and for what nobody could judge, and for the kinds of things that a person named. What is below the floor is asked about by every policy: see `needsConsent`. */
export const confirmationPolicies: Record<ConfirmationMode, ConfirmationPolicy> = {
  always: () => 'ask',
  risky: ({ level, categories = [] }, { from = 'high', about = [] } = {}) => (level === 'unknown' || atLeast(level, from) || categories.some(category => about.includes(category)) ? 'ask' : 'run'),
  never: () => 'run',
};
