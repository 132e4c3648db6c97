import { protectedWrites, matchingRules } from '../../risk/pathRules';
import { resolvePlace } from '../syntax/place';
import type { Value } from '../syntax/value';
import { isBuildOutput } from '../verdict/deletion';
import type { Scope } from './scope';

interface Touched {
  readonly verb: 'Moves' | 'Copies' | 'Deletes' | 'Changes the permissions of';
  readonly culprit: string;
  readonly to?: string;
}

/**
 * Records the protected files in a folder that a command moves, copies or deletes as a whole: the command names only
 * the folder. `to`: where they go, if that matters. A folder may also come from outside the workspace.
 */
export function touchBelow(scope: Scope, value: Value, { verb, culprit, to }: Touched): void {
  const { where, path, glob, hidden } = resolvePlace(value, scope.cwd, scope.context.workspace);
  const isSearched = where === 'inside' || (where === 'outside' && verb !== 'Deletes' && /^(?:\/|~|\.\.)/.test(path));
  if (!isSearched || value.kind === 'unknown') return;
  const matched = hidden ? 'hidden' : 'visible';
  const { found, isComplete } = scope.context.protectedBelow?.(path, glob ? matched : undefined) ?? {
    found: [],
    isComplete: true,
  };
  const add = (reason: string, says: string): void => {
    scope.effects.push({ kind: 'other', level: 'high', guarded: true, harm: 'changes', culprit, reason, says });
  };
  for (const each of found) {
    const [rule] = [each, `${each}/`].flatMap((name) => matchingRules(name, protectedWrites));
    if (rule) add(rule.reason, `${verb} ${each}${to === undefined ? '' : ` to ${to}`}, ${rule.about}.`);
  }
  const isRegenerated = verb === 'Deletes' && isBuildOutput(path);
  if (!isComplete && found.length === 0 && !isRegenerated)
    add(
      'Uses a folder that could not be searched completely for protected files.',
      `${verb} ${path}, which could not be searched completely for protected files.`,
    );
}
