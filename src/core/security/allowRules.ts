import type { Action, AllowRule, Assessment } from '../../protocol/events/event';
import { shellFolder } from '../log/shellState';
import type { History } from '../log/projection';
import type { Tool } from '../ports/tool';
import { atLeast, groundsOf } from '../risk/assessment';
import { asksAlways } from '../risk/confirmation';
import { commandOf } from '../log/eventFacts';
import { settingsOf } from '../log/runSettings';
import { loadCommandAnalysis } from './commandAnalysis';

/** Context of a permission check: the tool of the action, the log, and the shell that commands are written for. */
export interface RuleContext {
  readonly tool: Tool | undefined;
  readonly history: History;
  readonly shell?: string | undefined;
}

/**
 * Returns the folder for which a permission is given: that of the shell for commands and added tools, that of the session
 * for tools whose paths are relative to it. In another folder of the workspace, the same words mean another file.
 */
export function rulePlace(effect: Action['effect'], tool: Tool, history: History): string | undefined {
  if (effect === 'executes') return shellFolder(history);
  return tool.keepsToKey ? undefined : settingsOf(history)?.cwd;
}

/** Returns whether a standing permission allows an action with its current risk. */
export async function isAllowedByRule(
  action: Action,
  rules: readonly AllowRule[],
  { tool, history, shell }: RuleContext,
): Promise<boolean> {
  if (!tool || asksAlways(action.risk) || action.risk.tainted) return false;
  for (const rule of rules)
    if (!rule.pattern && staysWithin(action.risk, rule) && (await isCovered(action, rule, { tool, history, shell })))
      return true;
  return isAllowedByPattern(action, rules, history);
}

async function isCovered(
  action: Action,
  { scope, key, tool: name, cwd, effect }: AllowRule,
  { tool, history, shell }: RuleContext,
): Promise<boolean> {
  // Actions of tools from other extensions and MCP servers have no known kind.
  if (scope === 'kind') return effect !== undefined && action.effect === effect && !tool!.from;
  if (
    action.tool !== name ||
    (cwd !== undefined && cwd !== rulePlace(action.effect, tool!, history)) ||
    (action.effect === 'executes' && cwd === undefined)
  )
    return false;
  if (scope === undefined) return tool!.bind(action.input).allowKey === key;
  const shape = await shapeOf(tool!.bind(action.input).touches.command, shell);
  return shape !== undefined && JSON.stringify(shape) === key;
}

/**
 * Returns the shape of a command, used as the key of a rule. Returns undefined if only the identical command matches.
 */
export async function shapeOf(
  command: string | undefined,
  shell: string | undefined,
): Promise<readonly (string | null)[] | undefined> {
  if (command === undefined || (shell !== undefined && !/^(bash|sh|zsh|dash|ksh)$/.test(shell))) return undefined;
  await loadCommandAnalysis();
  return (await import('../shell/commandShape')).commandShape(command);
}

/** Returns the rule that allowed an action according to its log, or undefined if none did. */
export function ruleThatAllowed(
  action: Action,
  rules: readonly AllowRule[],
  tool: Tool | undefined,
  history: History,
): AllowRule | undefined {
  const command = commandOf(action) ?? '';
  const isIt = (rule: AllowRule): boolean => {
    if (rule.pattern) return isAllowedByPattern(action, [rule], history);
    if (!staysWithin(action.risk, rule)) return false;
    if (rule.scope === 'kind') return rule.effect === action.effect && !action.from;
    if (rule.tool !== action.tool) return false;
    if (tool && rule.cwd !== undefined && rule.cwd !== rulePlace(action.effect, tool, history)) return false;
    return rule.scope === 'similar'
      ? (JSON.parse(rule.key) as (string | null)[]).every((word) => word === null || command.includes(word))
      : tool?.bind(action.input).allowKey === rule.key;
  };
  return rules.find((rule) => rule.scope !== 'kind' && isIt(rule)) ?? rules.find(isIt);
}

/**
 * Returns whether the current assessment of an action stays within what was consented to: no additional reasons, and
 * unchanged scripts and settings.
 */
export function staysWithin(risk: Assessment, { within, scope }: Pick<AllowRule, 'within' | 'scope'>): boolean {
  if (!within) return scope === undefined && risk.pins === undefined;
  const among = <Item>(found: readonly Item[] = [], known: readonly Item[] = []): boolean =>
    found.every((one) => known.includes(one));
  const [reach, known] = [risk.reach ?? {}, within.reach ?? {}];
  return (
    atLeast(within.level, risk.level) &&
    among(groundsOf(risk), groundsOf(within)) &&
    among(risk.categories, within.categories) &&
    among(reach.network, known.network) &&
    among(reach.secret, known.secret) &&
    among(reach.untrusted, known.untrusted) &&
    Object.entries(risk.pins ?? {}).every(([name, hash]) => within.pins?.[name] === hash)
  );
}

/**
 * Patterns cover a reply as a whole: every command in it must start with a match of some pattern, or none is covered.
 * They never cover high risk: a pattern for `git` is no consent to `git log; rm -rf ~`. Nor do they cover tools of MCP
 * servers and extensions, in whose input a "command" may be anything.
 */
function isAllowedByPattern(action: Action, rules: readonly AllowRule[], history: History): boolean {
  const patterns = rules.filter(({ pattern }) => pattern).map(({ key }) => expression(key));
  if (patterns.length === 0 || action.effect !== 'executes' || action.from || action.risk.level === 'high')
    return false;
  const reply = history.findLast(
    (event) => event.type === 'agent_response' && event.actions.some(({ id }) => id === action.id),
  );
  const commands = reply?.type === 'agent_response' ? reply.actions.filter(({ effect }) => effect === 'executes') : [];
  return commands.every(
    (action) =>
      action.risk.level !== 'high' &&
      !asksAlways(action.risk) &&
      patterns.some((pattern) => pattern?.test(commandOf(action) ?? '')),
  );
}

/** Returns undefined for an invalid regular expression, which allows nothing. */
function expression(source: string): RegExp | undefined {
  try {
    return new RegExp(`^(?:${source})`);
  } catch {
    return undefined;
  }
}
