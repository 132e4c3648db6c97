import * as vscode from 'vscode';
import type { Model as GivenModel } from '../../api/waymark';
import type { ModelProvider, ModelSettings, OtherModel } from '../adapters/models';
import type { Model } from '../core/model/model';
import { modelByName } from '../core/model/modelByName';
import type { ModelOffer } from '../protocol/panel';
import { wordsFor } from './api/callingExtension';
import type { Contributed } from './api/contributions';
import { askForApiKey, askForHeaderSecret, readApiKey, readHeaders } from './secrets';
import { languageModelProvider } from './languageModel';
import { readSettings, writeSetting } from './settings';

/** The file by which the example project is known. */
const TIMETABLE = 'data/timetable.txt';

/** Which model works: what the settings say, or nothing yet. Never a guess: without a choice the panel offers what there is. */
export class ModelChoice {
  /** `given`: models of other extensions. */
  constructor(private readonly context: vscode.ExtensionContext, private readonly given: Contributed<GivenModel>) {}

  /** The chosen model, with retries; undefined until one was chosen. Throws an `Error` in words for the person when the choice cannot be used. */
  async chosen({ alone = false }: { /** Without the models that stand in for it or share its work. */ alone?: boolean } = {}): Promise<Model | undefined> {
    const chosen = await this.chosenSettings();
    if (!chosen) return undefined;
    const { modelFor } = await import('../adapters/models');
    return modelFor(alone ? { ...chosen, fallbacks: undefined, alternates: undefined } : chosen, await this.providers());
  }

  /** Another model that the person set, by "name" or "address name", asked as the chosen one. Throws an `Error` in words for the person. */
  async named(text: string): Promise<Model> {
    const chosen = await this.chosenSettings();
    if (!chosen) throw new Error(vscode.l10n.t('No model is chosen.'));
    const { otherModel } = await import('../adapters/models');
    return otherModel(chosen, await this.keyed(text), await this.providers());
  }

  /** The model that a file or a model asks for, never by an address. Throws an `Error` in words for the model where the person does not have it. */
  async byName(text: string): Promise<Model> {
    const chosen = await this.chosenSettings();
    if (!chosen) throw new Error(vscode.l10n.t('No model is chosen.'));
    const { otherModel } = await import('../adapters/models');
    const { fallbacks = [], alternates, vision } = chosen;
    const beside = [...fallbacks, ...(alternates?.models ?? []), ...(typeof vision === 'object' ? [vision] : [])].filter(({ name }) => name !== chosen.name);
    return otherModel(chosen, modelByName(text, { ...chosen, beside }), await this.providers());
  }

  /** Everything that was chosen, with the keys; undefined until a model was chosen. */
  async chosenSettings(): Promise<ModelSettings | undefined> {
    const settings = readSettings();
    const { baseUrl, modelName, contextWindow, maxOutputTokens, prices, protocol, reasoningEffort, temperature, headers, extraBody, promptCaching, fallbacks, alternates, alternation, vision } = settings;
    const provider = settings.provider !== 'auto' ? settings.provider : baseUrl && modelName ? 'compatible' : undefined;
    if (!provider) return undefined;
    const [{ providerNamed }, { lessonFile }] = await Promise.all([import('../core/model/providers/rulesFor'), import('../adapters/openai/lessonFile')]);
    const server = providerNamed(provider);
    const asksServer = provider === 'compatible' || server !== undefined;
    return {
      provider, baseUrl, name: modelName, prices, contextWindow: contextWindow ?? undefined,
      apiKey: asksServer ? await readApiKey(this.context.secrets, baseUrl || (server?.baseUrl ?? '')) : undefined,
      protocol, reasoningEffort: reasoningEffort || undefined, temperature: temperature ?? undefined, extraBody,
      headers: await readHeaders(this.context.secrets, headers), memory: lessonFile(), promptCaching, maxOutputTokens: maxOutputTokens ?? undefined,
      script: vscode.Uri.joinPath(this.context.extensionUri, 'examples/first-run/script.jsonl').fsPath,
      // The lesson is played by nobody else.
      ...(provider !== 'tutorial' && {
        fallbacks: await Promise.all(fallbacks.map(each => this.keyed(each))),
        alternates: { how: alternation, models: await Promise.all(alternates.map(each => this.keyed(each))) },
        vision: vision === '' ? undefined : vision === 'none' ? 'none' : await this.keyed(vision),
      }),
    };
  }

  /** What can be chosen, in the order it is offered. Asks nothing of the network. */
  async offers(): Promise<ModelOffer[]> {
    const models = await vscode.lm.selectChatModels({}).then(found => found.map(({ name }) => name), () => []);
    return [
      { id: 'vscode', label: vscode.l10n.t('A language model of VS Code'), detail: models.length > 0 ? models.join(', ') : vscode.l10n.t('None is signed in.'), available: models.length > 0 },
      ...(this.given.all.length > 0 ? [{ id: 'extension' as const, label: vscode.l10n.t('A model of another extension'), detail: this.given.all.map(({ by, thing }) => vscode.l10n.t('{0}, from {1}', thing.name, wordsFor(by))).join('; '), available: true }] : []),
      { id: 'local', label: vscode.l10n.t('A model on this machine'), detail: vscode.l10n.t('Looks for Ollama, LM Studio, llama.cpp and vLLM on their usual ports.'), available: true },
      { id: 'endpoint', label: vscode.l10n.t('An OpenAI-compatible address and key'), detail: vscode.l10n.t('Any provider that speaks the OpenAI chat protocol.'), available: true },
      { id: 'tutorial', label: vscode.l10n.t('The tutorial model (scripted)'), detail: vscode.l10n.t('Plays a prepared lesson on the example project. Its tools, terminal and edits are real.'), available: true },
    ];
  }

  /** Asks what is missing and writes the choice to the settings. False when the person backed out. */
  async choose(offer: ModelOffer['id']): Promise<boolean> {
    switch (offer) {
      case 'tutorial': return this.chooseTutorial();
      case 'vscode': return this.chooseLanguageModel();
      case 'extension': return this.chooseContributed();
      case 'local': return this.chooseLocal();
      case 'endpoint': return this.chooseEndpoint();
    }
  }

  /** Asks for the key of the server that is set; without one, for the server first. False when the person backed out. */
  setApiKey(): Promise<boolean> {
    const { baseUrl } = readSettings();
    return URL.canParse(baseUrl) ? askForApiKey(this.context.secrets, baseUrl) : this.chooseEndpoint();
  }

  /** Asks for a secret that a header of the settings refers to. False when the person backed out. */
  setHeaderSecret(): Promise<boolean> {
    return askForHeaderSecret(this.context.secrets, readSettings().headers);
  }

  private async providers(): Promise<ModelProvider[]> {
    const [{ modelProviders }, { contributedModels }] = await Promise.all([import('../adapters/models'), import('./api/contributedModels')]);
    return [...modelProviders, languageModelProvider, contributedModels(this.given)];
  }

  /** With the key of its own address. */
  private async keyed(text: string): Promise<OtherModel> {
    const other = (await import('../adapters/models')).readOtherModel(text);
    return { ...other, ...(other.baseUrl && { apiKey: await readApiKey(this.context.secrets, other.baseUrl) }) };
  }

  /** The lesson plays on its own project: in any other folder a copy of that is offered, to be worked on in a window of its own. */
  private async chooseTutorial(): Promise<boolean> {
    const example = vscode.Uri.joinPath(this.context.extensionUri, 'examples/first-run');
    const here = vscode.workspace.workspaceFolders?.[0]?.uri;
    const isExample = here !== undefined && (await sameFile(vscode.Uri.joinPath(here, TIMETABLE), vscode.Uri.joinPath(example, TIMETABLE)));
    const open = vscode.l10n.t('Open a Copy');
    if (!isExample && (await vscode.window.showInformationMessage(vscode.l10n.t('The tutorial plays on an example project, a ferry timetable with a bug. Open a copy of it?'), open)) !== open) return false;
    await writeSetting('model.provider', 'tutorial');
    if (isExample) return true;
    const copy = vscode.Uri.joinPath(this.context.globalStorageUri, 'tutorial', new Date().toISOString().slice(0, 19).replace(/\D/g, ''), 'ferry-times');
    await vscode.workspace.fs.copy(example, copy);
    await vscode.commands.executeCommand('vscode.openFolder', copy, { forceNewWindow: here !== undefined });
    return false;
  }

  private async chooseLanguageModel(): Promise<boolean> {
    const models = await vscode.lm.selectChatModels({});
    const picked = await vscode.window.showQuickPick(models.map(model => ({ label: model.name, description: model.vendor, id: model.id })), { title: vscode.l10n.t('Language model of VS Code') });
    if (!picked) return false;
    await writeSetting('model.name', picked.id);
    await writeSetting('model.provider', 'vscode');
    return true;
  }

  private async chooseContributed(): Promise<boolean> {
    const { settingFor } = await import('./api/contributedModels');
    const picked = await vscode.window.showQuickPick(this.given.all.map(given => ({ label: given.thing.name, description: wordsFor(given.by), setting: settingFor(given) })), { title: vscode.l10n.t('Model of another extension') });
    if (!picked) return false;
    await writeSetting('model.name', picked.setting);
    await writeSetting('model.provider', 'extension');
    return true;
  }

  private async chooseLocal(): Promise<boolean> {
    const { findLocalServers } = await import('../adapters/localServers');
    const servers = await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title: vscode.l10n.t('Looking for model servers on this machine…') }, () => findLocalServers());
    const items = servers.flatMap(({ name, baseUrl, models }) => models.map(model => ({ label: model.id, description: `${name} · ${baseUrl}`, baseUrl })));
    if (items.length === 0) {
      void vscode.window.showInformationMessage(vscode.l10n.t('No model server answered on ports 11434, 1234, 8080 and 8000. Start one with a model loaded, then choose again.'));
      return false;
    }
    const picked = await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Model on this machine') });
    if (!picked) return false;
    await this.useEndpoint(picked.baseUrl, picked.label);
    return true;
  }

  private async chooseEndpoint(): Promise<boolean> {
    const settings = readSettings();
    const baseUrl = await vscode.window.showInputBox({
      title: vscode.l10n.t('Address of the model\'s server'), prompt: vscode.l10n.t('The part before /chat/completions'), value: settings.baseUrl, placeHolder: 'https://api.openai.com/v1', ignoreFocusOut: true,
      validateInput: value => (/^https?:\/\/[^\s@]+$/.test(value.trim()) && URL.canParse(value.trim()) ? undefined : vscode.l10n.t('An address that starts with https:// or http://, without a user name.')),
    });
    if (baseUrl === undefined) return false;
    const name = await vscode.window.showInputBox({ title: vscode.l10n.t('Name of the model'), value: settings.modelName, ignoreFocusOut: true, validateInput: value => (value.trim() ? undefined : vscode.l10n.t('As the server calls it.')) });
    if (name === undefined) return false;
    if (!(await askForApiKey(this.context.secrets, baseUrl.trim()))) return false;
    await this.useEndpoint(baseUrl.trim(), name.trim());
    return true;
  }

  private async useEndpoint(baseUrl: string, name: string): Promise<void> {
    await writeSetting('model.baseUrl', baseUrl);
    await writeSetting('model.name', name);
    await writeSetting('model.provider', 'openai');
  }
}

async function sameFile(a: vscode.Uri, b: vscode.Uri): Promise<boolean> {
  const read = (uri: vscode.Uri) => Promise.resolve(vscode.workspace.fs.readFile(uri)).then(bytes => Buffer.from(bytes), () => undefined);
  const [left, right] = await Promise.all([read(a), read(b)]);
  return left !== undefined && right !== undefined && left.equals(right);
}
