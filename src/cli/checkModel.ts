import { modelFor } from '../adapters/models';
import { checkModel as check } from '../core/model/checkModel';
import { commandLineSpeaker } from '../core/model/speaker';
import { onSignals } from './signals';

export interface CheckOptions {
  readonly baseUrl?: string;
  readonly model?: string;
  readonly apiKeyEnv: string;
  readonly protocol?: 'chat' | 'responses';
  readonly images?: boolean;
  readonly json?: boolean;
}

/** Prints what an endpoint supports, one line for each thing. Resolves to the exit code: 0 when it answers, 1 when not, 130 when interrupted. */
export async function checkModel({ baseUrl, model, apiKeyEnv, protocol, images = false, json = false }: CheckOptions): Promise<number> {
  if (!baseUrl || !model) throw new Error('No model is named. Give --base-url and --model (or WAYMARK_BASE_URL and WAYMARK_MODEL); the key is read from the variable that --api-key-env names.');
  const speaker = commandLineSpeaker(apiKeyEnv);
  const chosen = await modelFor({ provider: 'compatible', baseUrl, name: model, apiKey: process.env[apiKeyEnv], protocol, speaker });
  const interrupted = new AbortController();
  const stopListening = onSignals({ stop: async () => interrupted.abort() });
  try {
    const { findings, problem, ...about } = await check(chosen, interrupted.signal, { images, speaker });
    if (json) process.stdout.write(`${JSON.stringify({ ...about, findings })}\n`);
    else process.stdout.write([`${about.model} · ${about.provider}`, ...findings.map(({ item, state, words }) => `  ${signs[state]} ${item.padEnd(14)} ${words}`), ''].join('\n'));
    return problem ? 1 : 0;
  } catch (error) {
    if (interrupted.signal.aborted) return 130;
    throw error;
  } finally {
    stopListening();
  }
}

const signs = { yes: '✓', no: '✗', unknown: '?' } as const;
