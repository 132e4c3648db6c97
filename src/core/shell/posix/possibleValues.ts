import type { Scope } from '../effects/scope';
import { unknown, type Value } from '../syntax/value';

/**
 * Makes the variables unknown that differ from `before`, because the part that changed them may not run, runs again, or
 * runs in a shell of its own. Returns whether there are any. Without this, `x=.git; false && x=dist; rm -rf $x` would
 * seem to delete dist.
 */
export function forgetChanged(
  { variables }: Pick<Scope, 'variables'>,
  before: ReadonlyMap<string, Value>,
  after: ReadonlyMap<string, Value> = variables,
): boolean {
  let changed = false;
  for (const [name, value] of after) {
    if (isSame(value, before.get(name))) continue;
    variables.set(name, unknown('', `$${name}`));
    changed = true;
  }
  return changed;
}

/** Two numbers, such as those of a counter, name nothing else. */
const isSame = (one: Value, other: Value | undefined): boolean =>
  one === other ||
  (one.kind === other?.kind && one.text === other.text) ||
  [one, other].every((value) => value?.kind === 'literal' && /^\d+$/.test(value.text));

/** Judges a part whose changes of the folder and of variables do not reach the shell: `a &`, the first of `a | b`. */
export const inOwnShell = (scope: Scope): Scope => ({ ...scope, variables: new Map(scope.variables) });

/** Judges a part that may run in a shell of its own: the last of `a | b` does in bash, and does not in zsh. */
export function inOneOrTheOther<Result>(scope: Scope, judge: (inside: Scope) => Result): Result {
  const inside = inOwnShell(scope);
  const result = judge(inside);
  forgetChanged(scope, new Map(scope.variables), inside.variables);
  if (inside.cwd !== scope.cwd) scope.cwd = undefined;
  return result;
}
