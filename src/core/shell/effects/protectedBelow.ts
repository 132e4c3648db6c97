import { isGuarded, protectedWrites, rulesFor } from '../../risk/pathRules';
import { resolvePlace } from '../syntax/place';
import type { Value } from '../syntax/value';
import type { Scope } from './scope';

/**
 * Records the protected files in a folder that a command moves, copies or deletes as a whole: the command names only
 * the folder. `to`: where they go, if that matters.
 */
export function touchBelow(
  scope: Scope,
  value: Value,
  {
    verb,
    culprit,
    to,
  }: { readonly verb: 'Moves' | 'Copies' | 'Deletes'; readonly culprit: string; readonly to?: string },
): void {
  const { where, path, glob } = resolvePlace(value, scope.cwd, scope.context.workspace);
  if (where !== 'inside' || value.kind === 'unknown') return;
  for (const found of scope.context.protectedBelow?.(path, glob) ?? []) {
    const [rule] = [found, `${found}/`].flatMap((name) => rulesFor(name, protectedWrites));
    if (!rule || !isGuarded(found)) continue;
    scope.effects.push({
      kind: 'other',
      level: 'high',
      guarded: true,
      harm: 'changes',
      culprit,
      reason: rule.reason,
      says: `${verb} ${found}${to === undefined ? '' : ` to ${to}`}, ${rule.about}.`,
    });
  }
}
