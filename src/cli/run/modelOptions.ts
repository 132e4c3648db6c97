import { proxiesOf } from '../../adapters/net/proxies';
import type { ModelSettings, OtherModel } from '../../adapters/models/models';
import { settingSource, settingsFrom } from '../../core/session/settingsFrom';
import type { UserSettings } from '../../core/settings/table';

/** Command line options for the model. */
export interface ModelOptions {
  readonly settings: UserSettings;
  readonly apiKeyEnv?: string;
  /** Delays between requests to a model. */
  readonly pace?: ModelSettings['pace'];
}

/** Returns the settings that `modelFor` needs. Throws an `Error` with a message for people. */
export async function settingsForModel({ settings: own, apiKeyEnv, pace }: ModelOptions): Promise<ModelSettings> {
  const [
    { providerNamed },
    { commandLineAdvice },
    { lessonFile },
    { headerValues },
    { secrets },
    { additionalModels },
  ] = await Promise.all([
    import('../../core/model/providers/rulesFor'),
    import('../../core/model/advice'),
    import('../../adapters/models/endpoint/learnedRules'),
    import('../../core/model/headerValues'),
    import('../../core/secrets/secrets'),
    import('../../adapters/models/models'),
  ]);
  const settings = settingsFrom(settingSource(own));
  const { baseUrl, modelName: name } = settings;
  const provider = ['auto', 'compatible'].includes(settings.provider) ? undefined : settings.provider;
  if (provider !== undefined && !providerNamed(provider)) {
    const { providers } = await import('../../core/model/providers/providers');
    throw new Error(
      `There is no provider “${provider}”. Name one of ${providers.map(({ id }) => id).join(', ')} with --provider, or an address with --base-url.`,
    );
  }
  if ((!baseUrl && provider === undefined) || !name) {
    const missing = name
      ? `Waymark does not know which server has the model ${name}. Give --provider or --base-url (or WAYMARK_PROVIDER, WAYMARK_BASE_URL).`
      : 'No model chosen. Give --model, and --provider or --base-url (or WAYMARK_MODEL, WAYMARK_PROVIDER, WAYMARK_BASE_URL).';
    throw new Error(
      `${missing} The key is read from the provider’s usual variable, or from the one that --api-key-env names.`,
    );
  }
  const keyVariable = apiKeyEnv ?? (await keyVariableFor(baseUrl, provider));
  const { headers, hidden } = headerValues(settings.headers, { env: (variable) => process.env[variable] });
  secrets.learn(...hidden);
  const hasKey = Boolean(keyVariable !== undefined && process.env[keyVariable]);
  if (!hasKey && !Object.keys(headers).some((header) => signsIn.test(header)))
    await refuseMissingKey(baseUrl, provider, apiKeyEnv);
  return {
    provider: provider ?? 'compatible',
    baseUrl: baseUrl || undefined,
    name,
    apiKey: keyVariable === undefined ? undefined : process.env[keyVariable],
    advice: commandLineAdvice(keyVariable ?? 'OPENAI_API_KEY'),
    proxyFor: proxiesOf(process.env),
    memory: lessonFile(),
    protocol: settings.protocol,
    reasoningEffort: settings.reasoningEffort || undefined,
    temperature: settings.temperature ?? undefined,
    contextWindow: settings.contextWindow ?? undefined,
    prices: settings.prices,
    maxOutputTokens: settings.maxOutputTokens ?? undefined,
    promptCaching: settings.promptCaching,
    ...(own['model.extraBody'] && { extraBody: settings.extraBody }),
    ...(own['model.headers'] && { headers }),
    ...(await additionalModels(settings, withKey)),
    ...(pace && { pace }),
  };
}

/** Headers that can replace a key. */
const signsIn = /auth|key|token/i;

/** Throws an `Error` with a message for people if a server is known to require a key. One elsewhere may not. */
async function refuseMissingKey(baseUrl: string, provider: string | undefined, named?: string): Promise<void> {
  const [{ providerInAddress, providerNamed }, { isIncomplete }] = await Promise.all([
    import('../../core/model/providers/rulesFor'),
    import('../../adapters/models/models'),
  ]);
  const known = baseUrl === '' && provider !== undefined ? providerNamed(provider) : providerInAddress(baseUrl);
  if (!known || known.keyVariables.length === 0 || isIncomplete(baseUrl || known.baseUrl)) return;
  const variables = named === undefined ? known.keyVariables : [named];
  const places =
    variables.length === 1
      ? `the environment variable ${variables[0]}`
      : `the environment variables ${variables.join(' and ')}`;
  throw new Error(
    `${known.name} requires an API key, and none was found in ${places}. Set ${variables[0]}, or name another variable with --api-key-env.${known.keyPage === undefined ? '' : ` You get a key at ${known.keyPage}.`}`,
  );
}

/**
 * Returns another model, by "name" or "address name", with the key for its own address if the provider there is known.
 */
export async function otherModelNamed(text: string): Promise<OtherModel> {
  const { readOtherModel } = await import('../../adapters/models/models');
  return withKey(readOtherModel(text));
}

async function withKey(other: OtherModel): Promise<OtherModel> {
  if (other.baseUrl === undefined) return other;
  const { providerInAddress } = await import('../../core/model/providers/rulesFor');
  const atHost = providerInAddress(other.baseUrl);
  return { ...other, apiKey: atHost && keyIn(atHost.keyVariables) };
}

/** The first of some variables that is set. */
const keyIn = (variables: readonly string[]): string | undefined =>
  variables.map((variable) => process.env[variable]).find(Boolean);

/**
 * Returns the variable with the key of a server, or undefined if it needs none. A key is sent only to the server that
 * it belongs to.
 */
async function keyVariableFor(baseUrl: string, provider: string | undefined): Promise<string | undefined> {
  const { providerInAddress, providerNamed } = await import('../../core/model/providers/rulesFor');
  const named = providerInAddress(baseUrl) ?? (provider === undefined ? undefined : providerNamed(provider));
  const variables = named?.keyVariables ?? ['OPENAI_API_KEY'];
  return variables.find((variable) => process.env[variable]) ?? variables[0];
}
