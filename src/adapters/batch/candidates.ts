import { createHash } from 'node:crypto';
import path from 'node:path';
import type { CandidateResult } from '../../core/batch/bestOf';
import { taskOutcome } from '../../core/batch/taskOutcome';
import type { FileChanges } from '../../core/changes/changesOf';
import { permissionsOf, type Snapshot } from '../../core/changes/snapshot';
import type { History } from '../../core/log/projection';
import { secrets } from '../../core/secrets/secrets';
import type { Settings } from '../../core/session/settingsFrom';
import { shownName } from '../../core/text/shownName';
import type { CommandEnd } from '../../protocol/events/details';
import type { CheckOutcome } from '../../protocol/events/event';
import { learnDotenv, learnDotenvBelow } from '../secrets/dotenvSecrets';
import { copyWorkspace } from '../sessions/copyWorkspace';
import { allChangesIn, type KnownWorktree } from '../sessions/worktrees';
import { commandAlone, inCheckTerminal, type CheckTerminal } from './checkTerminal';
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
    patch: secrets.mask(patchWords(files, worktree.root)),
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
      ...heldBy(current),
    ]),
  );
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** The parts that identify a content. If no copy was kept, no two of them compare as equal. */
function heldBy({ state, text }: Snapshot): string[] {
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

/** The changes in unified diff notation, for a judge. */
function patchWords(files: readonly FileChanges[], root: string): string {
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

/** How a check runs: the same way as the commands of the session. */
export interface CheckPlace extends Pick<
  CheckTerminal,
  'wanted' | 'limits' | 'allowedDomains' | 'passEnvironment' | 'shell' | 'onNotice' | 'container'
> {
  readonly timeoutMs: number;
}

/** Default time limit of a check, in ms. */
export const defaultCheckMs = 600_000;

/** Derives the place of a check from the settings of its sessions. */
export const checkPlaceFrom = (settings: CheckSettings, timeoutMs = defaultCheckMs): CheckPlace => ({
  wanted: settings.sandbox,
  limits: settings.sandboxLimits,
  allowedDomains: settings.allowedDomains,
  passEnvironment: settings.environment,
  ...(settings.shell !== '' && { shell: settings.shell }),
  timeoutMs,
});

type CheckSettings = Pick<Settings, 'sandbox' | 'sandboxLimits' | 'allowedDomains' | 'environment' | 'shell'>;

/** Why a check was interrupted, for causes other than its time limit. */
const cutOffWords: Partial<Record<CommandEnd, string>> = {
  interrupted: 'It was interrupted.',
  waiting_for_input: 'It waited for input.',
  shell_died: 'Its shell ended.',
  too_much_output: 'It printed too much.',
};

/** Maximum length of the output of a check that is kept, in characters. */
const keptOutput = 4000;

/**
 * Runs a check command on a copy of a worktree, so that files the command writes are not counted as changes of the
 * candidate. If the command cannot be started, the check counts as failed and says why.
 */
export async function checkCandidate(
  worktree: Pick<KnownWorktree, 'folder' | 'root'>,
  command: string,
  place: CheckPlace,
  signal: AbortSignal,
): Promise<CheckOutcome> {
  const began = Date.now();
  try {
    return await checkInCopy(worktree, command, place, signal);
  } catch (error) {
    signal.throwIfAborted();
    const problem = secrets.mask((error as Error).message);
    return { passed: false, exitCode: null, problem, seconds: (Date.now() - began) / 1000, output: '' };
  }
}

async function checkInCopy(
  { folder, root }: Pick<KnownWorktree, 'folder' | 'root'>,
  command: string,
  place: CheckPlace,
  signal: AbortSignal,
): Promise<CheckOutcome> {
  // The session may work in a subfolder of its repository, and the command may need the rest of the repository.
  const [top = '', ...below] = path.relative(folder, root).split(path.sep);
  const copy = await copyWorkspace(path.join(folder, top));
  const outputFolder = path.join(copy.parent, 'outputs');
  const cwd = path.join(copy.root, ...below);
  const { timeoutMs, ...where } = place;
  try {
    const options = { ...where, cwd, folders: [copy.root], outputFolder };
    const result = await inCheckTerminal(options, (terminal) =>
      terminal.run(commandAlone(command), { timeoutMs, tty: false, signal }),
    );
    signal.throwIfAborted();
    const exitCode = result.end === 'exited' ? result.exitCode : null;
    const problem = cutOffWords[result.end];
    return {
      passed: exitCode === 0,
      exitCode,
      ...(problem !== undefined && { problem }),
      seconds: result.durationMs / 1000,
      output: secrets.mask(result.output).slice(-keptOutput),
    };
  } finally {
    await copy.remove();
  }
}
