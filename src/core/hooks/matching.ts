import type { Action } from '../../protocol/event';
import type { Hook, HookEvent } from './hook';

/** What other products call tools that do the same, so that their hooks guard the same things. */
const otherNames: Partial<Record<NonNullable<Action['effect']>, readonly string[]>> = {
  reads: ['Read', 'Grep', 'Glob', 'LS'],
  writes: ['Edit', 'Write', 'MultiEdit', 'NotebookEdit', 'file_editor', 'str_replace_editor', 'apply_patch'],
  executes: ['Bash', 'terminal', 'execute_bash'],
  delegates: ['Task', 'delegate', 'task'],
};

type Called = Pick<Action, 'tool' | 'effect'>;

/** The hooks for a moment, in their order. `action`: what was called, where something was. */
export const hooksFor = (hooks: readonly Hook[], on: HookEvent, action?: Called): Hook[] => hooks.filter(hook => hook.on === on && (!action || matches(hook.matcher, action)));

function matches(matcher: string, { tool, effect }: Called): boolean {
  if (matcher === '' || matcher === '*') return true;
  const names = [tool, ...(effect ? otherNames[effect] ?? [] : [])];
  if (names.includes(matcher)) return true;
  const pattern = /^\/(.+)\/$/s.exec(matcher)?.[1] ?? (/[|.*+?[\]()^$\\]/.test(matcher) ? matcher : undefined);
  if (pattern === undefined) return false;
  try {
    const whole = new RegExp(`^(?:${pattern})$`);
    return names.some(name => whole.test(name));
  } catch {
    return false;
  }
}
