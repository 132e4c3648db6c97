import type { VerifierKind } from '../samplingSettings';
import { withChecklist } from './checklist';
import { firstValid } from './firstValid';
import { llm } from './llm';
import { rewardModel } from './rewardModel';
import { similarityGate } from './similarityGate';
import type { Verifier, VerifierParts } from './verifier';

/** ★ The ways to choose a candidate. Those that cost calls are spared them where the candidates are alike. */
export const verifiers: Readonly<Record<VerifierKind, (parts: VerifierParts) => Verifier>> = {
  first_valid: () => firstValid,
  llm: (parts) => similarityGate(withChecklist(llm(parts), parts), parts.settings),
  reward_model: (parts) => similarityGate(withChecklist(rewardModel(parts), parts), parts.settings),
};
