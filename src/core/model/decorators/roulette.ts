import { combinedModelInfo } from './combinedModelInfo';
import type { Model } from '../../ports/model';

/** Another of these models for each call, by chance; they read the same chat. `random` gives 0 ≤ x < 1, `seeded` the same ones every time. */
export function roulette(models: readonly [Model, ...Model[]], random: () => number = Math.random): Model {
  return {
    info: combinedModelInfo(models),
    complete: (request, signal) => models[Math.floor(random() * models.length)]!.complete(request, signal),
  };
}

/** Numbers 0 ≤ x < 1 that follow from a whole number. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
