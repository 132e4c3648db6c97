import { changesGitInternals } from '../../../protocol/plain/riskWords';
import { protectedWrites, matchingRules } from '../../risk/pathRules';
import { pathInFolder, resolvePlace, type Place } from '../syntax/place';
import type { Value } from '../syntax/value';
import { isBuildOutput } from '../verdict/deletion';
import type { Scope } from './scope';

interface Touched {
  readonly verb: 'Moves' | 'Copies' | 'Deletes' | 'Changes the permissions of';
  readonly culprit: string;
  readonly to?: string;
  /** Path of the new folder that the copy becomes, if it is certain. */
  readonly landing?: string | undefined;
}

const rulesOf = (file: string) => [file, `${file}/`].flatMap((name) => matchingRules(name, protectedWrites));

/**
 * Returns whether a protected file means the same after its folder was copied to a new one: programs obey such files in
 * the folder above them, and everything in that is copied with them. That is not so for the folder that people open.
 */
function keepsMeaning(file: string, { path, landing }: { readonly path: string; readonly landing: string }): boolean {
  if (path === '.' || !file.startsWith(`${path}/`)) return false;
  const [before, after] = [rulesOf(file), rulesOf(`${landing}${file.slice(path.length)}`)];
  return (
    before.every(({ reason }) => reason !== changesGitInternals) &&
    before.length === after.length &&
    before.every((rule, at) => rule === after[at]) &&
    rulesOf(path).length === 0 &&
    rulesOf(landing).length === 0
  );
}

/**
 * Records the protected files in a folder that a command moves, copies or deletes as a whole: the command names only
 * the folder. `to`: where they go, if that matters. A folder may also come from outside the workspace.
 */
export function touchBelow(scope: Scope, value: Value, { verb, culprit, to, landing }: Touched): void {
  const place = resolvePlace(value, scope.cwd, scope.context);
  const { where, path, glob, hidden } = place;
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
    const [rule] = rulesOf(each);
    const isSame =
      where === 'inside' &&
      landing !== undefined &&
      pathInFolder(place) !== '.' &&
      keepsMeaning(each, { path, landing });
    if (rule && !isSame) add(rule.reason, `${verb} ${each}${to === undefined ? '' : ` to ${to}`}, ${rule.about}.`);
  }
  if (verb === 'Moves' && where === 'inside') moveExcluded(scope, place, culprit);
  const isRegenerated = verb === 'Deletes' && isBuildOutput(pathInFolder(place));
  if (!isComplete && found.length === 0 && !isRegenerated)
    add(
      'Uses a folder that could not be searched completely for protected files.',
      `${verb} ${path}, which could not be searched completely for protected files.`,
    );
}

/** A moved file has a name that .agentignore may no longer exclude. */
function moveExcluded(scope: Scope, { path, glob }: Place, culprit: string): void {
  const name = scope.context.excludedPath?.(path, { pattern: glob, within: true });
  if (name === undefined || name === path) return;
  const reason = 'Moves a file that .agentignore excludes.';
  const says = `Moves ${name}, which .agentignore excludes.`;
  scope.effects.push({ kind: 'other', level: 'high', harm: 'leaks', culprit, reason, says });
}
