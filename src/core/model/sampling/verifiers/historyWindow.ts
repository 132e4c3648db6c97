import type { ChatMessage } from '../../../ports/model';
import { withoutMiddle } from '../../../text/withoutMiddle';

/** The part of a run that a verifier reads before it judges the next step. */
export interface JudgedHistory {
  /** Text of the first message of the user. */
  readonly task: string;
  /** Latest steps, oldest first, with their text, calls and results. */
  readonly steps: readonly PastStep[];
  /** Number of earlier steps. */
  readonly earlierSteps: number;
}

interface PastStep {
  readonly text: string;
  /** Calls as written, such as "run_command {"command":"npm test"}". */
  readonly calls: readonly string[];
  /** Results of the step, and messages of the person. */
  readonly results: readonly string[];
}

/** Maximum length of a result in a judge's prompt, in characters. The middle of longer ones is removed. */
const maxResultLength = 4_000;

/** Returns what a judge sees of a conversation: the task and the latest `count` steps, or all of them if −1. */
export function historyWindow(messages: readonly ChatMessage[], count: number): JudgedHistory {
  const starts = messages.flatMap(({ role }, index) => (role === 'assistant' ? [index] : []));
  const steps = starts.map((start, index) => stepOf(messages.slice(start, starts[index + 1])));
  const latest = count < 0 ? steps : steps.slice(Math.max(0, steps.length - count));
  return {
    task: messages.find(({ role }) => role === 'user')?.content ?? '',
    steps: latest,
    earlierSteps: steps.length - latest.length,
  };
}

function stepOf([said, ...after]: readonly ChatMessage[]): PastStep {
  const calls = said?.role === 'assistant' ? (said.tool_calls ?? []) : [];
  return {
    text: said?.content ?? '',
    calls: calls.map(({ function: { name, arguments: text } }) => `${name} ${withoutMiddle(text, maxResultLength)}`),
    results: after.map(({ content }) => withoutMiddle(content, maxResultLength)),
  };
}
