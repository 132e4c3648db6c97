import { existsSync } from 'node:fs';
import { withPace } from '../../core/model/decorators/withPace';
import { randomModelOf, modelsInTurn, withFallbacks, withImageModel } from '../../core/model/decorators/severalModels';
import { ModelProblem, type Model } from '../../core/ports/model';
import type { Protocol } from '../../core/model/providers/provider';
import { providers as knownServers } from '../../core/model/providers/providers';
import { chosenAddress, providerInAddress, providerNamed } from '../../core/model/providers/rulesFor';
import type { Prices } from '../../core/model/prices';
import { withRetries } from '../../core/model/decorators/withRetries';
import type { ProxyFor } from '../net/proxies';
import type { LessonMemory } from './endpoint/learnedRules';
import { windowAdvice, type Advice } from '../../core/model/advice';
import { secrets } from '../../core/secrets/secrets';
import { secretsOfEnvironment } from '../../core/secrets/secretValues';

/** The user's choice of a model, from the editor's settings or the command line. */
export interface ModelSettings {
  /** Name of an entry in `modelProviders`: `compatible`, the id of a provider in the list, or `tutorial`. */
  readonly provider: string;
  readonly baseUrl?: string | undefined;
  /** Name of the model at its provider. */
  readonly name?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly contextWindow?: number | undefined;
  readonly prices?: Prices | undefined;
  readonly idleTimeoutMs?: number | undefined;
  readonly extraBody?: Record<string, unknown> | undefined;
  /** Additional headers with references resolved: see `readHeaders`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly temperature?: number | undefined;
  readonly reasoningEffort?: string | undefined;
  /** Protocol to use; the provider list decides if absent or `auto`. */
  readonly protocol?: Protocol | 'auto' | undefined;
  /** Maximum number of tokens per reply; the server decides if absent. */
  readonly maxOutputTokens?: number | undefined;
  /** Whether requests are marked for the provider's prompt cache; `auto` if absent. */
  readonly promptCaching?: 'auto' | 'on' | 'off' | undefined;
  /** Models that replace one that does not answer, in order of preference. */
  readonly fallbacks?: readonly OtherModel[] | undefined;
  /** Models that share the work with this one: chosen at random, or taking turns reply by reply. */
  readonly alternates?: { readonly how: 'by_lot' | 'in_turn'; readonly models: readonly OtherModel[] } | undefined;
  /**
   * Model for chats with images; `none` if the main model cannot see and no other should be used. If absent, the main
   * model sees.
   */
  readonly vision?: OtherModel | 'none' | undefined;
  /** Stores what was learned about servers; for this session only if absent. */
  readonly memory?: LessonMemory | undefined;
  /** Waits before each request until its endpoint may be called. If absent, requests are sent at once. */
  readonly pace?: ((endpoint: string, signal: AbortSignal) => Promise<void>) | undefined;
  /** Path of the script, for the tutorial. */
  readonly script?: string | undefined;
  /** Words what the user can do about a problem; as in a window if absent. */
  readonly advice?: Advice | undefined;
  /** Returns the proxy for an address; if absent, requests go through that of VS Code or directly. */
  readonly proxyFor?: ProxyFor | undefined;
}

/**
 * A model in addition to the main one; fields that are not set come from the main one. A key is sent only to the
 * address it was given for.
 */
export interface OtherModel {
  readonly name: string;
  readonly baseUrl?: string | undefined;
  readonly apiKey?: string | undefined;
}

/** Parses a model name: "gpt-5-mini" is on the same server, "http://127.0.0.1:11434/v1 qwen3" on another one. */
export function readOtherModel(text: string): OtherModel {
  const [, baseUrl, name] = /^(https?:\/\/\S+)\s+(\S.*)$/.exec(text.trim()) ?? [];
  return baseUrl && name ? { baseUrl, name } : { name: text.trim() };
}

/** Returns the additional models that the user set. `keyed` adds the key for each model's own address. */
export async function additionalModels(
  settings: {
    readonly fallbacks: readonly string[];
    readonly alternates: readonly string[];
    readonly alternation: 'in_turn' | 'by_lot';
    /** "" if the model itself sees images, "none" if no model does. */
    readonly vision: string;
  },
  keyed: (other: OtherModel) => Promise<OtherModel>,
): Promise<Pick<ModelSettings, 'fallbacks' | 'alternates' | 'vision'>> {
  const readWithKey = (text: string): Promise<OtherModel> => keyed(readOtherModel(text));
  const { alternation, vision } = settings;
  const [fallbacks, alternates] = await Promise.all([
    Promise.all(settings.fallbacks.map(readWithKey)),
    Promise.all(settings.alternates.map(readWithKey)),
  ]);
  return {
    fallbacks,
    alternates: { how: alternation, models: alternates },
    ...(vision !== '' && { vision: vision === 'none' ? 'none' : await readWithKey(vision) }),
  };
}

/** A way to get a model. The extension adds providers that need the editor: `[...modelProviders, vscodeProvider]`. */
export interface ModelProvider {
  readonly name: string;
  /** True if the model is a server with an address, so that an API key may be stored for it. */
  readonly asksServer?: true;
  /** True if the model replays a script, so that it has no server, no name of its own and no additional models. */
  readonly playsScript?: true;
  /** Throws a `ModelProblem` if settings are missing. */
  createModel(settings: ModelSettings): Promise<Model>;
}

/** Returns whether a listed address still contains a placeholder. */
export const isIncomplete = (address: string): boolean => /[/.][A-Z]{4,}[/.]/.test(address);

/** A server compatible with OpenAI's. The rules of a known address apply; `id` names the rules for an unknown one. */
const compatible = (id: string): ModelProvider => ({
  name: id,
  asksServer: true,
  async createModel(settings) {
    const { baseUrl, name, advice = windowAdvice } = settings;
    const named = providerNamed(id);
    const address = baseUrl || named?.baseUrl;
    if (!address) throw missingProblem('base URL', advice.address);
    if (isIncomplete(address)) throw incomplete(address, advice);
    if (!name) throw missingProblem('model name', advice.modelName);
    const atHost = providerInAddress(address);
    const { compatibleModel } = await import('./compatibleModel');
    return compatibleModel({ ...settings, baseUrl: address, name, provider: atHost ?? named });
  },
});

const tutorial: ModelProvider = {
  name: 'tutorial',
  playsScript: true,
  async createModel({ script }) {
    if (!script) throw missingProblem('script', 'a script file');
    const [{ readFile }, { parseScript, scriptedModel }, { decodeUtf8 }] = await Promise.all([
      import('node:fs/promises'),
      import('./scriptedModel'),
      import('../files/textEncoding'),
    ]);
    const read = readFile(script).then((bytes) => decodeUtf8(bytes, script));
    const text = await read.catch((cause: Error) => {
      throw new ModelProblem('script', {
        what: 'The script of the tutorial model cannot be opened.',
        why: `${cause.message.replace(/\.$/, '')}.`,
        next: 'Check its path, or choose a real model.',
        cause,
      });
    });
    return scriptedModel(parseScript(text, script), { source: script, pauseMs: 15 });
  },
};

const byAddress = compatible('compatible');

/** Every way to get a model that does not need the editor. To add a server, add an entry to the provider list. */
export const modelProviders: readonly ModelProvider[] = [
  byAddress,
  ...knownServers.map(({ id }) => compatible(id)),
  tutorial,
];

/** Returns whether the provider of that name replays a script instead of asking a model. */
export const playsScript = (provider: string): boolean =>
  modelProviders.some(({ name, playsScript: plays }) => name === provider && plays === true);

/** Returns the model that the settings name, with retries and with the additional models they name. */
export async function modelFor(
  settings: ModelSettings,
  providers: readonly ModelProvider[] = modelProviders,
): Promise<Model> {
  const provider = providerFor(settings, providers);
  const { fallbacks = [], alternates, vision } = settings;
  learnKeys(settings, ...fallbacks, ...(alternates?.models ?? []), ...(typeof vision === 'object' ? [vision] : []));
  const { pace } = settings;
  const make = async (other?: OtherModel): Promise<Model> => {
    const model = await (other?.baseUrl ? byAddress : provider).createModel(
      other ? settingsFor(settings, other) : settings,
    );
    const endpoint = endpointOf(settings, other);
    return pace ? withPace(model, (signal) => pace(endpoint, signal)) : model;
  };
  // If another model can take over, switching helps more than long waits.
  const withAllRetries = async (model: Promise<Model>): Promise<Model> => withRetries(await model);
  const withFewRetries = async (model: Promise<Model>): Promise<Model> =>
    withRetries(await model, fallbacks.length > 0 ? { maxAttempts: 3, maxWaitMs: 10_000 } : {});

  const sharing = [
    await withFewRetries(make()),
    ...(await Promise.all((alternates?.models ?? []).map((other) => withFewRetries(make(other))))),
  ] as [Model, ...Model[]];
  const shared = alternates?.how === 'in_turn' ? modelsInTurn : randomModelOf;
  const working = sharing.length === 1 ? sharing[0] : shared(sharing);
  const sure =
    fallbacks.length === 0
      ? working
      : noticing(
          fallbacks.flatMap((other) => missingKeyWords(settings, other) ?? []),
          withFallbacks([working, ...(await Promise.all(fallbacks.map((other) => withAllRetries(make(other)))))]),
        );
  if (vision === undefined) return sure;
  return withImageModel(sure, vision === 'none' ? undefined : await withAllRetries(make(vision)));
}

/**
 * Returns the model that the settings name, alone and without retries: for a trial where the user waits for the first
 * answer.
 */
export async function modelOnce(settings: ModelSettings): Promise<Model> {
  learnKeys(settings);
  return providerFor(settings, modelProviders).createModel(settings);
}

function providerFor(
  { provider: wanted, advice = windowAdvice }: ModelSettings,
  providers: readonly ModelProvider[],
): ModelProvider {
  const provider = providers.find(({ name }) => name === wanted);
  if (provider) return provider;
  const why = `“${wanted}” is not one of ${providers.map(({ name }) => name).join(', ')}.`;
  throw new ModelProblem('invalid_request', {
    what: 'These settings do not describe a model.',
    why,
    next: `Choose one of them in ${advice.provider}.`,
  });
}

/** Keys must be known as secrets before a model can repeat them. */
function learnKeys(...holders: readonly { readonly apiKey?: string | undefined }[]): void {
  const ofEnvironment = secretsOfEnvironment(process.env).filter((value) => !existsSync(value));
  secrets.learn(...ofEnvironment, ...holders.map(({ apiKey }) => apiKey));
}

/** Returns an additional model, with retries. */
export async function otherModel(
  settings: ModelSettings,
  other: OtherModel,
  providers: readonly ModelProvider[] = modelProviders,
): Promise<Model> {
  return modelFor({ ...settingsFor(settings, other), ...(other.baseUrl && { provider: byAddress.name }) }, providers);
}

/**
 * Says why a fallback model will not answer: its server is known to require a key, and none is set. Undefined for one
 * at the address of the main model, whose key is checked by its own requests.
 */
function missingKeyWords(settings: ModelSettings, other: OtherModel): string | undefined {
  const { baseUrl, apiKey, advice = windowAdvice } = settingsFor(settings, other);
  const known = other.baseUrl === undefined || apiKey ? undefined : providerInAddress(other.baseUrl);
  if (!known || known.keyVariables.length === 0 || baseUrl === settings.baseUrl) return undefined;
  return `The fallback model ${other.name} has no API key, which ${known.name} requires. It cannot take over. ${advice.setOtherKey(known.keyVariables[0]!)}`;
}

/** Sends these notices with the first request. */
function noticing(notices: readonly string[], model: Model): Model {
  if (notices.length === 0) return model;
  let isDone = false;
  return {
    ...model,
    complete(request, signal) {
      if (!isDone) for (const words of notices) request.onNotice?.(words);
      isDone = true;
      return model.complete(request, signal);
    },
  };
}

/** All models at one address share its rate limits. */
function endpointOf({ provider, baseUrl }: ModelSettings, other?: OtherModel): string {
  const address = other?.baseUrl || chosenAddress(baseUrl, provider);
  return address && URL.canParse(address) ? new URL(address).href.replace(/\/$/, '') : provider;
}

function settingsFor(settings: ModelSettings, { name, baseUrl, apiKey }: OtherModel): ModelSettings {
  const elsewhere = baseUrl !== undefined && baseUrl !== settings.baseUrl;
  return {
    ...settings,
    name,
    contextWindow: undefined,
    fallbacks: undefined,
    alternates: undefined,
    vision: undefined,
    ...(elsewhere && {
      baseUrl,
      apiKey,
      protocol: undefined,
      extraBody: undefined,
      headers: undefined,
      reasoningEffort: undefined,
      temperature: undefined,
    }),
  };
}

/** The problem for a listed address that still contains a placeholder. */
function incomplete(address: string, advice: Advice): ModelProblem {
  const word = /[A-Z]{4,}/.exec(address)?.[0] ?? '';
  return new ModelProblem('invalid_request', {
    what: 'The address of the model server is incomplete.',
    why: `${address} still contains the word ${word}.`,
    next: `Set ${advice.address}, with your own name instead of ${word}.`,
  });
}

function missingProblem(requirement: string, setting: string): ModelProblem {
  return new ModelProblem('invalid_request', {
    what: 'No model is chosen.',
    why: `The ${requirement} is missing.`,
    next: `Set ${setting}, or choose a model in the Waymark panel.`,
  });
}
