import type { VerifierKind } from '../samplingSettings';
import { withChecklist } from './checklist';
import { firstValid } from './firstValid';
import { comparingModel, scoringModel } from './modelVerifiers';
import { similarityGate } from './similarityGate';
import type { Verifier, VerifierParts } from './verifier';

/** ★ Methods for choosing a candidate. Those that make calls are skipped if the candidates are alike. */
export const verifiers: Readonly<Record<VerifierKind, (parts: VerifierParts) => Verifier>> = {
  first_valid: () => firstValid,
  llm: (parts) => similarityGate(withChecklist(comparingModel(parts), parts), parts.settings),
  reward_model: (parts) => similarityGate(withChecklist(scoringModel(parts), parts), parts.settings),
};
