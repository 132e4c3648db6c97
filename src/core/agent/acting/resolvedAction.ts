import type { Action } from '../../../protocol/events/event';
import type { BoundTool, Tool } from '../../ports/tool';

/** An action with the tool that it calls, looked up once for all that is asked about it in a step. */
export interface ResolvedAction {
  readonly action: Action;
  /** Undefined where there is no such tool, or not any more. */
  readonly tool: Tool | undefined;
  /**
   * The call as its tool understands it; undefined without a tool, and where the call cannot run. Throws in words where
   * its input does not fit any more.
   */
  readonly call: BoundTool | undefined;
}

/** Finds the tool of an action. Its input is read when somebody first asks for the call, and only then. */
export function resolveAction(action: Action, tools: readonly Tool[]): ResolvedAction {
  const tool = tools.find(({ name }) => name === action.tool);
  let bound: BoundTool | undefined;
  return {
    action,
    tool,
    get call() {
      if (action.problem !== undefined) return undefined;
      return (bound ??= tool?.bind(action.input));
    },
  };
}
