import * as vscode from 'vscode';
import { extensionLabel, type ExtensionName } from '../contributed/callingExtension';
import { truncate } from '../../protocol/plain/truncate';

const KEY = 'waymark.api.mayBegin';

/** Which extensions may start tasks in this workspace. */
export class TaskConsent {
  /** Open questions. An extension that calls twice causes one question only. */
  private readonly open = new Map<string, Promise<boolean>>();

  /** `state`: storage of the workspace, outside its folder. */
  constructor(private readonly state: vscode.Memento) {}

  /**
   * Returns whether an extension may start tasks, by the user's earlier answer or by asking. After a refusal, the next
   * call asks again.
   */
  mayBegin(by: ExtensionName, task: string): Promise<boolean> {
    if (by.id === '') return askToStart(by, task);
    if (extensionsThatBegin(this.state).includes(by.id)) return Promise.resolve(true);
    const asked = this.open.get(by.id) ?? this.ask(by, task).finally(() => this.open.delete(by.id));
    this.open.set(by.id, asked);
    return asked;
  }

  private async ask(by: ExtensionName, task: string): Promise<boolean> {
    const yes = await askToStart(by, task);
    if (yes) await this.state.update(KEY, [...new Set([...extensionsThatBegin(this.state), by.id])]);
    return yes;
  }
}

/** Returns the IDs of the extensions that may start tasks in this workspace. */
export const extensionsThatBegin = (state: vscode.Memento): readonly string[] => state.get<string[]>(KEY, []);

/** Revokes the permission of these extensions. */
export const forbid = (ids: readonly string[], state: vscode.Memento): Thenable<void> =>
  state.update(
    KEY,
    extensionsThatBegin(state).filter((id) => !ids.includes(id)),
  );

/** Asks the user. Enter refuses, because the question may appear while the user is typing. */
async function askToStart(by: ExtensionName, task: string): Promise<boolean> {
  const isNamed = by.id !== '';
  const no = { label: vscode.l10n.t('Do Not Start It'), detail: vscode.l10n.t('The task: {0}', oneLine(task)) };
  const yes = {
    label: isNamed ? vscode.l10n.t('Start and Always Allow Its Tasks Here') : vscode.l10n.t('Start It'),
    detail: isNamed
      ? vscode.l10n.t('Asks in the panel. Revoke with “Allow Rules…”.')
      : vscode.l10n.t('Asks in the panel.'),
  };
  const title = isNamed
    ? vscode.l10n.t('{0} wants to start an agent task', extensionLabel(by))
    : vscode.l10n.t('An unidentified extension wants to start an agent task');
  return (await choose(title, oneLine(task), [no, yes])) === yes;
}

/**
 * Lets the user pick an item. Text typed meanwhile was meant for something else, so it is cleared and picks nothing.
 */
function choose(
  title: string,
  placeholder: string,
  items: readonly vscode.QuickPickItem[],
): Promise<vscode.QuickPickItem | undefined> {
  const pick = vscode.window.createQuickPick();
  Object.assign(pick, { title, placeholder, items, ignoreFocusOut: true });
  return new Promise<vscode.QuickPickItem | undefined>((resolve) => {
    pick.onDidAccept(() => {
      if (pick.value === '') resolve(pick.selectedItems[0]);
      else pick.value = '';
    });
    pick.onDidHide(() => resolve(undefined));
    pick.show();
  }).finally(() => pick.dispose());
}

const oneLine = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return truncate(line, 200);
};
