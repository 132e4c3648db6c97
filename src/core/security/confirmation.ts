import type { Assessment, ConfirmationMode } from '../../protocol/event';

export type ConfirmationPolicy = (risk: Assessment) => 'run' | 'ask';

/** `risky` asks for what is dangerous and for what nobody could judge. */
export const confirmationPolicies: Record<ConfirmationMode, ConfirmationPolicy> = {
  always: () => 'ask',
  risky: ({ level }) => (level === 'high' || level === 'unknown' ? 'ask' : 'run'),
  never: () => 'run',
};
