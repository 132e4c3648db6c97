import * as vscode from 'vscode';
import { pickOne } from '../common/quickInput';
import type { Model as GivenModel } from '../../../api/waymark';
import type { ModelProvider, ModelSettings, OtherModel } from '../../adapters/models/models';
import type { Model } from '../../core/ports/model';
import { modelByName } from '../../core/model/modelNames';
import { priceOf, reportsCost } from '../../core/model/prices';
import type { ModelOffer } from '../../protocol/panel/panel';
import { extensionLabel } from '../contributed/callingExtension';
import { windowModels } from '../contributed/windowModels';
import type { Contributed } from '../contributed/contributions';
import type { ModelConnection } from './connection';
import { listedFacts } from './listedFacts';
import { askForHeaderSecret, resolveKey, readApiKey, readHeaders } from './secrets';
import { languageModelProvider } from './languageModel';
import { readSetting, readSettings, writeSetting, type Settings } from '../common/settings';

/** File that identifies the example project. */
const TIMETABLE = 'data/timetable.txt';

/**
 * The chosen model, according to the settings. Never guesses: without a choice the panel offers the available models.
 */
export class ModelChoice {
  /** `contributedModels`: models of other extensions. */
  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly contributedModels: Contributed<GivenModel>,
  ) {}

  /**
   * Returns the chosen model, with retries, or undefined if none is chosen. Throws an `Error` with a message for people
   * if the choice cannot be used.
   */
  async chosenModel({
    alone = false,
  }: { /** Leaves out fallback and alternate models. */ alone?: boolean } = {}): Promise<Model | undefined> {
    const chosen = await this.chosenSettings();
    if (!chosen) return undefined;
    const { modelFor } = await import('../../adapters/models/models');
    return modelFor(
      alone ? { ...chosen, fallbacks: undefined, alternates: undefined } : chosen,
      await this.providers(),
    );
  }

  /**
   * Returns another model that the user configured as "name" or "address name", with the chosen model's other settings.
   * Throws an `Error` with a message for people.
   */
  async modelFromSetting(text: string): Promise<Model> {
    const chosen = await this.chosenSettings();
    if (!chosen) throw new Error(vscode.l10n.t('No model chosen.'));
    const { otherModel } = await import('../../adapters/models/models');
    return otherModel(chosen, await this.otherModelWithKey(text), await this.providers());
  }

  /**
   * Returns the model that a file or a model asks for by name, never by address. Throws an `Error` with a message for
   * the model if the user does not have it.
   */
  async byName(text: string): Promise<Model> {
    const chosen = await this.chosenSettings();
    if (!chosen) throw new Error(vscode.l10n.t('No model chosen.'));
    const { otherModel } = await import('../../adapters/models/models');
    const { fallbacks = [], alternates, vision } = chosen;
    const additional = [
      ...fallbacks,
      ...(alternates?.models ?? []),
      ...(typeof vision === 'object' ? [vision] : []),
    ].filter(({ name }) => name !== chosen.name);
    const ownerOf = windowModels(chosen.provider)?.ownerOf;
    return otherModel(chosen, modelByName(text, { name: chosen.name, ownerOf, additional }), await this.providers());
  }

  /** Returns the complete choice including keys, or undefined if no model is chosen. */
  async chosenSettings(): Promise<ModelSettings | undefined> {
    const settings = readSettings();
    const provider = providerIn(settings);
    if (!provider) return undefined;
    const { baseUrl, modelName: name } = settings;
    const [{ chosenAddress }, { modelProviders, additionalModels }] = await Promise.all([
      import('../../core/model/providers/rulesFor'),
      import('../../adapters/models/models'),
    ]);
    const { asksServer, playsScript } = modelProviders.find((one) => one.name === provider) ?? {};
    return {
      ...(await this.settingsFor({ provider, baseUrl, name })),
      apiKey: asksServer ? await readApiKey(this.context.secrets, chosenAddress(baseUrl, provider) ?? '') : undefined,
      ...(playsScript
        ? { script: vscode.Uri.joinPath(this.context.extensionUri, 'examples/first-run/script.jsonl').fsPath }
        : await additionalModels(settings, (other) => this.withKey(other))),
    };
  }

  /** Returns what can be chosen, in order of display. Makes no network requests. */
  async offers(): Promise<ModelOffer[]> {
    const [models, { providerOffers }] = await Promise.all([
      vscode.lm.selectChatModels({}).then(
        (found) => found.map(({ name }) => name),
        () => [],
      ),
      import('./modelOffers'),
    ]);
    const contributed = this.contributedModels.all.map(({ by, value }) =>
      vscode.l10n.t('{0}, from {1}', value.name, extensionLabel(by)),
    );
    return [
      {
        id: 'vscode',
        available: models.length > 0,
        label: vscode.l10n.t('A language model from VS Code'),
        detail: models.length > 0 ? models.join(', ') : vscode.l10n.t('No provider is signed in.'),
      },
      ...(contributed.length === 0
        ? []
        : [
            {
              id: 'extension',
              available: true,
              label: vscode.l10n.t('A model from another extension'),
              detail: contributed.join('; '),
            },
          ]),
      {
        id: 'local',
        group: 'machine',
        available: true,
        label: vscode.l10n.t('Find running models'),
        detail: vscode.l10n.t('Looks for Ollama, LM Studio, llama.cpp and vLLM on their default ports.'),
      },
      ...(await providerOffers(this.context.secrets)),
      {
        id: 'endpoint',
        available: true,
        label: vscode.l10n.t('An OpenAI-compatible address and key'),
        detail: vscode.l10n.t('Any server with an OpenAI-compatible chat API.'),
      },
      {
        id: 'tutorial',
        available: true,
        label: vscode.l10n.t('The tutorial model (scripted)'),
        detail: vscode.l10n.t('Plays a prepared lesson on an example project. Tools, terminal and edits are real.'),
      },
    ];
  }

  /**
   * Asks for what is missing, tries the model and writes the choice to the settings. Returns false if the user
   * cancelled.
   */
  async choose(offer?: ModelOffer['id']): Promise<boolean> {
    const { chooseModel } = await import('./chooseModel');
    return chooseModel(
      {
        context: this.context,
        offers: () => this.offers(),
        others: {
          tutorial: () => this.chooseTutorial(),
          vscode: () => this.chooseLanguageModel(),
          extension: () => this.chooseContributed(),
        },
        createModel: (connection) => this.modelOnTrial(connection),
      },
      offer,
    );
  }

  /**
   * Asks for the key of a server in the settings, or for a model if they name no server. Returns false if the user
   * cancelled.
   */
  async setApiKey(): Promise<boolean> {
    const settings = readSettings();
    const { fallbacks, alternates, vision } = settings;
    const { askForServerKey } = await import('./serverKeys');
    const others = [...fallbacks, ...alternates, vision, readSetting('verifier.model')];
    return (await askForServerKey(this.context.secrets, settings, others)) ?? this.choose();
  }

  /** Returns a model that is not chosen yet, without retries. */
  private async modelOnTrial(connection: ModelConnection): Promise<Model> {
    const { baseUrl, key, model, provider } = connection;
    const { modelOnce } = await import('../../adapters/models/models');
    return modelOnce({
      ...(await this.settingsFor({ provider: provider?.id ?? 'compatible', baseUrl, name: model })),
      apiKey: resolveKey(key),
    });
  }

  /** Returns the settings of one model, without its key and fallbacks. */
  private async settingsFor({
    provider,
    baseUrl,
    name,
  }: {
    provider: string;
    baseUrl: string;
    name: string;
  }): Promise<ModelSettings> {
    const settings = readSettings();
    const { prices, protocol, promptCaching, extraBody } = settings;
    const [{ lessonFile }, { furtherPartsAreFor }] = await Promise.all([
      import('../../adapters/models/endpoint/learnedRules'),
      import('./furtherParts'),
    ]);
    const listed = listedFacts(this.context.globalState, baseUrl, name);
    // Precedence of prices: the user's setting, what the provider reports with each reply, the built-in table, then the
    // server's list, which has no price for cached tokens.
    const usesListed = listed.price && !priceOf(name, prices) && !reportsCost(provider, baseUrl);
    return {
      provider,
      baseUrl,
      name,
      protocol,
      promptCaching,
      memory: lessonFile(),
      ...(furtherPartsAreFor(baseUrl) && {
        extraBody,
        headers: await readHeaders(this.context.secrets, settings.headers),
      }),
      reasoningEffort: settings.reasoningEffort || undefined,
      temperature: settings.temperature ?? undefined,
      prices: usesListed ? { ...prices, [name]: listed.price } : prices,
      contextWindow: settings.contextWindow ?? listed.contextWindow,
      maxOutputTokens: settings.maxOutputTokens ?? undefined,
    };
  }

  /** Asks for a secret that a header in the settings refers to. Returns false if the user cancelled. */
  setHeaderSecret(): Promise<boolean> {
    return askForHeaderSecret(this.context.secrets, readSettings().headers);
  }

  private async providers(): Promise<ModelProvider[]> {
    const [{ modelProviders }, { contributedModels }] = await Promise.all([
      import('../../adapters/models/models'),
      import('../contributed/contributedModels'),
    ]);
    return [...modelProviders, languageModelProvider, contributedModels(this.contributedModels)];
  }

  /** Returns the model with the key of its own address. */
  private async otherModelWithKey(text: string): Promise<OtherModel> {
    const { readOtherModel } = await import('../../adapters/models/models');
    return this.withKey(readOtherModel(text));
  }

  private async withKey(other: OtherModel): Promise<OtherModel> {
    return { ...other, ...(other.baseUrl && { apiKey: await readApiKey(this.context.secrets, other.baseUrl) }) };
  }

  /**
   * Chooses the tutorial model. The tutorial runs in its own project: in any other folder, offers to open a copy of it
   * in a new window.
   */
  private async chooseTutorial(): Promise<boolean> {
    const example = vscode.Uri.joinPath(this.context.extensionUri, 'examples/first-run');
    const here = vscode.workspace.workspaceFolders?.[0]?.uri;
    const isExample =
      here !== undefined &&
      (await sameFile(vscode.Uri.joinPath(here, TIMETABLE), vscode.Uri.joinPath(example, TIMETABLE)));
    const open = vscode.l10n.t('Open a Copy');
    if (
      !isExample &&
      (await vscode.window.showInformationMessage(
        vscode.l10n.t('The tutorial runs on an example project, a ferry timetable with a bug. Open a copy of it?'),
        // A notification would disappear and not explain why no model was chosen.
        { modal: true },
        open,
      )) !== open
    )
      return false;
    await writeSetting('model.provider', 'tutorial');
    if (isExample) return true;
    const copy = vscode.Uri.joinPath(
      this.context.globalStorageUri,
      'tutorial',
      new Date().toISOString().slice(0, 19).replace(/\D/g, ''),
      'ferry-times',
    );
    await vscode.workspace.fs.copy(example, copy);
    await vscode.commands.executeCommand('vscode.openFolder', copy, { forceNewWindow: here !== undefined });
    return false;
  }

  private async chooseLanguageModel(): Promise<boolean> {
    const models = await vscode.lm.selectChatModels({});
    const picked = await pickOne(
      models.map((model) => ({ label: model.name, description: model.vendor, id: model.id })),
      { title: vscode.l10n.t('Language model from VS Code') },
    );
    if (!picked) return false;
    await writeSetting('model.name', picked.id);
    await writeSetting('model.provider', 'vscode');
    return true;
  }

  private async chooseContributed(): Promise<boolean> {
    const { settingFor } = await import('../contributed/contributedModels');
    const picked = await pickOne(
      this.contributedModels.all.map((contribution) => ({
        label: contribution.value.name,
        description: extensionLabel(contribution.by),
        setting: settingFor(contribution),
      })),
      { title: vscode.l10n.t('Model from another extension') },
    );
    if (!picked) return false;
    await writeSetting('model.name', picked.setting);
    await writeSetting('model.provider', 'extension');
    return true;
  }
}

async function sameFile(a: vscode.Uri, b: vscode.Uri): Promise<boolean> {
  const read = (uri: vscode.Uri) =>
    Promise.resolve(vscode.workspace.fs.readFile(uri)).then(
      (bytes) => Buffer.from(bytes),
      () => undefined,
    );
  const [left, right] = await Promise.all([read(a), read(b)]);
  return left !== undefined && right !== undefined && left.equals(right);
}

/** Returns the provider that the settings choose, or undefined if they choose none. */
function providerIn({ provider, baseUrl, modelName }: Settings): string | undefined {
  if (provider !== 'auto') return provider;
  return baseUrl && modelName ? 'compatible' : undefined;
}
