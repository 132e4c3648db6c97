import type { Action } from '../../../protocol/events/event';
import type { BoundTool, Tool } from '../../ports/tool';

/** An action with its tool, looked up once per step. */
export interface ResolvedAction {
  readonly action: Action;
  /** Undefined if the tool does not exist, or no longer does. */
  readonly tool: Tool | undefined;
  /**
   * The call bound to its tool. Undefined without a tool, and if the call cannot run. Throws an `Error` with a message
   * for people if the input does not fit the tool.
   */
  readonly call: BoundTool | undefined;
}

/** Finds the tool of an action. The input is parsed lazily, on the first access to `call`. */
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
