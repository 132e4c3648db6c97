import { combinedModelInfo } from './combinedModelInfo';
import type { Model } from '../../ports/model';

/** Another of these models for each call, by chance; they read the same chat. `random` gives 0 ≤ x < 1. */
export function roulette(models: readonly [Model, ...Model[]], random: () => number = Math.random): Model {
  return {
    info: combinedModelInfo(models),
    complete: (request, signal) => models[Math.floor(random() * models.length)]!.complete(request, signal),
  };
}
