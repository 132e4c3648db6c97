import type { Action } from '../../protocol/events/event';
import type { Hook, HookEvent } from '../ports/hook';

/** Names of equivalent tools in other products, so that hooks written for those guard the same actions. */
const otherNames: Partial<Record<NonNullable<Action['effect']>, readonly string[]>> = {
  reads: ['Read', 'Grep', 'Glob', 'LS'],
  writes: ['Edit', 'Write', 'MultiEdit', 'NotebookEdit', 'file_editor', 'str_replace_editor', 'apply_patch'],
  executes: ['Bash', 'terminal', 'execute_bash'],
  delegates: ['Task', 'delegate', 'task'],
};

/** All names of tools in other products. */
export const foreignToolNames: readonly string[] = Object.values(otherNames).flat();

type Called = Pick<Action, 'tool' | 'effect' | 'from'>;

/** Returns the hooks for an event, in order. `action`: the called tool, if there is one. */
export const hooksFor = (hooks: readonly Hook[], on: HookEvent, action?: Called): Hook[] =>
  hooks.filter((hook) => hook.on === on && (!action || matchesCall(hook.matcher, action)));

/** As in the other products, their names of built-in tools match no tool of an MCP server or extension. */
const matchesCall = (matcher: string, { tool, effect, from }: Called): boolean =>
  matchesAnyName(matcher, [tool, ...(effect && !from ? (otherNames[effect] ?? []) : [])]);

/** True if a matcher matches one of these names. */
export function matchesAnyName(matcher: string, names: readonly string[]): boolean {
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
      matchesAnyName(single(matcher), names.map(single))
    );
  } catch {
    return false;
  }
}

const single = (text: string): string => text.replace(/_{2,}/g, '_');

/** Returns the regular expression of a matcher, to match whole names, or undefined if it is a plain name. */
export const patternOf = (matcher: string): string | undefined =>
  /^\/(.+)\/$/s.exec(matcher)?.[1] ?? (/[|.*+?[\]()^$\\]/.test(matcher) ? matcher : undefined);
