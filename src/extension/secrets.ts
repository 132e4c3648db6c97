import * as vscode from 'vscode';

const KEY = 'waymark.apiKey';

/** The API key lives in SecretStorage and is handed to the model adapter, to nothing else. */
export const readApiKey = (secrets: vscode.SecretStorage): Thenable<string | undefined> => secrets.get(KEY);

/** Asks for the key and keeps it; an empty answer removes it. False when the person backed out. */
export async function askForApiKey(secrets: vscode.SecretStorage): Promise<boolean> {
  const known = (await readApiKey(secrets)) !== undefined;
  const key = await vscode.window.showInputBox({
    title: vscode.l10n.t('Waymark: Set API Key'),
    prompt: known ? vscode.l10n.t('A key is set. Type another to replace it, or leave this empty to remove it.') : vscode.l10n.t('It is kept in the secret storage of VS Code and sent only to the model\'s server.'),
    password: true,
    ignoreFocusOut: true,
  });
  if (key === undefined) return false;
  if (key.trim() === '') await secrets.delete(KEY);
  else await secrets.store(KEY, key.trim());
  return true;
}
