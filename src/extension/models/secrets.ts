import * as vscode from 'vscode';
import { askText, pickOne } from '../common/quickInput';
import { openSettings } from '../common/openSettings';
import { headerValues, secretsIn } from '../../core/model/headerValues';
import { secrets as knownSecrets } from '../../core/secrets/secrets';

/** One key per server, so that a key is never sent to another address than the one it was entered for. */
const nameFor = (baseUrl: string): string => `waymark.apiKey:${new URL(baseUrl).origin}`;

/**
 * A key may be stored as a reference to an environment variable, which is read on each use: "${env:OPENAI_API_KEY}".
 */
const reference = /^\$\{env:(\w+)\}$/;

export const referenceTo = (variable: string): string => `\${env:${variable}}`;

/** Returns the API key for a server from SecretStorage. Only the model adapter gets it. */
export async function readApiKey(secrets: vscode.SecretStorage, baseUrl: string): Promise<string | undefined> {
  return resolveKey(await keptApiKey(secrets, baseUrl));
}

/** Returns what is stored for a server: a key, or a reference to a variable. */
export async function keptApiKey(secrets: vscode.SecretStorage, baseUrl: string): Promise<string | undefined> {
  return URL.canParse(baseUrl) ? secrets.get(nameFor(baseUrl)) : undefined;
}

/** Resolves a typed or stored key, which may be a reference. */
export function resolveKey(stored: string | undefined): string | undefined {
  const variable = variableOf(stored);
  return variable === undefined ? stored : process.env[variable]?.trim() || undefined;
}

/** Returns the environment variable that a stored key refers to. */
export const variableOf = (stored: string | undefined): string | undefined => reference.exec(stored ?? '')?.[1];

/** Stores a key, or a reference to one, for a server. Without a key, deletes the stored one. */
export async function keepApiKey(
  secrets: vscode.SecretStorage,
  baseUrl: string,
  key: string | undefined,
): Promise<void> {
  if (key) await secrets.store(nameFor(baseUrl), key);
  else await secrets.delete(nameFor(baseUrl));
}

const nameOfHeaderSecret = (name: string): string => `waymark.headerSecret:${name}`;

/**
 * Returns the headers of the settings with their references resolved. Throws an `Error` with a message for people if a
 * value is missing.
 */
export async function readHeaders(
  secrets: vscode.SecretStorage,
  written: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> {
  const values = new Map<string, string | undefined>();
  for (const name of secretsIn(written)) values.set(name, await secrets.get(nameOfHeaderSecret(name)));
  const { headers, hidden } = headerValues(written, {
    env: (name) => process.env[name],
    secret: (name) => values.get(name),
  });
  knownSecrets.learn(...hidden);
  return headers;
}

/**
 * Asks for one of the secrets that the headers of the settings refer to and stores it. An empty answer removes it.
 * Returns false if the user cancelled.
 */
export async function askForHeaderSecret(
  secrets: vscode.SecretStorage,
  headers: Readonly<Record<string, string>>,
): Promise<boolean> {
  const names = secretsIn(headers);
  if (names.length === 0) {
    const open = vscode.l10n.t('Open Settings');
    const words = vscode.l10n.t(
      'No header uses a secret. Add {0} to a value in the setting waymark.model.headers, then set the secret here.',
      '${secret:NAME}',
    );
    if ((await vscode.window.showInformationMessage(words, open)) === open) await openSettings('waymark.model.headers');
    return false;
  }
  const name =
    names.length === 1
      ? names[0]
      : (
          await pickOne(
            names.map((label) => ({ label })),
            { title: vscode.l10n.t('Header Secret') },
          )
        )?.label;
  if (name === undefined) return false;
  const prompt = vscode.l10n.t(
    'Saved in VS Code’s secret storage and sent only in headers that refer to it. Leave this empty to remove it.',
  );
  const value = await askText({
    title: vscode.l10n.t('Value of the Secret {0}', name),
    prompt,
    password: true,
  });
  if (value === undefined) return false;
  if (value === '') await secrets.delete(nameOfHeaderSecret(name));
  else await secrets.store(nameOfHeaderSecret(name), value);
  return true;
}
