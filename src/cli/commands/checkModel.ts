import { listModels } from '../../adapters/models/modelList';
import { modelFor, type ModelSettings } from '../../adapters/models/models';
import { chosenAddress } from '../../core/model/providers/rulesFor';
import { checkModel } from '../../core/model/checkModel';
import { settingsForModel, type ModelOptions } from '../run/modelOptions';
import { printMasked } from '../output/masked';
import { stdout } from '../output/output';
import { secrets } from '../../core/secrets/secrets';
import { onSignals } from '../run/signals';
import type { ExitCode } from '../output/exitCodes';

/** Flags of `waymark check-model`. `images` sends one more request, with a picture. */
export interface CheckOptions extends ModelOptions {
  readonly images?: boolean;
  readonly json?: boolean;
}

/**
 * Prints what an endpoint supports, one line per feature. Resolves to the exit code: 0 if it answers, 1 if not, 130 if
 * interrupted.
 */
export async function printModelCheck({
  images = false,
  json = false,
  ...options
}: CheckOptions): Promise<ExitCode<'check-model'>> {
  // Ignores what was learned about the server before: the check determines it again.
  const settings = { ...(await settingsForModel(options)), memory: undefined };
  const chosen = await modelFor(settings);
  const interrupted = new AbortController();
  const stopListening = onSignals({ stop: async () => interrupted.abort() });
  try {
    const { findings, problem, ...about } = await checkModel(chosen, interrupted.signal, {
      images,
      ...(chosen.info.contextWindow === null && {
        listedContextWindow: await listedContextWindow(settings, interrupted.signal),
      }),
      ...(settings.advice && { advice: settings.advice }),
    });
    if (json) stdout.write(`${secrets.mask(JSON.stringify({ ...about, findings }))}\n`);
    else {
      printMasked(`${about.model} · ${about.provider}`);
      for (const { item, state, words } of findings) printMasked(`  ${signs[state]} ${item.padEnd(14)} ${words}`);
    }
    return problem ? 1 : 0;
  } catch (error) {
    if (interrupted.signal.aborted) return 130;
    throw error;
  } finally {
    stopListening();
  }
}

/** Returns the tokens that the model can read as its server lists them; undefined if it does not say. */
async function listedContextWindow(
  { baseUrl, provider, name, apiKey, headers, proxyFor }: ModelSettings,
  signal: AbortSignal,
): Promise<number | undefined> {
  const address = chosenAddress(baseUrl, provider);
  if (address === undefined) return undefined;
  const models = await listModels({ baseUrl: address, apiKey, headers, timeoutMs: 5_000, signal, proxyFor }).catch(
    () => [],
  );
  signal.throwIfAborted();
  // Servers of a single model answer to any name.
  const model = models.find(({ id }) => id === name) ?? (models.length === 1 ? models[0] : undefined);
  return model?.contextWindow;
}

const signs = { yes: '✓', no: '✗', unknown: '?' } as const;
