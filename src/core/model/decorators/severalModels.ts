import type { ModelInfo } from '../../../protocol/events/event';
import type { Model } from '../../ports/model';

/** How several models that share one chat are called; the chat must fit the smallest of them. */
export function combinedModelInfo(models: readonly [Model, ...Model[]]): ModelInfo {
  const infos = models.map(({ info }) => info);
  const windows = infos.flatMap(({ contextWindow }) => contextWindow ?? []);
  return {
    name: [...new Set(infos.map(({ name }) => name))].join(' + '),
    provider: [...new Set(infos.map(({ provider }) => provider))].join(', '),
    contextWindow: windows.length > 0 ? Math.min(...windows) : null,
    ...(infos.some(({ scripted }) => scripted) && { scripted: true }),
  };
}

/** Another of these models for each call, by chance; they read the same chat. `random` gives 0 ≤ x < 1. */
export function roulette(models: readonly [Model, ...Model[]], random: () => number = Math.random): Model {
  return {
    info: combinedModelInfo(models),
    complete: (request, signal) => models[Math.floor(random() * models.length)]!.complete(request, signal),
  };
}

/**
 * These models one after the other, over and over; name one twice to ask it twice. Whose turn it is follows from how
 * many replies the chat holds, so a run that is resumed goes on with the right one.
 */
export function interleaving(models: readonly [Model, ...Model[]]): Model {
  return {
    info: combinedModelInfo(models),
    complete(request, signal) {
      const replies = request.messages.filter(({ role }) => role === 'assistant').length;
      return models[replies % models.length]!.complete(request, signal);
    },
  };
}
