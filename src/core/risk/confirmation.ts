import type { ConfirmationMode, Asking, Assessment, ConsentKind } from '../../protocol/events/event';
import type { RunSettings } from '../log/runSettings';
import { atLeast } from './assessment';

/**
 * Decides whether an action of this risk runs or waits for approval. `asking`: what the person chose to be asked
 * about.
 */
export type ConfirmationPolicy = (risk: Assessment, asking?: Asking) => 'run' | 'ask';

/**
 * `risky` asks about high and unknown risks, and about categories that a person chose. `asksAlways` takes precedence
 * over all of them.
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
 * True for actions that need a person's approval in every mode, whatever the rules: those that damage the machine or
 * change guarded files.
 */
export const asksAlways = ({ floor, guarded }: Assessment): boolean => floor === true || guarded === true;

/**
 * Returns the assessment without what a person consented to in advance. Unchanged if a part has no kind of consent or
 * one that was not given, or if data read by the session caused the risk.
 */
export function withoutConsented(risk: Assessment, consented: readonly ConsentKind[] = []): Assessment {
  const { coveredBy, tainted } = risk;
  const isCovered = coveredBy && !tainted && coveredBy.kinds.every((kind) => consented.includes(kind));
  return isCovered ? { ...risk, level: coveredBy.rest } : risk;
}

/** Returns the confirmation policy in effect. */
export const policyIn = ({ mode, confirmation }: Pick<RunSettings, 'mode' | 'confirmation'>): ConfirmationMode =>
  mode === 'auto' ? 'never' : confirmation;
