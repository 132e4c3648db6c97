import { modelFor, otherModel } from '../../adapters/models/models';
import { isCountable, reportsCost, uncountableCostWords, type Priced } from '../../core/model/prices';
import { modelByName } from '../../core/model/modelNames';
import type { Model } from '../../core/ports/model';
import { settingsForModel, otherModelNamed } from './modelOptions';
import type { RunOptions } from './runOptions';

/** Returns the model that the options choose. Rejects with an `Error` with a message for people. */
export async function modelFromOptions(options: RunOptions): Promise<Model> {
  if (options.script !== undefined) await refuseInvalidAddress(options);
  const settings =
    options.script === undefined
      ? await settingsForModel(options)
      : ({ provider: 'tutorial', script: options.script } as const);
  const model = await modelFor(settings);
  return options.asking?.(model) ?? model;
}

/** A script needs no address. An invalid one is a mistake all the same, which the next run without a script would meet. */
async function refuseInvalidAddress({ settings }: RunOptions): Promise<void> {
  const address = settings['model.baseUrl'];
  if (!address) return;
  const [{ requestUrl }, { commandLineAdvice }] = await Promise.all([
    import('../../adapters/models/endpoint/address'),
    import('../../core/model/advice'),
  ]);
  requestUrl(address, 'chat', commandLineAdvice('OPENAI_API_KEY'));
}

/** Returns another model of the same server. Rejects with an `Error` with a message for the model. */
export async function modelNamed(wanted: string, options: RunOptions): Promise<Model> {
  const { name } = modelByName(wanted, { name: options.settings['model.name'] });
  return modelFromOptions({ ...options, settings: { ...options.settings, 'model.name': name } });
}

/** Returns an additional model of the user, by "name" or "address name". */
export async function additionalModel(text: string, options: RunOptions): Promise<Model> {
  if (options.script !== undefined) return modelFromOptions(options);
  const [settings, other] = await Promise.all([settingsForModel(options), otherModelNamed(text)]);
  return otherModel(settings, other);
}

/**
 * Throws an `Error` with a message for people, before anything is spent, if a cost limit could never end the run or the
 * batch.
 */
export function refuseUncountable({ settings }: RunOptions, info: Priced, limit = settings['limits.cost'] ?? 0): void {
  if (limit === 0 || settings['limits.ignoreUnknownCost']) return;
  const serverTells = reportsCost(settings['model.provider'], settings['model.baseUrl']);
  if (isCountable(info, settings['model.prices'], serverTells)) return;
  const examplePrice = `'{"${info.name}":{"input":1,"output":4}}'`;
  throw new Error(
    `${uncountableCostWords(info.name, limit)} Give its price with --prices ${examplePrice} (US dollars per million tokens), ` +
      'or start anyway with --ignore-unknown-cost; --max-steps and --max-seconds always apply.',
  );
}
