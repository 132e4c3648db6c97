import type { Action, AllowRule } from '../../protocol/event';
import { shellFolder, type History } from '../agent/history';
import type { Tool } from '../tools/tool';
import { asksAlways } from './confirmation';

/** The rule that lets exactly this action run again: the same call, and for a command the same folder. Undefined where it cannot be allowed for ever. */
export function ruleFor(action: Action, tool: Tool, history: History): AllowRule | undefined {
  const key = tool.bind(action.input).allowKey;
  if (key === undefined || asksAlways(action.risk) || action.risk.tainted) return undefined;
  const cwd = tool.effect === 'executes' ? shellFolder(history) : undefined;
  return { tool: tool.name, key, ...(cwd !== undefined && { cwd }) };
}

export const sameRule = (a: AllowRule, b: AllowRule): boolean => !a.pattern && !b.pattern && a.tool === b.tool && a.key === b.key && a.cwd === b.cwd;

/** Whether a standing permission lets it run as it is judged at this moment. */
export async function isCovered(action: Action, tool: Tool | undefined, rules: readonly AllowRule[], history: History): Promise<boolean> {
  if (!tool || rules.length === 0 || asksAlways(action.risk) || action.risk.tainted) return false;
  const wanted = ruleFor(action, tool, history);
  return (wanted !== undefined && rules.some(rule => sameRule(rule, wanted))) || isAllowedByPattern(action, rules, history);
}

/**
 * Patterns cover a reply as a whole: each of its commands must begin as one of them says, or none is covered. They never cover what
 * was judged to be high: a pattern for `git` is no consent to `git log; rm -rf ~`.
 */
export function isAllowedByPattern(action: Action, rules: readonly AllowRule[], history: History): boolean {
  const patterns = rules.filter(({ pattern }) => pattern).map(({ key }) => expression(key));
  if (patterns.length === 0 || action.effect !== 'executes' || action.risk.level === 'high') return false;
  const reply = history.findLast(event => event.type === 'agent_response' && event.actions.some(({ id }) => id === action.id));
  const commands = reply?.type === 'agent_response' ? reply.actions.filter(({ effect }) => effect === 'executes') : [];
  return commands.every(({ input, risk }) => risk.level !== 'high' && !asksAlways(risk) && patterns.some(pattern => pattern?.test(commandIn(input))));
}

const commandIn = (input: unknown): string => (typeof input === 'object' && input !== null && 'command' in input ? String(input.command) : '');

/** Undefined for what is no regular expression: it allows nothing. */
function expression(source: string): RegExp | undefined {
  try {
    return new RegExp(`^(?:${source})`);
  } catch {
    return undefined;
  }
}
