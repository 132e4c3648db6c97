import type { Action } from '../../protocol/events/event';
import type { Hook, HookEvent } from '../ports/hook';

/** What other products call tools that do the same, so that their hooks guard the same things. */
const otherNames: Partial<Record<NonNullable<Action['effect']>, readonly string[]>> = {
  reads: ['Read', 'Grep', 'Glob', 'LS'],
  writes: ['Edit', 'Write', 'MultiEdit', 'NotebookEdit', 'file_editor', 'str_replace_editor', 'apply_patch'],
  executes: ['Bash', 'terminal', 'execute_bash'],
  delegates: ['Task', 'delegate', 'task'],
};

/** All of them. */
export const namesOfOthers: readonly string[] = Object.values(otherNames).flat();

type Called = Pick<Action, 'tool' | 'effect'>;

/** The hooks for a moment, in their order. `action`: what was called, where something was. */
export const hooksFor = (hooks: readonly Hook[], on: HookEvent, action?: Called): Hook[] =>
  hooks.filter((hook) => hook.on === on && (!action || matches(hook.matcher, action)));

const matches = (matcher: string, { tool, effect }: Called): boolean =>
  fitsOne(matcher, [tool, ...(effect ? (otherNames[effect] ?? []) : [])]);

/** Whether a matcher is for a tool with one of these names. */
export function fitsOne(matcher: string, names: readonly string[]): boolean {
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
      fitsOne(single(matcher), names.map(single))
    );
  } catch {
    return false;
  }
}

const single = (text: string): string => text.replace(/_{2,}/g, '_');

/** The regular expression for whole names that a matcher is; undefined where it is a plain name. */
export const patternOf = (matcher: string): string | undefined =>
  /^\/(.+)\/$/s.exec(matcher)?.[1] ?? (/[|.*+?[\]()^$\\]/.test(matcher) ? matcher : undefined);
