import type { ActionEffect } from '../../protocol/events/event';
import type { Tool } from '../ports/tool';

/** Which effects include an effect. For example, a tool that runs commands can also read. */
const covered: Readonly<Partial<Record<ActionEffect, readonly ActionEffect[]>>> = {
  reads: ['reads', 'writes', 'executes'],
  writes: ['writes'],
  executes: ['executes'],
  delegates: ['delegates'],
};

/**
 * Returns the names of wanted tools that can do more than those in `own`: another kind of effect, external tools, or
 * effects that outlast the session.
 */
export function toolsExceeding(wanted: readonly Tool[], own: readonly Tool[]): string[] {
  return wanted
    .filter(({ name, effect, from, lasting }) => {
      if (own.some((tool) => tool.name === name && tool.effect === effect)) return false;
      if (from || lasting) return true;
      const kinds = covered[effect];
      return kinds !== undefined && !own.some((tool) => !tool.from && !tool.lasting && kinds.includes(tool.effect));
    })
    .map(({ name }) => name);
}
