import type { VerifierSettings } from '../samplingSettings';
import type { ToolCall } from '../../../ports/model';
import { historyWindow } from './historyWindow';
import type { PromptVariables, ShownCandidate } from './prompts';
import type { Choice } from './verifier';

/** Returns the variables of the judge's prompts. `about`: index of the candidate to score. */
export function promptVariables(
  { candidates, messages, checklist = [] }: Choice,
  { historySteps, indexBase }: VerifierSettings,
  about = 0,
): PromptVariables {
  const shown = candidates.map(({ text, summary, calls, problem }, index): ShownCandidate => ({
    number: index + indexBase,
    text,
    actions: summary,
    problem: problem ?? '',
    calls: (calls as ToolCall[]).map((call) => `${call.function.name} ${call.function.arguments}`),
  }));
  return {
    ...historyWindow(messages, historySteps),
    checklist,
    candidates: shown,
    candidate: shown[about]!,
    first: indexBase,
    last: indexBase + shown.length - 1,
  };
}
