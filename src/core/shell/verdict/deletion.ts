import { exactlyOneOf } from '../../text/alternatives';
import type { Assessment } from '../../../protocol/events/event';
import { pathInFolder } from '../syntax/place';
import type { CommandContext } from '../effects/context';
import type { LossIfDeleted } from '../../ports/scripts';
import type { Effect, Level } from '../effects/effect';

/** Folders that builds or tools regenerate and that nobody writes by hand. */
const neverByHand = exactlyOneOf(
  [
    'node_modules .cache .next .nuxt .output .turbo .vite .parcel-cache .svelte-kit .angular',
    '.nyc_output .pytest_cache .mypy_cache .ruff_cache __pycache__ .tox .nox .eggs',
    /.*\.egg-info/,
    'htmlcov storybook-static',
    /cmake-build-.*/,
    '.gradle .dart_tool test-results playwright-report .eslintcache',
    /.*\.tsbuildinfo/,
    '.coverage',
  ],
  'i',
);
/** Names that are often, but not always, build output. */
const oftenMade = /^(dist|build|out|target|coverage|cache|tmp|temp|\.tmp|\.temp|obj|_build|_site)$/i;
const throwaway = /\.(log|tmp|temp|bak|orig|rej|pyc|pyo|o|obj|class|swp|tsbuildinfo|map|snap\.new)~?$|~$/i;

/** Returns whether the names of a path are those of build output. */
export const isBuildOutput = (path: string): boolean =>
  path.split('/').some((part) => neverByHand.test(part) || oftenMade.test(part));

/** Deleting nothing, or what this session created, needs no approval. */
type LossToApprove = Exclude<LossIfDeleted, 'nothing' | 'made'>;

type Deletion = Omit<Extract<Effect, { kind: 'deletes' }>, 'kind'>;

/**
 * Judges a deletion in the workspace. Needs no approval if a build regenerates the files and Git tracks none of them,
 * or if this session created them.
 */
export function judgeDeletion(
  { place, recursive, culprit, isMadeHere }: Deletion,
  inGit: CommandContext['inGit'],
): Assessment {
  const name = pathInFolder(place);
  const parts = name.split('/');
  const isPlainlyMade = parts.some((part) => neverByHand.test(part));
  const isThrowaway = throwaway.test(name);
  const isMadeAgain = isPlainlyMade || isThrowaway || parts.some((part) => oftenMade.test(part));
  const standing = inGit?.(place.path, place.glob);
  if (isMadeHere && standing === 'nothing')
    return assessment('medium', 'Deletes what the same command created.', culprit);
  // A file that does not exist yet may be created before it is deleted.
  const isOnlyNamed = standing === undefined || (standing === 'nothing' && recursive);
  if (isOnlyNamed)
    return isMadeAgain
      ? assessment('medium', deletesBuildOutput, culprit)
      : assessment('high', lost(name, recursive), culprit);
  if (standing === 'nothing') return assessment('medium', 'Deletes what does not exist at the moment.', culprit);
  if (standing === 'made')
    return assessment('medium', `Deletes ${recursive ? 'files' : 'a file'} that this session created.`, culprit);
  const isHarmless: Readonly<Record<LossToApprove, boolean>> = {
    ignored: isMadeAgain,
    unknown: isPlainlyMade || isThrowaway,
    untracked: isThrowaway && !recursive,
    tracked: false,
    changed: false,
    secrets: false,
    repository: false,
  };
  return isHarmless[standing]
    ? assessment('medium', deletesBuildOutput, culprit)
    : assessment('high', lossReasons[standing](place.path), culprit);
}

const assessment = (level: Level, reason: string, culprit: string): Assessment => ({
  level,
  reasons: [reason],
  culprit,
});

const deletesBuildOutput = 'Deletes build output.';

/** Returns what to say if only the name is known. */
const lost = (path: string, recursive: boolean): string =>
  recursive || path === '.' || /[*?[]/.test(path)
    ? 'Deletes files of the workspace.'
    : 'Deletes a file of the workspace.';

const lossReasons: Readonly<Record<LossToApprove, (path: string) => string>> = {
  changed: (path) => `Deletes changes in ${path} that were never committed.`,
  untracked: (path) => `Deletes ${path}, which has no copy in Git.`,
  unknown: (path) => `Deletes ${path}, which has no copy in any Git repository.`,
  secrets: (path) => `Deletes ${path}, which contains files that may be secret and that Git ignores.`,
  repository: (path) => `Deletes ${path}, which contains its own Git repository.`,
  tracked: (path) => `Deletes ${path}, which has a copy in Git.`,
  ignored: (path) => `Deletes ${path}, which Git ignores and has no copy of.`,
};
