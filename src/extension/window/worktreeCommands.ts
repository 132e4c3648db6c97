import * as vscode from 'vscode';
import { askText, pickOne } from '../common/quickInput';
import { choiceOf } from '../review/changeRows';
import { queuedCommand, targetRow, type RowArgument } from '../review/reviewCommands';
import type { BestOfRequest } from './bestOf';
import type { WindowParts } from './windowParts';

/** Loaded on first use. */
const bestOf = () => import('./bestOf');
const bringing = () => import('../review/bringToWorkspace');
const worktrees = () => import('./worktrees');

/** Brings the changes of a row back to the workspace. */
async function bringRow(window: WindowParts, argument: RowArgument, choice: typeof choiceOf): Promise<void> {
  const row = targetRow(window, argument);
  if (!row) return void vscode.window.setStatusBarMessage(vscode.l10n.t('No change by the agent here.'), 3000);
  await (await bringing()).bringToWorkspace(window, choice(row));
}

/** Commands for runs in their own worktrees: command ID → handler. */
export const worktreeCommands = {
  'waymark.runTaskInWorktree': async (
    window: WindowParts,
    options?: { readonly task?: string; readonly uncommitted?: boolean },
  ) => {
    const task = options?.task ?? (await askForTask());
    if (!task?.trim()) return undefined;
    const uncommitted = options?.uncommitted ?? (await askForBeginning());
    if (uncommitted === undefined) return undefined;
    const session = await window.tasks.startOrGiveBack(task.trim(), { worktree: { uncommitted } });
    return session && { sessionId: session.id };
  },
  /** `options`: those that need not be asked for. Resolves to the session IDs of the candidates. */
  'waymark.runBestOf': async (window: WindowParts, options: Partial<BestOfRequest> = {}) => {
    const sessionIds = await (await bestOf()).runBestOf(window, options);
    return sessionIds && { sessionIds };
  },
  'waymark.bringBackChange': queuedCommand((window: WindowParts, row) => bringRow(window, row, choiceOf)),
  'waymark.bringBackFile': queuedCommand((window: WindowParts, row) =>
    bringRow(window, row, ({ file }) => ({ files: [file.path] })),
  ),
  'waymark.bringBackAll': queuedCommand(async (window: WindowParts) => (await bringing()).bringToWorkspace(window, {})),
  'waymark.undoBringBack': queuedCommand(async (window: WindowParts) => (await bringing()).undoBringBack(window)),
  'waymark.worktrees': async (window: WindowParts) => (await worktrees()).showWorktrees(window),
  /** `ids`: two sessions; asked for if absent. */
  'waymark.compareResults': async (window: WindowParts, ids?: unknown) =>
    (await worktrees()).compareResults(window, ids),
} as const;

const askForTask = (): Thenable<string | undefined> =>
  askText({
    title: vscode.l10n.t('Run Agent on Task in a Worktree'),
    prompt: vscode.l10n.t('What should Waymark do?'),
  });

/** Asks whether the worktree starts with uncommitted changes. Returns undefined if the user cancelled. */
async function askForBeginning(): Promise<boolean | undefined> {
  const items = [
    {
      label: `$(git-commit) ${vscode.l10n.t('Last commit')}`,
      detail: vscode.l10n.t('Your uncommitted changes are not copied to the worktree.'),
      uncommitted: false,
    },
    {
      label: `$(edit) ${vscode.l10n.t('Last commit and uncommitted changes')}`,
      detail: vscode.l10n.t('Changed and untracked files are copied. Ignored files are not.'),
      uncommitted: true,
    },
  ];
  const picked = await pickOne(items, {
    title: vscode.l10n.t('Run Agent on Task in a Worktree'),
    placeHolder: vscode.l10n.t('Start the worktree from'),
    ignoreFocusOut: true,
  });
  return picked?.uncommitted;
}
