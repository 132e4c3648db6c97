import type { Action, Outcome } from '../../protocol/event';
import type { Environment } from '../tools/environment';
import type { Tool, ToolResult } from '../tools/tool';
import type { StepContext } from './agent';
import { decisionOn, versionsSeen } from './history';

/**
 * Runs one action and leaves exactly one observation, however it ends. Throws only when the run was stopped meanwhile.
 * `content` is what the observation says.
 */
export async function runAction(action: Action, tool: Tool | undefined, environment: Environment, context: StepContext): Promise<{ ok: boolean; content: string }> {
  const { history, signal, emit } = context;
  const began = performance.now();
  const observe = (outcome: Outcome, { content, details }: Pick<ToolResult, 'content' | 'details'>) => {
    emit({ type: 'observation', actionId: action.id, outcome, content, durationMs: performance.now() - began, ...(details && { details }) });
    return { ok: outcome === 'ok', content };
  };
  const decision = decisionOn(action.id, history);
  if (decision?.approved === false) return observe('rejected', { content: refusal(decision.comment) });
  if (action.problem !== undefined || !tool) return observe('error', { content: action.problem ?? `There is no tool named ${action.tool}.` });
  let result: ToolResult;
  try {
    result = await tool.bind(action.input).run({
      environment, signal,
      progress: text => context.onDelta({ kind: 'output', actionId: action.id, text }),
      versionSeen: path => versionsSeen(history).get(path),
    });
  } catch (thrown) {
    if (!signal.aborted) return observe('error', { content: thrown instanceof Error ? thrown.message : String(thrown) });
    observe('interrupted', { content: 'This action was stopped while it ran. Check what it did.' });
    throw signal.reason;
  }
  if (signal.aborted && result.failed) {
    observe('interrupted', result);
    signal.throwIfAborted();
  }
  return observe(result.timedOut ? 'timeout' : result.failed ? 'error' : 'ok', result);
}

const refusal = (comment: string | undefined) =>
  comment ? `The user refused this action: ${comment}` : 'The user refused this action. Do not try it in another form; find another way or ask.';
