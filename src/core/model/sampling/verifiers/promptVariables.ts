import type { VerifierSettings } from '../samplingSettings';
import type { ToolCall } from '../../../ports/model';
import { historyWindow } from './historyWindow';
import type { PromptVariables, ShownCandidate } from './prompts';
import type { Choice } from './verifier';

/** What the judge is told about a choice. `about`: the index of the candidate that a reward is asked for. */
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
