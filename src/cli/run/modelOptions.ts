import { InvalidArgumentError, Option, type Command } from 'commander';
import type { ModelSettings } from '../../adapters/models/models';
import type { Protocol } from '../../core/model/providers/provider';

/** What the command line says of the model. */
export interface ModelOptions {
  /** The id of a provider in the list. */
  readonly provider?: string;
  readonly baseUrl?: string;
  readonly model?: string;
  readonly apiKeyEnv?: string;
  readonly protocol?: Protocol | 'auto';
  readonly reasoningEffort?: string;
  readonly temperature?: number;
  /** Name → value, as written. */
  readonly header?: Readonly<Record<string, string>>;
  readonly extraBody?: Record<string, unknown>;
}

/** Adds the options that choose a model to a command. Nothing is loaded to print help. */
export function addModelOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--provider <id>',
        'who serves the model: openai, anthropic, gemini, mistral, openrouter, deepseek, groq, xai, azure, github, ollama, …; chooses address and key',
      ).env('WAYMARK_PROVIDER'),
    )
    .addOption(new Option('--base-url <url>', 'address of an OpenAI-compatible server').env('WAYMARK_BASE_URL'))
    .addOption(new Option('--model <name>', 'name of the model').env('WAYMARK_MODEL'))
    .option(
      '--api-key-env <variable>',
      'environment variable that holds the API key; that of the provider, or OPENAI_API_KEY',
    )
    .addOption(
      new Option(
        '--protocol <name>',
        'chat completions, OpenAI’s Responses API, Anthropic’s Messages API, or what suits the model (auto)',
      ).choices(['auto', 'chat', 'responses', 'messages']),
    )
    .addOption(
      new Option(
        '--reasoning-effort <effort>',
        'how much the model reasons: none, minimal, low, medium, high, xhigh or max',
      ).choices(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']),
    )
    .option('--temperature <t>', 'from 0 to 2; left out for models that refuse it', temperature)
    .option(
      '--header <header>',
      'a further header, "Name: value", with ${env:NAME} for values of variables; may be given again',
      header,
    )
    .option('--extra-body <json>', 'further fields of every request, as a JSON object', jsonObject);
}

/** What `modelFor` needs. Throws an `Error` in words for the person. */
export async function modelSettings(options: ModelOptions): Promise<ModelSettings> {
  const {
    provider,
    baseUrl,
    model,
    apiKeyEnv,
    protocol,
    reasoningEffort,
    temperature: heat,
    header: headers,
    extraBody,
  } = options;
  const [{ providerAtHost, providerNamed }, { commandLineSpeaker }, { lessonFile }, { headerValues }, { secrets }] =
    await Promise.all([
      import('../../core/model/providers/rulesFor'),
      import('../../core/model/speaker'),
      import('../../adapters/models/openai/lessonFile'),
      import('../../core/model/headerValues'),
      import('../../core/secrets/secrets'),
    ]);
  if (provider !== undefined && !providerNamed(provider)) {
    const { providers } = await import('../../core/model/providers/providers');
    throw new Error(
      `There is no provider “${provider}”. Name one of ${providers.map(({ id }) => id).join(', ')} with --provider, or an address with --base-url.`,
    );
  }
  if ((!baseUrl && provider === undefined) || !model) {
    throw new Error(
      'No model is chosen. Give --model, and --provider or --base-url (or WAYMARK_MODEL, WAYMARK_PROVIDER, WAYMARK_BASE_URL). The key is read from the provider’s usual variable, or from the one that --api-key-env names.',
    );
  }
  // A key goes only to the server that it was made for.
  const known = baseUrl && URL.canParse(baseUrl) ? providerAtHost(new URL(baseUrl)) : undefined;
  const keyVariables = (known ?? (provider === undefined ? undefined : providerNamed(provider)))?.keyVariables ?? [
    'OPENAI_API_KEY',
  ];
  const keyVariable = apiKeyEnv ?? keyVariables.find((name) => process.env[name]) ?? keyVariables[0];
  const { headers: values, hidden } = headerValues(headers ?? {}, { env: (name) => process.env[name] });
  secrets.learn(...hidden);
  return {
    provider: provider ?? 'compatible',
    baseUrl,
    name: model,
    apiKey: keyVariable === undefined ? undefined : process.env[keyVariable],
    speaker: commandLineSpeaker(keyVariable ?? 'OPENAI_API_KEY'),
    memory: lessonFile(),
    protocol,
    reasoningEffort,
    temperature: heat,
    extraBody,
    ...(headers && { headers: values }),
  };
}

function temperature(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= 2))
    throw new InvalidArgumentError('It must be a number from 0 to 2.');
  return value;
}

function header(text: string, before: Record<string, string> = {}): Record<string, string> {
  const [, name, value] = /^([^:\s]+)\s*:(.*)$/s.exec(text) ?? [];
  if (!name) throw new InvalidArgumentError('It must be a name, a colon and a value: "X-Team: agents".');
  return { ...before, [name]: value?.trimStart() ?? '' };
}

function jsonObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Said below.
  }
  throw new InvalidArgumentError(`It must be a JSON object, such as '{"top_p":0.9}'.`);
}
