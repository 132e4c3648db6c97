import path from 'node:path';
import * as vscode from 'vscode';
import type { KnownWorktree } from '../../adapters/sessions/worktrees';
import type { WindowParts } from './windowParts';

interface WorktreeItem extends vscode.QuickPickItem {
  readonly worktree: KnownWorktree;
}

/** Returns the worktrees of this workspace's sessions, newest first, each with its number of changed files. */
async function worktreeItems({ sessions }: WindowParts): Promise<WorktreeItem[]> {
  const { listWorktrees, changesToBringBack } = await import('../../adapters/sessions/worktrees');
  const items: WorktreeItem[] = [];
  for (const worktree of listWorktrees().reverse()) {
    if (sessions.stored.idOf(worktree.log) === undefined) continue;
    const waiting = (await changesToBringBack(worktree))?.length;
    const title = sessions.list().find(({ id }) => id === worktree.session)?.title ?? worktree.task;
    items.push({
      label: `$(git-branch) ${title}`,
      description: describe(sessions.get(worktree.session)?.conversation.running ?? false, waiting),
      detail: worktree.root,
      worktree,
    });
  }
  return items;
}

function describe(running: boolean, waiting: number | undefined): string {
  if (running) return vscode.l10n.t('running');
  if (waiting === undefined) return vscode.l10n.t('changes unknown');
  if (waiting === 1) return vscode.l10n.t('1 changed file to bring back');
  return vscode.l10n.t('{0} changed files to bring back', waiting);
}

/** Lists the worktrees. Picking one shows its session; its button removes it. */
export async function showWorktrees(window: WindowParts): Promise<void> {
  const items = await worktreeItems(window);
  if (items.length === 0)
    return void vscode.window.showInformationMessage(
      vscode.l10n.t('No worktrees yet. Create one with “Run Agent on Task in a Worktree…”.'),
    );
  const remove: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('trash'),
    tooltip: vscode.l10n.t('Remove Worktree…'),
  };
  const pick = vscode.window.createQuickPick<WorktreeItem>();
  pick.title = vscode.l10n.t('Worktrees');
  pick.placeholder = vscode.l10n.t('Open which session?');
  pick.items = items.map((item) => ({ ...item, buttons: [remove] }));
  const chosen = await new Promise<{ readonly item: WorktreeItem; readonly removes: boolean } | undefined>(
    (resolve) => {
      pick.onDidAccept(() => resolve(pick.activeItems[0] && { item: pick.activeItems[0], removes: false }));
      pick.onDidTriggerItemButton(({ item }) => resolve({ item, removes: true }));
      pick.onDidHide(() => resolve(undefined));
      pick.show();
    },
  );
  pick.dispose();
  if (!chosen) return;
  const { session } = chosen.item.worktree;
  if (chosen.removes) await removeOne(window, chosen.item);
  else await vscode.commands.executeCommand('waymark.openSession', session);
}

/**
 * Removes a worktree, after asking if changes would be lost. The list may be outdated, because the session may have
 * continued.
 */
async function removeOne({ sessions, places }: WindowParts, { worktree }: WorktreeItem): Promise<void> {
  const { hasOnlyCommits, listWorktrees, removeWorktree, changesToBringBack } =
    await import('../../adapters/sessions/worktrees');
  const isInUse = (): boolean => listWorktrees().some((each) => each.id === worktree.id && each.isInUse);
  const open = sessions.get(worktree.session);
  const atWork = vscode.l10n.t('The agent is working in this worktree. Stop it first.');
  // A session of this window keeps its worktree in use while it is open, even when idle.
  if (open ? open.conversation.running : isInUse()) throw new Error(atWork);
  const waiting = await changesToBringBack(worktree);
  if (waiting?.length !== 0 || (await hasOnlyCommits(worktree))) {
    const button = vscode.l10n.t('Remove');
    const question = vscode.l10n.t('Remove the worktree with changes that were not brought back?');
    const answer = await vscode.window.showWarningMessage(question, { modal: true, detail: worktree.root }, button);
    if (answer !== button) return;
  }
  await places.leave(worktree.session);
  await sessions.close(worktree.session);
  if (isInUse()) throw new Error(atWork);
  removeWorktree(worktree.id);
}

/**
 * Compares what two sessions did to the same folder: all files that either of them changed, side by side. `ids`: the two
 * sessions; asked for if absent.
 */
export async function compareResults(window: WindowParts, ids: unknown): Promise<void> {
  const items = await worktreeItems(window);
  const named = Array.isArray(ids) ? items.filter(({ worktree }) => ids.includes(worktree.session)) : undefined;
  const chosen = named ?? (await pickTwo(items));
  if (chosen === undefined) return;
  const [one, other] = chosen;
  if (!one || !other || chosen.length !== 2)
    throw new Error(vscode.l10n.t('Comparing results needs two sessions with worktrees.'));
  const { allChangesIn } = await import('../../adapters/sessions/worktrees');
  const names = new Set<string>();
  for (const { worktree } of [one, other])
    for (const { path: file, isFolder } of (await allChangesIn(worktree)) ?? [])
      if (!isFolder) names.add(path.relative(worktree.root, file));
  const resources = await Promise.all(
    [...names].sort().map(async (name) => {
      const [left, right] = [one, other].map(({ worktree }) => vscode.Uri.file(path.join(worktree.root, name)));
      return [
        vscode.Uri.file(path.join(one.worktree.of, name)),
        await existingFile(left!),
        await existingFile(right!),
      ] as const;
    }),
  );
  if (resources.length === 0)
    return void vscode.window.showInformationMessage(vscode.l10n.t('Neither session changed a file.'));
  const title = vscode.l10n.t('{0} ↔ {1}', plainLabel(one), plainLabel(other));
  await vscode.commands.executeCommand('vscode.changes', title, resources);
}

const plainLabel = ({ label }: WorktreeItem): string => label.replace(/^\$\(git-branch\) /, '');

/** Returns the file, or undefined if it does not exist. */
async function existingFile(file: vscode.Uri): Promise<vscode.Uri | undefined> {
  return vscode.workspace.fs.stat(file).then(
    () => file,
    () => undefined,
  );
}

async function pickTwo(items: readonly WorktreeItem[]): Promise<readonly WorktreeItem[] | undefined> {
  if (items.length < 3) return items;
  return vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Compare Results'),
    placeHolder: vscode.l10n.t('Choose two sessions.'),
    canPickMany: true,
  });
}
