import * as vscode from 'vscode';
import { windowModels } from '../contributed/windowModels';
import type { LocalServer } from '../../adapters/models/localServers';
import type { Provider } from '../../core/model/providers/provider';
import { providers } from '../../core/model/providers/providers';
import type { ModelOffer } from '../../protocol/panel/panel';
import { keptApiKey, resolveKey, variableOf } from './secrets';
import { variablesFor } from './keyStep';
import { modelWords } from './modelWords';
import { pickStep, separator, type PickRow } from './quickStep';

/** Returns whether a listed provider runs on this machine. */
const isLocal = ({ hosts }: Provider): boolean => hosts.some((host) => host.startsWith(':'));

/** Returns the listed providers. Makes no network requests. */
export async function providerOffers(secrets: vscode.SecretStorage): Promise<ModelOffer[]> {
  const offered = providers.filter((provider) => provider.offered);
  const details = await Promise.all(offered.map((provider) => keyWords(provider, secrets)));
  return offered.map((provider, index) => ({
    id: provider.id,
    group: isLocal(provider) ? 'machine' : 'provider',
    label: provider.name,
    detail: details[index]!,
    available: true,
  }));
}

/** Returns words about an existing key, saved or in the environment; "" if there is none. */
async function keyWords({ baseUrl, keyVariables }: Provider, secrets: vscode.SecretStorage): Promise<string> {
  const storedKey = await keptApiKey(secrets, baseUrl);
  if (resolveKey(storedKey) !== undefined && variableOf(storedKey) === undefined) return vscode.l10n.t('key saved');
  return resolveKey(storedKey) !== undefined || variablesFor(keyVariables).length > 0 ? vscode.l10n.t('key found') : '';
}

/** Result of the first step: an offer, or directly a model of a local server. */
export type PickedOffer = { readonly offer: string } | { readonly server: LocalServer; readonly model: string };

/**
 * Shows the first step, which asks for the source of the model. Models of local servers appear as soon as the servers
 * answer.
 */
export function offerStep(
  offers: readonly ModelOffer[],
  current: string | undefined,
  find: (signal: AbortSignal) => Promise<readonly LocalServer[]>,
) {
  return pickStep<PickedOffer>({ title: vscode.l10n.t('Choose Model'), canGoBack: false }, (pick, closed) => {
    pick.matchOnDetail = true;
    pick.keepScrollPosition = true;
    pick.placeholder =
      current === undefined ? vscode.l10n.t('Where does the model run?') : vscode.l10n.t('Now: {0}', current);
    pick.items = offerRows(offers, []);
    pick.busy = true;
    void find(closed)
      .then(
        (servers) => {
          if (closed.aborted) return;
          const [active] = pick.activeItems;
          pick.items = offerRows(offers, servers);
          const same = pick.items.find(({ label, value }) => value && label === active?.label);
          if (same) pick.activeItems = [same];
        },
        () => undefined,
      )
      .finally(() => {
        if (!closed.aborted) pick.busy = false;
      });
  });
}

function offerRows(offers: readonly ModelOffer[], servers: readonly LocalServer[]): PickRow<PickedOffer>[] {
  const inGroup = (group: ModelOffer['group']): ModelOffer[] => offers.filter((offer) => offer.group === group);
  const others = inGroup(undefined);
  const ready = others.filter(({ id, available }) => available && isReady(id));
  const more = providers
    .filter(({ offered }) => !offered)
    .map(({ id, name }) => ({ label: name, value: { offer: id } }));
  return [
    ...ready.map(offerRow),
    separator(vscode.l10n.t('providers')),
    ...inGroup('provider').map(offerRow),
    separator(vscode.l10n.t('on this machine')),
    ...localRows(servers),
    ...inGroup('machine').map(offerRow),
    separator(vscode.l10n.t('other options')),
    ...others.filter((offer) => !ready.includes(offer)).map(offerRow),
    separator(vscode.l10n.t('more providers')),
    ...more,
  ];
}

/** Returns whether models of an offer need no further input. */
const isReady = (id: string): boolean => windowModels(id) !== undefined;

function offerRow({ id, group, label, detail }: ModelOffer): PickRow<PickedOffer> {
  if (group !== 'provider') return { label, ...(detail && { detail }), value: { offer: id } };
  return { label, ...(detail && { description: `$(key) ${detail}` }), value: { offer: id } };
}

/** Maximum number of models shown per server. Choosing the server shows all. */
const maxModelsPerServer = 12;

/** Returns the models of the local servers. */
export const localRows = (servers: readonly LocalServer[]): PickRow<PickedOffer>[] =>
  servers.flatMap((server) => {
    const { name, baseUrl, models } = server;
    return models
      .filter(({ chats }) => chats)
      .slice(0, maxModelsPerServer)
      .map((model) => ({
        label: model.id,
        description: [name, new URL(baseUrl).host, modelWords(model)].filter(Boolean).join(' · '),
        value: { server, model: model.id },
      }));
  });
