import * as vscode from 'vscode';

/** One key per server, so that a key never travels to another address than the one it was given for. */
const nameFor = (baseUrl: string): string => `waymark.apiKey:${new URL(baseUrl).origin}`;

/** The API key for a server, from SecretStorage. It is handed to the model adapter, to nothing else. */
export async function readApiKey(secrets: vscode.SecretStorage, baseUrl: string): Promise<string | undefined> {
  return URL.canParse(baseUrl) ? secrets.get(nameFor(baseUrl)) : undefined;
}

/** Asks for the key of a server and keeps it; an empty answer removes it. False when the person backed out. */
export async function askForApiKey(secrets: vscode.SecretStorage, baseUrl: string): Promise<boolean> {
  const server = new URL(baseUrl).host;
  const known = (await readApiKey(secrets, baseUrl)) !== undefined;
  const key = await vscode.window.showInputBox({
    title: vscode.l10n.t('API Key for {0}', server),
    prompt: known ? vscode.l10n.t('A key is set. Type another to replace it, or leave this empty to remove it.') : vscode.l10n.t('It is kept in the secret storage of VS Code and sent only to {0}. Leave this empty where none is needed.', server),
    password: true,
    ignoreFocusOut: true,
  });
  if (key === undefined) return false;
  if (key.trim() === '') await secrets.delete(nameFor(baseUrl));
  else await secrets.store(nameFor(baseUrl), key.trim());
  return true;
}
