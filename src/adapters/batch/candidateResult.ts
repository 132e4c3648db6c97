import { createHash } from 'node:crypto';
import path from 'node:path';
import type { CandidateResult } from '../../core/batch/bestOf';
import { taskOutcome } from '../../core/batch/taskOutcome';
import type { FileChanges } from '../../core/changes/changesOf';
import { permissionsOf, type Snapshot } from '../../core/changes/snapshot';
import type { History } from '../../core/log/projection';
import { secrets } from '../../core/secrets/secrets';
import { shownName } from '../../core/text/shownName';
import { learnDotenv, learnDotenvBelow } from '../secrets/dotenvSecrets';
import { allChangesIn, type KnownWorktree } from '../sessions/worktrees';
import { withSlashes } from '../storage/diskPaths';

/** Returns the result of a session for its task, from its log and its worktree. */
export async function candidateResult(worktree: KnownWorktree, history: History): Promise<CandidateResult> {
  // Text for judges and logs is masked in this process, but the sessions may have run in others. So it learns the
  // secrets here.
  const places = [worktree.of, worktree.root];
  learnDotenv(places);
  await learnDotenvBelow(places);
  const { status, reason, cost } = taskOutcome(history);
  const facts = { session: worktree.session, cost, answer: answerIn(history) };
  const changes = await allChangesIn(worktree);
  if (changes === undefined && status === 'done') {
    const unknown = 'Its changes are unknown, so they cannot be compared.';
    return { ...facts, status: 'failed', reason: unknown, files: 0, added: 0, removed: 0, patch: '', content: '' };
  }
  const files = changes ?? [];
  return {
    ...facts,
    status,
    reason,
    files: files.length,
    added: files.reduce((sum, { added }) => sum + added, 0),
    removed: files.reduce((sum, { removed }) => sum + removed, 0),
    patch: secrets.mask(patchOf(files, worktree.root)),
    content: contentOf(files, worktree.root),
  };
}

/**
 * Returns a hash of the current contents of the changed files. A patch shows neither the contents of images nor the
 * executable bit.
 */
function contentOf(files: readonly FileChanges[], root: string): string {
  if (files.length === 0) return '';
  const parts = files.flatMap(({ reviews }) =>
    reviews.map(({ path: file, current }) => [
      path.relative(root, file),
      permissionsOf(current) ?? null,
      ...identifyingParts(current),
    ]),
  );
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** The parts that identify a content. If no copy was kept, no two of them compare as equal. */
function identifyingParts({ state, text }: Snapshot): string[] {
  if (state === null) return ['nothing'];
  if (state.kind === 'link') return ['link', state.target];
  if (state.kind === 'folder') return ['folder'];
  if (text !== undefined) return ['text', text];
  return state.hash === undefined ? ['unknown', crypto.randomUUID()] : ['file', state.hash];
}

/** The final answer of the agent. */
function answerIn(history: History): string {
  const end = history.findLast((event) => event.type === 'finished');
  return end?.summary ?? '';
}

/** Returns the changes in unified diff notation, for a judge. */
function patchOf(files: readonly FileChanges[], root: string): string {
  const shown = (file: string): string => shownName(withSlashes(path.relative(root, file)));
  return files
    .map(({ kind, path: file, from, hunks }) => {
      const name = from === undefined ? shown(file) : `${shown(from)} → ${shown(file)}`;
      const lines = hunks.flatMap(({ removed, added }) => [
        '@@',
        ...removed.map((line) => `-${line}`),
        ...added.map((line) => `+${line}`),
      ]);
      return [`${kind} ${name}`, ...lines].join('\n');
    })
    .join('\n\n');
}
