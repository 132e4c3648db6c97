import * as vscode from 'vscode';
import { readOtherModel } from '../../adapters/models/models';
import { chosenAddress } from '../../core/model/providers/rulesFor';
import { askText, pickOne } from '../common/quickInput';
import type { Settings } from '../common/settings';
import { keepApiKey, keptApiKey } from './secrets';

/** A server that the settings name, and its models. */
interface NamedServer {
  readonly address: string;
  readonly models: string[];
}

/** Returns the servers of the chosen model and of `others`, one for each stored key, in this order. */
function serversOf(settings: Settings, others: readonly string[]): NamedServer[] {
  const address = chosenAddress(settings.baseUrl, settings.provider);
  const servers = new Map<string, NamedServer>();
  for (const { baseUrl = '', name } of [
    { baseUrl: address, name: settings.modelName },
    ...others.map(readOtherModel),
  ]) {
    if (!URL.canParse(baseUrl)) continue; // on the same server
    const { origin } = new URL(baseUrl);
    const server = servers.get(origin) ?? { address: baseUrl, models: [] };
    servers.set(origin, server);
    if (name !== '' && !server.models.includes(name)) server.models.push(name);
  }
  return [...servers.values()];
}

/**
 * Asks for the key of a server that the settings name; if there are several, first asks for which one. `others`: further
 * models as in the settings. Returns undefined if no server is named, false if the user cancelled.
 */
export async function askForServerKey(
  secrets: vscode.SecretStorage,
  settings: Settings,
  others: readonly string[],
): Promise<boolean | undefined> {
  const servers = serversOf(settings, others);
  const [first] = servers;
  if (first === undefined) return undefined;
  if (servers.length === 1) return askForApiKey(secrets, first.address);
  const rows = servers.map(async ({ address, models }) => ({
    label: new URL(address).host,
    description: models.join(', '),
    detail:
      (await keptApiKey(secrets, address)) === undefined ? vscode.l10n.t('no key saved') : vscode.l10n.t('key saved'),
    address,
  }));
  const picked = await pickOne(await Promise.all(rows), { title: vscode.l10n.t('Set API Key') });
  return picked !== undefined && askForApiKey(secrets, picked.address);
}

/** Asks for the key of a server and stores it. An empty answer removes the key. Returns false if the user cancelled. */
async function askForApiKey(secrets: vscode.SecretStorage, baseUrl: string): Promise<boolean> {
  const server = new URL(baseUrl).host;
  const hasKey = (await keptApiKey(secrets, baseUrl)) !== undefined;
  const key = await askText({
    title: vscode.l10n.t('API Key for {0}', server),
    prompt: hasKey
      ? vscode.l10n.t('A key is saved. Enter a new key to replace it, or leave this empty to remove it.')
      : vscode.l10n.t(
          'Saved in VS Code’s secret storage and sent only to {0}. Leave this empty if none is needed.',
          server,
        ),
    password: true,
  });
  if (key === undefined) return false;
  await keepApiKey(secrets, baseUrl, key.trim());
  const said = sayKept(server, { isSet: key.trim() !== '', hadKey: hasKey });
  if (said !== undefined) void vscode.window.showInformationMessage(said);
  return true;
}

function sayKept(
  server: string,
  { isSet, hadKey }: { readonly isSet: boolean; readonly hadKey: boolean },
): string | undefined {
  if (isSet) return vscode.l10n.t('The key for {0} is saved.', server);
  return hadKey ? vscode.l10n.t('The key for {0} is removed.', server) : undefined;
}
