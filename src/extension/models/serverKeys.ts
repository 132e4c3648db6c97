import * as vscode from 'vscode';
import { readOtherModel } from '../../adapters/models/models';
import { chosenAddress } from '../../core/model/providers/rulesFor';
import { pickOne } from '../common/quickInput';
import type { Settings } from '../common/settings';
import { askForApiKey, keptApiKey } from './secrets';

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
