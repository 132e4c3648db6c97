import type { Effect, Tool } from '../ports/tool';

/** What a tool with this effect makes possible. Whoever runs commands can read with them. */
const covered: Readonly<Partial<Record<Effect, readonly Effect[]>>> = {
  reads: ['reads', 'writes', 'executes'],
  writes: ['writes'],
  executes: ['executes'],
  delegates: ['delegates'],
};

/**
 * The names of the tools that do more than `own` could: another kind of thing, what
 * others give, or what lasts beyond the session.
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
