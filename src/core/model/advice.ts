import { flagOf } from '../settings/flags';
import { withCommas } from '../text/withCommas';

/**
 * Advice in error messages, worded for the window or the command line, which have different names for the same
 * settings.
 */
export interface Advice {
  /** A full sentence, like the next fields up to `setContextWindow`. */
  readonly setKey: string;
  /** `variable`: environment variable that usually contains the key. */
  setOtherKey(variable: string): string;
  readonly chooseModel: string;
  /** For a model or server without tool calls. */
  readonly workWithoutTools: string;
  readonly shortenConversation: string;
  /** For a context window below `smallContextWindow`. */
  readonly enlargeContext: string;
  /** For a proxy that requires a sign-in. */
  readonly setProxy: string;
  /** For a proxy that cannot be reached or refuses the server. */
  readonly correctProxy: string;
  readonly trustCertificate: string;
  /** Empty if there is no such setting. */
  readonly setPrices: string;
  readonly setContextWindow: string;
  /** Object of "Correct" or "Set". */
  readonly address: string;
  readonly modelName: string;
  readonly provider: string;
}

/** Tokens below which a context window leaves little room besides the instructions and the tools. */
export const smallContextWindow = 16_000;

const enlargeOnServer = `Give the model a context of ${withCommas(smallContextWindow)} tokens or more on its server (llama.cpp: -c, Ollama: OLLAMA_CONTEXT_LENGTH, LM Studio: Context Length, vLLM: --max-model-len)`;

export const windowAdvice: Advice = {
  setKey: 'Set a valid key with the command “Waymark: Set API Key…”.',
  setOtherKey: () => 'Set it with the command “Waymark: Set API Key…”.',
  chooseModel: 'Choose another model with the command “Waymark: Choose Model…”.',
  workWithoutTools:
    'Choose another model with the command “Waymark: Choose Model…”, or set waymark.profile to mini-text, which needs no tool calls.',
  shortenConversation: 'Condense the conversation, start a new one, or choose a model with a larger context.',
  enlargeContext: `${enlargeOnServer}, or choose another model.`,
  setProxy: 'Set the proxy, including its user and password, in VS Code’s setting http.proxy.',
  correctProxy: 'Correct VS Code’s setting http.proxy, or name the server in http.noProxy.',
  trustCertificate:
    'If your organization’s proxy signs connections, name its certificate in NODE_EXTRA_CA_CERTS or turn on VS Code’s http.systemCertificates. Waymark never turns off certificate checks.',
  setPrices: 'Set it in waymark.model.prices.',
  setContextWindow: 'Set it in waymark.model.contextWindow.',
  address: 'the setting waymark.model.baseUrl',
  modelName: 'the setting waymark.model.name',
  provider: 'the setting waymark.model.provider',
};

/** `keyVariable`: environment variable from which the key was read. */
export const commandLineAdvice = (keyVariable: string): Advice => ({
  setKey: `Set the environment variable ${keyVariable} to a valid key, or name another variable with --api-key-env.`,
  setOtherKey: (variable) => `Set the environment variable ${variable}.`,
  chooseModel: 'Name another model with --model.',
  workWithoutTools: 'Name another model with --model, or use --profile mini-text, which needs no tool calls.',
  shortenConversation: 'Start a new session, or name a model with a larger context with --model.',
  enlargeContext: `${enlargeOnServer}, or name another model with --model.`,
  setProxy: 'Add the user and password of the proxy to its address in HTTPS_PROXY (HTTP_PROXY for http:// addresses).',
  correctProxy:
    'Correct HTTPS_PROXY (HTTP_PROXY for http:// addresses), or name the server in NO_PROXY to connect to it directly.',
  trustCertificate:
    'If your organization’s proxy signs connections, name its certificate in NODE_EXTRA_CA_CERTS. Waymark never turns off certificate checks.',
  setPrices: `Set it with ${flagOf('model.prices')}.`,
  setContextWindow: `Set it with ${flagOf('model.contextWindow')}.`,
  address: '--base-url',
  modelName: '--model',
  provider: '--provider',
});
