import type { Action, HookMoment } from '../../protocol/events/event';
import type { Hook } from '../ports/hook';
import { closest, distance } from 'fastest-levenshtein';
import { nearestTool } from '../tools/calls/nearestTool';
import { isAddedName } from '../tools/addedTool';
import { allTools } from '../tools/toolsFor';

/** Names of equivalent tools in other products, so that hooks written for those guard the same actions. */
const otherNames: Partial<Record<NonNullable<Action['effect']>, readonly string[]>> = {
  reads: ['Read', 'Grep', 'Glob', 'LS'],
  writes: ['Edit', 'Write', 'MultiEdit', 'NotebookEdit', 'file_editor', 'str_replace_editor', 'apply_patch'],
  executes: ['Bash', 'terminal', 'execute_bash'],
  delegates: ['Task', 'delegate', 'task'],
};

/** All names of tools in other products. */
const foreignToolNames: readonly string[] = Object.values(otherNames).flat();

type Called = Pick<Action, 'tool' | 'effect' | 'from'>;

/** Returns the hooks for an event, in order. `action`: the called tool, if there is one. */
export const hooksFor = (hooks: readonly Hook[], on: HookMoment, action?: Called): Hook[] =>
  hooks.filter((hook) => hook.on === on && (!action || matchesCall(hook.matcher, action)));

/** As in the other products, their names of built-in tools match no tool of an MCP server or extension. */
const matchesCall = (matcher: string, { tool, effect, from }: Called): boolean =>
  matchesAnyName(matcher, [tool, ...(effect && !from ? (otherNames[effect] ?? []) : [])]);

/** True if a matcher matches one of these names. */
function matchesAnyName(matcher: string, names: readonly string[]): boolean {
  if (matcher === '' || matcher === '*') return true;
  if (names.includes(matcher)) return true;
  const pattern = patternOf(matcher);
  try {
    const whole = pattern === undefined ? undefined : new RegExp(`^(?:${pattern})$`);
    if (whole && names.some((name) => whole.test(name))) return true;
    // Other products write mcp__SERVER__TOOL.
    return (
      /mcp__/.test(matcher) &&
      names.some((name) => name.startsWith('mcp_')) &&
      matchesAnyName(withSingleUnderscores(matcher), names.map(withSingleUnderscores))
    );
  } catch {
    return false;
  }
}

const withSingleUnderscores = (text: string): string => text.replace(/_{2,}/g, '_');

/** Returns the regular expression of a matcher, to match whole names, or undefined if it is a plain name. */
const patternOf = (matcher: string): string | undefined =>
  /^\/(.+)\/$/s.exec(matcher)?.[1] ?? (/[|.*+?[\]()^$\\]/.test(matcher) ? matcher : undefined);

/** A problem with a matcher. `instead`: a valid matcher that was clearly meant. */
interface MatcherProblem {
  readonly message: string;
  readonly instead?: string;
}

/**
 * Returns why a hook with this matcher guards nothing, or less than it claims. Undefined if it matches a tool of
 * Waymark or its name in another product, or may match a later tool of an MCP server or extension.
 */
export function matcherProblem(matcher: string): MatcherProblem | undefined {
  if (matcher === '' || matcher === '*') return undefined;
  const parts = alternativesIn(matcher);
  const wrong = parts.flatMap((part) => {
    const problem = partProblem(part);
    return problem ? [{ part, ...problem }] : [];
  });
  const [first] = wrong;
  if (!first) return undefined;
  const instead = wrong.every((one) => one.instead !== undefined)
    ? parts.map((part) => wrong.find((one) => one.part === part)?.instead ?? part).join('|')
    : undefined;
  return { message: wrong.map(({ message }) => message).join(' '), ...(instead !== undefined && { instead }) };
}

/** Top-level alternatives of a matcher. */
const alternativesIn = (matcher: string): string[] => (/[()[\]\\/]/.test(matcher) ? [matcher] : matcher.split('|'));

function partProblem(part: string): MatcherProblem | undefined {
  const own = allTools().map(({ name }) => name);
  const listed = patternOf(part) === undefined ? part.split(/[,;]/).flatMap((one) => one.trim().split(/\s+/)) : [part];
  if (listed.length > 1)
    return {
      message: `"${part}" is not a list of names: separate names with "|".`,
      ...(listed.every((name) => name !== '' && !partProblem(name)) && { instead: listed.join('|') }),
    };
  if (/^\W*mcp/i.test(part)) return /mcp_+[^_].*(?:_.|\.[*+])|mcp_*\.[*+]/.test(part) ? undefined : mcpProblem(part);
  if (isAddedName(part.replace(/^\W+/, ''))) return undefined;
  const other = foreignToolNames.find((name) => name.toLowerCase() === part.toLowerCase());
  if (other !== undefined && other !== part && !foreignToolNames.includes(part))
    return {
      message: own.includes(part)
        ? `"${part}" is a tool of only one profile; "${other}" matches all tools that do the same.`
        : missingWords(part, other),
      instead: other,
    };
  if (matchesAnyName(part, [...own, ...foreignToolNames]) || /^(?:\W*\.[*+])/.test(part)) return undefined;
  const near =
    patternOf(part) === undefined ? suggestName(part, [...new Set([...foreignToolNames, ...own])]) : undefined;
  return { message: missingWords(part, near), ...(near !== undefined && { instead: near }) };
}

/** A person confirms suggestions, so names with two wrong letters also count. */
function suggestName(part: string, names: readonly string[]): string | undefined {
  const other = closest(part, names);
  return nearestTool(part, names) ?? (part.length > 3 && distance(part, other) < 3 ? other : undefined);
}

function missingWords(part: string, near: string | undefined): string {
  const isName = patternOf(part) === undefined;
  const what = isName ? `No tool is called "${part}"` : `"${part}" does not match the whole name of any tool`;
  const instead = near === undefined ? '' : ` Did you mean "${near}"?`;
  return `${what}, so this hook guards nothing there.${instead}`;
}

function mcpProblem(part: string): MatcherProblem {
  const server = /^mcp[^a-z0-9]+([a-z0-9]+)[^a-z0-9]*(?:\.[*+])?$/i.exec(part)?.[1];
  const named = /^mcp[^a-z0-9_]+([a-z0-9]+)[^a-z0-9-]+([a-z0-9-][a-z0-9_-]*)$/i.exec(part);
  const ofServer = server === undefined ? undefined : `mcp_${server}_.*`;
  const instead = named ? `mcp_${named[1]}_${named[2]}` : ofServer;
  return {
    message: `"${part}" matches no tool of an MCP server: these tools are called mcp_SERVER_TOOL, and "mcp_SERVER_.*" matches all tools of one server.`,
    ...(instead !== undefined && { instead }),
  };
}
