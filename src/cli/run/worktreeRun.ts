import { makeWorktree, type MadeWorktree } from '../../adapters/sessions/worktree';
import { removeWorktree, sweepWorktrees, useWorktree, waitingIn, worktreeAt } from '../../adapters/sessions/worktrees';
import { isSubmitted, type History } from '../../core/log/history';
import { secrets } from '../../core/secrets/secrets';
import { escapeForTerminal } from '../output/escapeForTerminal';
import { stderr } from '../output/output';
import { sessionName } from './children';
import { continueCommand } from './continueCommand';

export interface WorktreeOptions {
  /** Work in a worktree of its own. */
  readonly worktree?: boolean;
  /** It begins with what is not committed. */
  readonly uncommitted?: boolean;
  /** What its result is compared with, where several work on one task. */
  readonly group?: string;
}

/** Makes the worktree of a run that begins, after those that killed runs left are swept. */
export async function worktreeForRun(
  task: string,
  folder: string,
  file: string,
  { uncommitted = false, group }: WorktreeOptions,
): Promise<MadeWorktree> {
  await sweepWorktrees();
  const made = await makeWorktree({
    folder,
    session: sessionName(file),
    log: file,
    task: task.split('\n')[0]!.slice(0, 200),
    uncommitted,
    ...(group !== undefined && { group }),
  });
  for (const note of made.notes) tell(note);
  useWorktree(made.id);
  return made;
}

/** Says where the changes of a run are; a worktree in which nothing is left to do is removed. */
export async function afterWorktreeRun(
  history: History,
  file: string,
  { json }: { readonly json?: boolean },
): Promise<void> {
  const began = history.find((event) => event.type === 'task_started');
  const known = began && worktreeAt(began.cwd);
  if (!known) return;
  const waiting = await waitingIn(known);
  if (waiting?.length === 0 && isSubmitted(history)) {
    removeWorktree(known.id);
    if (!json) tell('The run changed nothing, and its worktree was removed.');
    return;
  }
  if (json) return;
  const command = (name: string): string => continueCommand(file, [], []).replace('run --log', name);
  const count = waiting === undefined ? 'Its changes' : filesInWords(waiting.length);
  tell(
    `${count} wait in the worktree ${known.root}. See them with "${command('changes')}", bring them back with "${command('apply')}".`,
  );
}

const filesInWords = (count: number): string => (count === 1 ? '1 changed file' : `${count} changed files`);

const tell = (words: string): void => stderr.write(`${escapeForTerminal(secrets.mask(words))}\n`);
