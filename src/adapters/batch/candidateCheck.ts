import path from 'node:path';
import { secrets } from '../../core/secrets/secrets';
import type { Settings } from '../../core/session/settingsFrom';
import type { CommandEnd } from '../../protocol/events/details';
import type { CheckOutcome } from '../../protocol/events/event';
import { copyWorkspace } from '../sessions/copyWorkspace';
import type { KnownWorktree } from '../sessions/worktrees';
import { commandAlone, inCheckTerminal, type CheckTerminal } from './checkTerminal';

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
  const began = performance.now();
  try {
    return await checkInCopy(worktree, command, place, signal);
  } catch (error) {
    signal.throwIfAborted();
    const problem = secrets.mask((error as Error).message);
    return {
      passed: false,
      exitCode: null,
      problem,
      seconds: Math.round(performance.now() - began) / 1000,
      output: '',
    };
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
