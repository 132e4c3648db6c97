import * as vscode from 'vscode';
import { dateAndTime } from '../common/dateAndTime';
import { pickOne } from '../common/quickInput';
import { existingLogPath } from '../../adapters/log/eventLog';
import type { OpenSessions } from '../sessions/openSessions';
import type { ShownSession } from '../sessions/shownSession';

/** Where trajectories are found, besides files. */
export interface TrajectorySources {
  readonly sessions: OpenSessions;
  readonly shown: ShownSession;
}

type Item = vscode.QuickPickItem & { readonly uri?: vscode.Uri };

/**
 * Asks for a trajectory: the session on display, another one except `except`, or a file. Returns undefined if the user
 * cancelled.
 */
export async function pickTrajectory(
  { sessions, shown: { id: shownId } }: TrajectorySources,
  title: string,
  except?: vscode.Uri,
): Promise<vscode.Uri | undefined> {
  const all = sessions.list();
  const shown = all.find(({ id }) => id === shownId);
  const item = ({ id, title: label, updatedAt }: (typeof all)[number]): Item => ({
    label,
    description: dateAndTime(updatedAt),
    uri: vscode.Uri.file(existingLogPath(sessions.stored.logOf(id))),
  });
  const items = (
    [
      ...(shown ? [{ ...item(shown), description: vscode.l10n.t('current session') }] : []),
      { label: vscode.l10n.t('Open a file…'), iconPath: new vscode.ThemeIcon('folder-opened') },
      { label: vscode.l10n.t('Sessions'), kind: vscode.QuickPickItemKind.Separator },
      ...all.filter((session) => session !== shown).map(item),
    ] satisfies Item[]
  ).filter((one: Item) => one.uri?.toString() !== except?.toString() || !one.uri);
  const picked = await pickOne(items, { title, matchOnDescription: true });
  if (!picked) return undefined;
  if (picked.uri) return picked.uri;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const [file] =
    (await vscode.window.showOpenDialog({
      title,
      ...(folder && { defaultUri: folder }),
      filters: { [vscode.l10n.t('Trajectories')]: ['jsonl', 'json'], [vscode.l10n.t('All files')]: ['*'] },
    })) ?? [];
  return file;
}
