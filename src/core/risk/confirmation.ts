import type { ConfirmationMode, Asking, Assessment } from '../../protocol/events/event';
import type { RunSettings } from '../log/history';
import { atLeast } from './assessment';

export type ConfirmationPolicy = (risk: Assessment, asking?: Asking) => 'run' | 'ask';

/**
 * `risky` asks for what is dangerous and for what nobody could judge, and for the kinds of things that a person
 * named. `asksAlways` goes before all of them.
 */
export const confirmationPolicies: Record<ConfirmationMode, ConfirmationPolicy> = {
  always: () => 'ask',
  risky: ({ level, categories = [] }, { from = 'high', about = [] } = {}) =>
    level === 'unknown' || atLeast(level, from) || categories.some((category) => about.includes(category))
      ? 'ask'
      : 'run',
  never: () => 'run',
};

/**
 * What only a person lets run, in every mode: what destroys the machine, and what changes the files that others go
 * by. No rule covers it.
 */
export const asksAlways = ({ floor, guarded }: Assessment): boolean => floor === true || guarded === true;

/** How consent is decided on. */
export const policyIn = ({ mode, confirmation }: Pick<RunSettings, 'mode' | 'confirmation'>): ConfirmationMode =>
  mode === 'auto' ? 'never' : confirmation;
