import type { Scope } from '../effects/scope';
import { unknown, type Value } from '../syntax/value';

/** What is known at one point of the line about the values of variables and the texts of files that it wrote. */
type Known = Pick<Scope, 'variables' | 'written'>;

export const knownIn = ({ variables, written }: Known): Known => ({
  variables: new Map(variables),
  written: new Map(written),
});

/**
 * Makes the variables and texts unknown that differ from `before`, because the part that changed them may not run, runs
 * again, or runs in a shell of its own. Returns whether there are such variables. Without this,
 * `x=.git; false && x=dist; rm -rf $x` would seem to delete dist.
 */
export function forgetChanged(
  { variables, written }: Known,
  before: Known,
  after: ReadonlyMap<string, Value> = variables,
): boolean {
  forgetTexts(written, before.written);
  let changed = false;
  for (const [name, value] of after) {
    if (isSame(value, before.variables.get(name))) continue;
    variables.set(name, unknown('', `$${name}`));
    changed = true;
  }
  return changed;
}

/** Makes the texts unknown that differ from `before`: `false && echo ls > a.sh; sh a.sh` may run another text. */
function forgetTexts(written: Scope['written'], before: ReadonlyMap<string, unknown>): void {
  for (const [path, text] of written) if (text !== before.get(path)) written.set(path, undefined);
}

/** Two numbers, such as those of a counter, name nothing else. */
const isSame = (one: Value, other: Value | undefined): boolean =>
  one === other ||
  (one.kind === other?.kind && one.text === other.text) ||
  [one, other].every((value) => value?.kind === 'literal' && /^\d+$/.test(value.text));

/**
 * Judges a part whose changes of the folder and of variables do not reach the shell: `a &`, the first of `a | b`. Other
 * parts may run before it has written its files.
 */
export function inOwnShell<Result>(scope: Scope, judge: (inside: Scope) => Result): Result {
  const before = new Map(scope.written);
  const result = judge({ ...scope, variables: new Map(scope.variables) });
  forgetTexts(scope.written, before);
  return result;
}

/** Judges a part that may run in a shell of its own: the last of `a | b` does in bash, and does not in zsh. */
export function inOneOrTheOther<Result>(scope: Scope, judge: (inside: Scope) => Result): Result {
  return inOwnShell(scope, (inside) => {
    const result = judge(inside);
    forgetChanged(scope, knownIn(scope), inside.variables);
    if (inside.cwd !== scope.cwd) scope.cwd = undefined;
    return result;
  });
}
