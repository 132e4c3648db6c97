import { modelFor } from '../../adapters/models/models';
import { checkModel as check } from '../../core/model/checkModel';
import { modelSettings, type ModelOptions } from '../run/modelOptions';
import { stdout } from '../output/output';
import { onSignals } from '../run/signals';
import type { ExitCode } from '../output/exitCodes';

export interface CheckOptions extends ModelOptions {
  readonly images?: boolean;
  readonly json?: boolean;
}

/**
 * Prints what an endpoint supports, one line per feature. Resolves to the exit code: 0 if it answers, 1 if not, 130 if
 * interrupted.
 */
export async function checkModel({
  images = false,
  json = false,
  ...options
}: CheckOptions): Promise<ExitCode<'check-model'>> {
  // Ignores what was learned about the server before: the check determines it again.
  const settings = { ...(await modelSettings(options)), memory: undefined };
  const chosen = await modelFor(settings);
  const interrupted = new AbortController();
  const stopListening = onSignals({ stop: async () => interrupted.abort() });
  try {
    const { findings, problem, ...about } = await check(chosen, interrupted.signal, {
      images,
      ...(settings.advice && { advice: settings.advice }),
    });
    if (json) stdout.write(`${JSON.stringify({ ...about, findings })}\n`);
    else
      stdout.write(
        [
          `${about.model} · ${about.provider}`,
          ...findings.map(({ item, state, words }) => `  ${signs[state]} ${item.padEnd(14)} ${words}`),
          '',
        ].join('\n'),
      );
    return problem ? 1 : 0;
  } catch (error) {
    if (interrupted.signal.aborted) return 130;
    throw error;
  } finally {
    stopListening();
  }
}

const signs = { yes: '✓', no: '✗', unknown: '?' } as const;
