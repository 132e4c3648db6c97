import { ModelProblem, type Model } from '../core/model/model';
import type { Prices } from '../core/model/prices';
import { retry } from '../core/model/retry';

/** What a person chose, from the editor's settings or the command line. */
export interface ModelSettings {
  /** The name of a provider below. */
  readonly provider: string;
  readonly baseUrl?: string | undefined;
  /** The name of the model at its provider. */
  readonly name?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly contextWindow?: number | undefined;
  readonly prices?: Prices | undefined;
  readonly idleTimeoutMs?: number | undefined;
  readonly extraBody?: Record<string, unknown> | undefined;
  /** What its server speaks: OpenAI's chat completions, when absent, or its Responses API. */
  readonly protocol?: 'chat' | 'responses' | undefined;
  /** Tokens that one reply may have; the server decides when absent. */
  readonly maxOutputTokens?: number | undefined;
  /** Whether requests are marked for the provider's prompt cache; `auto` when absent. */
  readonly promptCaching?: 'auto' | 'on' | 'off' | undefined;
  /** For the tutorial: the path of its script. */
  readonly script?: string | undefined;
}

/** A way to get a model. Providers that need the editor are added by the extension: `[...modelProviders, vscodeProvider]`. */
export interface ModelProvider {
  readonly name: string;
  /** Throws a `ModelProblem` when the settings do not suffice. */
  make(settings: ModelSettings): Promise<Model>;
}

const openai: ModelProvider = {
  name: 'openai',
  async make({ baseUrl, name, protocol, ...rest }) {
    if (!baseUrl) throw missing('base URL', 'waymark.model.baseUrl');
    if (!name) throw missing('model name', 'waymark.model.name');
    if (protocol === 'responses') return (await import('./responsesModel')).responsesModel({ ...rest, baseUrl, name });
    return (await import('./openAiModel')).openAiModel({ ...rest, baseUrl, name });
  },
};

const tutorial: ModelProvider = {
  name: 'tutorial',
  async make({ script }) {
    if (!script) throw missing('script', 'a script file');
    const [{ readFile }, { parseScript, scriptedModel }] = await Promise.all([import('node:fs/promises'), import('./scriptedModel')]);
    const text = await readFile(script, 'utf8').catch((cause: Error) => {
      throw new ModelProblem('script', 'The script of the tutorial model cannot be opened.', `${cause.message}.`, 'Install Waymark again, or choose a real model.', undefined, { cause });
    });
    return scriptedModel(parseScript(text, script), { source: script, pauseMs: 15 });
  },
};

/** Every provider that needs no editor. A new one is one file and one line here. */
export const modelProviders: readonly ModelProvider[] = [openai, tutorial];

/** The model that the settings name, with retries. */
export async function modelFor(settings: ModelSettings, providers: readonly ModelProvider[] = modelProviders): Promise<Model> {
  const provider = providers.find(({ name }) => name === settings.provider);
  if (!provider) {
    throw new ModelProblem('invalid_request', 'No model can be made from these settings.', `“${settings.provider}” is none of ${providers.map(({ name }) => name).join(', ')}.`, 'Choose one of them in the setting waymark.model.provider.');
  }
  return retry(await provider.make(settings));
}

function missing(thing: string, setting: string): ModelProblem {
  return new ModelProblem('invalid_request', 'No model is chosen.', `The ${thing} is missing.`, `Set ${setting}, or choose a model in the Waymark panel.`);
}
