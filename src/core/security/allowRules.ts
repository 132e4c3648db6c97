import type { Action, AllowRule } from '../../protocol/event';
import { shellFolder, type History } from '../agent/history';
import type { Tool } from '../tools/tool';

/** The rule that lets exactly this action run again: the same call, and for a command the same folder. Undefined where the tool cannot be allowed for ever. */
export function ruleFor(action: Action, tool: Tool, history: History): AllowRule | undefined {
  const key = tool.bind(action.input).allowKey;
  if (key === undefined) return undefined;
  const cwd = tool.effect === 'executes' ? shellFolder(history) : undefined;
  return { tool: tool.name, key, ...(cwd !== undefined && { cwd }) };
}

export const sameRule = (a: AllowRule, b: AllowRule): boolean => a.tool === b.tool && a.key === b.key && a.cwd === b.cwd;
