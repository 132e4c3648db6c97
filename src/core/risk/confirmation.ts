import type { ConfirmationMode, Asking, Assessment, ConsentKind } from '../../protocol/events/event';
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

/**
 * How an action is judged without what was consented to beforehand: the same where something of it has no kind, or a
 * kind that was not given, and where what the session had read made it dangerous.
 */
export function withoutConsented(risk: Assessment, consented: readonly ConsentKind[] = []): Assessment {
  const { coveredBy, tainted } = risk;
  const isCovered = coveredBy && !tainted && coveredBy.kinds.every((kind) => consented.includes(kind));
  return isCovered ? { ...risk, level: coveredBy.rest } : risk;
}

/** How consent is decided on. */
export const policyIn = ({ mode, confirmation }: Pick<RunSettings, 'mode' | 'confirmation'>): ConfirmationMode =>
  mode === 'auto' ? 'never' : confirmation;
