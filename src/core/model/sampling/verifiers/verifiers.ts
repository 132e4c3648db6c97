import type { VerifierKind } from '../samplingSettings';
import { withChecklist } from './checklist';
import { firstValid } from './firstValid';
import { llm, rewardModel } from './modelVerifiers';
import { similarityGate } from './similarityGate';
import type { Verifier, VerifierParts } from './verifier';

/** ★ Methods for choosing a candidate. Those that make calls are skipped if the candidates are alike. */
export const verifiers: Readonly<Record<VerifierKind, (parts: VerifierParts) => Verifier>> = {
  first_valid: () => firstValid,
  llm: (parts) => similarityGate(withChecklist(llm(parts), parts), parts.settings),
  reward_model: (parts) => similarityGate(withChecklist(rewardModel(parts), parts), parts.settings),
};
