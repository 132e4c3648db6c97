import * as vscode from 'vscode';
import { windowModels } from '../contributed/windowModels';
import type { LocalServer } from '../../adapters/models/localServers';
import type { Model } from '../../core/ports/model';
import { providers } from '../../core/model/providers/providers';
import type { ModelOffer } from '../../protocol/panel/panel';
import { keepApiKey, readHeaders } from './secrets';
import { readSettings, writeSetting } from '../common/settings';
import { connectModel, connectionTo, type Connected } from './connectModel';
import { furtherPartsAreFor, settleFurtherParts } from './furtherParts';
import { factsOf, type ModelConnection } from './connection';
import { keepListedFacts } from './listedFacts';
import { localRows, offerStep, type PickedOffer } from './modelOffers';
import { back, pickStep } from './quickStep';
import { textProfile } from './trial';

/** What choosing a model needs from the window. */
interface Choosing {
  readonly context: vscode.ExtensionContext;
  offers(): Promise<ModelOffer[]>;
  /** Kinds of models with their own steps. They return false if the user cancelled. */
  readonly others: Readonly<Record<string, () => Promise<boolean>>>;
  /** Returns the model of a connection, without retries. */
  createModel(connection: ModelConnection): Promise<Model>;
}

/**
 * Asks for the source of the model, unless it is given, and for what else is missing. Then tries the model and writes
 * the settings. Returns false if the user cancelled.
 */
export async function chooseModel(choosing: Choosing, offer?: string): Promise<boolean> {
  let offered: PickedOffer | undefined = offer === undefined ? undefined : { offer };
  for (;;) {
    const wanted: PickedOffer | undefined = offered ?? (await askOffer(choosing));
    if (wanted === undefined) return false;
    const outcome = await take(wanted, choosing);
    if (outcome !== back) return outcome;
    offered = undefined;
  }
}

async function askOffer(choosing: Choosing): Promise<PickedOffer | undefined> {
  const { findLocalServers } = await import('../../adapters/models/localServers');
  const picked = await offerStep(await choosing.offers(), await currentWords(), (signal) =>
    findLocalServers({ signal }),
  );
  return picked === back ? undefined : picked;
}

/** Returns the current model in words, for the first step. */
async function currentWords(): Promise<string | undefined> {
  const { provider, modelName, baseUrl } = readSettings();
  const { playsScript } = await import('../../adapters/models/models');
  if (!modelName || playsScript(provider)) return undefined;
  const asksAddress = URL.canParse(baseUrl) && !windowModels(provider);
  return asksAddress ? `${modelName} · ${new URL(baseUrl).host}` : modelName;
}

async function take(offered: PickedOffer, choosing: Choosing): Promise<boolean | typeof back> {
  if ('server' in offered) return connectAndSave(localConnection(offered), choosing);
  const { offer } = offered;
  const other = choosing.others[offer];
  if (other) return other();
  if (offer === 'local') return chooseLocal(choosing);
  const provider = providers.find(({ id }) => id === offer);
  return connectAndSave(connectionTo(provider, provider ? undefined : readSettings().baseUrl), choosing);
}

/** Lists the models of the servers that answer on this machine. */
async function chooseLocal(choosing: Choosing): Promise<boolean | typeof back> {
  const { findLocalServers } = await import('../../adapters/models/localServers');
  const looking = {
    location: vscode.ProgressLocation.Notification,
    title: vscode.l10n.t('Looking for model servers on this machine…'),
  };
  const rows = localRows(await vscode.window.withProgress(looking, () => findLocalServers()));
  if (rows.length === 0) {
    const docs = vscode.l10n.t('Open Documentation');
    void vscode.window
      .showInformationMessage(
        vscode.l10n.t(
          'No model server answered on ports 11434, 1234, 8080 and 8000. Start one with a model loaded, then try again.',
        ),
        docs,
      )
      .then((answer) => answer && vscode.commands.executeCommand('waymark.openDocs', 'use/connect-a-model.md'));
    return false;
  }
  const picked = await pickStep<PickedOffer>({ title: vscode.l10n.t('Local model'), canGoBack: true }, (pick) => {
    pick.items = rows;
  });
  if (picked === undefined) return false;
  return picked === back ? back : take(picked, choosing);
}

function localConnection({ server, model }: { readonly server: LocalServer; readonly model: string }): ModelConnection {
  const provider = providers.find(({ name }) => name === server.name);
  return { ...connectionTo(provider, server.baseUrl), listed: server.models, model };
}

async function connectAndSave(connection: ModelConnection, choosing: Choosing): Promise<boolean | typeof back> {
  const {
    context: { secrets },
    createModel,
  } = choosing;
  const headers = async () =>
    furtherPartsAreFor(connection.baseUrl) ? readHeaders(secrets, readSettings().headers) : {};
  const connected = await connectModel(connection, { secrets, createModel, headers });
  if (connected === undefined) return false;
  if (connected === back) return back;
  if (!(await settleFurtherParts(connected.connection.baseUrl))) return false;
  await save(connected, choosing.context);
  return true;
}

/** Saves the choice. Until here it has no effect. */
async function save(
  { connection, outcome }: Connected,
  { secrets, globalState }: vscode.ExtensionContext,
): Promise<void> {
  const { baseUrl, key, model, provider } = connection;
  await keepApiKey(secrets, baseUrl, key);
  await keepListedFacts(globalState, baseUrl, model, factsOf(connection));
  await writeSetting('model.baseUrl', baseUrl);
  await writeSetting('model.name', model);
  await writeSetting('model.provider', provider?.id ?? 'compatible');
  if (outcome === 'use_text') await writeSetting('profile', textProfile);
  const stronger = settingsOfWorkspace();
  if (stronger.length > 0) {
    void vscode.window.showWarningMessage(
      vscode.l10n.t(
        'This workspace’s settings set {0}, so {1} applies only in other workspaces. Remove them to use it here.',
        stronger.join(', '),
        model,
      ),
    );
  } else if (outcome === 'works') {
    void vscode.window.showInformationMessage(vscode.l10n.t('{0} works: it answered and called a tool.', model));
  }
}

/** Returns the model settings of the workspace, which take precedence over the user's. */
function settingsOfWorkspace(): string[] {
  const configuration = vscode.workspace.getConfiguration('waymark');
  return ['model.provider', 'model.baseUrl', 'model.name']
    .filter((key) => {
      const { workspaceValue, workspaceFolderValue } = configuration.inspect(key) ?? {};
      return vscode.workspace.isTrusted && (workspaceFolderValue ?? workspaceValue) !== undefined;
    })
    .map((key) => `waymark.${key}`);
}
