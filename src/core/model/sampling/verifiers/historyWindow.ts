import type { ChatMessage } from '../../../ports/model';
import { withoutMiddle } from '../../../text/withoutMiddle';

export interface Past {
  /** The first words of the user. */
  readonly task: string;
  /** The latest steps, oldest first: what was said, called and answered. */
  readonly steps: readonly PastStep[];
  /** How many steps were before them. */
  readonly left: number;
}

export interface PastStep {
  readonly text: string;
  /** Calls as they were written: "run_command {"command":"npm test"}". */
  readonly calls: readonly string[];
  /** The results of the step, and what a person said. */
  readonly results: readonly string[];
}

/** A result in a judge's prompt; what is longer loses its middle. */
const longestResult = 4_000;

/** What a judge reads of a conversation: the task and the latest `count` steps; −1 is all of them. */
export function historyWindow(messages: readonly ChatMessage[], count: number): Past {
  const starts = messages.flatMap(({ role }, index) => (role === 'assistant' ? [index] : []));
  const steps = starts.map((start, index) => stepOf(messages.slice(start, starts[index + 1])));
  const latest = count < 0 ? steps : count === 0 ? [] : steps.slice(-count);
  return {
    task: messages.find(({ role }) => role === 'user')?.content ?? '',
    steps: latest,
    left: steps.length - latest.length,
  };
}

function stepOf([said, ...after]: readonly ChatMessage[]): PastStep {
  const calls = said?.role === 'assistant' ? (said.tool_calls ?? []) : [];
  return {
    text: said?.content ?? '',
    calls: calls.map(({ function: { name, arguments: text } }) => `${name} ${withoutMiddle(text, longestResult)}`),
    results: after.map(({ content }) => withoutMiddle(content, longestResult)),
  };
}
