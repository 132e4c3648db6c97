import type { History } from '../log/projection';
import { settingsOf } from '../log/runSettings';
import { statusOf } from '../log/status';
import { undecidedActions } from '../log/openActions';
import { sessionSpending } from '../log/spending';
import { isCompleted } from '../trajectory/formats/sharegpt';
import { exitStatusOf } from '../trajectory/formats/miniExit';
import { finishedEvent } from '../trajectory/exportParts';
import type { Discarded, TaskResult } from './taskResult';
import { reasoningOf, toolUseOf, type ToolUse } from './toolUse';
import { unknownToolsIn } from './trajectoryLine';

/** Outcome of a task according to its log. */
type LoggedOutcome = Pick<
  TaskResult,
  | 'status'
  | 'reason'
  | 'exit_status'
  | 'completed'
  | 'partial'
  | 'steps'
  | 'cost'
  | 'input_tokens'
  | 'output_tokens'
  | 'model'
  | 'tools'
  | 'reasoning'
>;

/** Reads the outcome of a run from its log. */
export function taskOutcome(history: History): LoggedOutcome {
  const { steps, usage, unpriced } = sessionSpending(history);
  const end = finishedEvent(history);
  return {
    ...ending(history),
    completed: isCompleted(history),
    partial: end?.cause === 'unknown_tools' || end?.cause === 'format_errors',
    steps,
    cost: steps > 0 && unpriced === steps ? null : (usage.cost ?? 0),
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    model: settingsOf(history)?.model.name ?? '',
    tools: toolUseOf(history),
    reasoning: reasoningOf(history),
  };
}

type Ending = Pick<TaskResult, 'status' | 'reason' | 'exit_status'>;

function ending(history: History): Ending {
  const end = finishedEvent(history);
  switch (statusOf(history)) {
    case 'idle':
      return { status: 'done', reason: '', exit_status: 'Submitted' };
    case 'waiting_for_confirmation': {
      const waiting = undecidedActions(history).map(({ summary }) => summary);
      const reason = `It needs approval: ${waiting.join('; ')}.`;
      return { status: 'consent', reason, exit_status: 'ConsentNeeded' };
    }
    case 'waiting_for_answer':
      return { status: 'consent', reason: 'It asked a question that nobody can answer.', exit_status: 'AnswerNeeded' };
    case 'finished': {
      const exit_status = end ? exitStatusOf(end) : 'Submitted';
      if (end?.status === 'submitted') return { status: 'done', reason: '', exit_status };
      const reason = end?.problem ? [end.problem.what, end.problem.why].join(' ') : (end?.summary ?? '');
      if (end?.status === 'limit_exceeded') return { status: 'limit', reason, exit_status };
      if (end?.status === 'stopped') return { status: 'stopped', reason, exit_status };
      return { status: 'failed', reason, exit_status };
    }
    case 'paused':
      return { status: 'stopped', reason: 'It was paused.', exit_status: 'Paused' };
    default:
      return { status: 'stopped', reason: 'It did not finish.', exit_status: 'Interrupted' };
  }
}

/** Returns why the conversation of a task is not used for training, or undefined if it is used. */
export function discardedBecause(
  { tools, reasoning }: { readonly tools: ToolUse; readonly reasoning: TaskResult['reasoning'] },
  { keepsWithoutReasoning }: { readonly keepsWithoutReasoning: boolean },
): Discarded | undefined {
  if (reasoning.withReasoning === 0 && !keepsWithoutReasoning) return 'no_reasoning';
  return unknownToolsIn(tools).length > 0 ? 'unknown_tool' : undefined;
}
