import type { ModelInfo } from '../../../protocol/events/event';
import type { Model } from '../../ports/model';

/** Info of several models that share a chat. The context window is that of the smallest. */
export function combinedModelInfo(models: readonly [Model, ...Model[]]): ModelInfo {
  const infos = models.map(({ info }) => info);
  const windows = infos.flatMap(({ contextWindow }) => contextWindow ?? []);
  return {
    name: [...new Set(infos.map(({ name }) => name))].join(' + '),
    provider: [...new Set(infos.map(({ provider }) => provider))].join(', '),
    contextWindow: windows.length > 0 ? Math.min(...windows) : null,
    ...(infos.some(({ scripted }) => scripted) && { scripted: true }),
    ...(infos.every(({ textOnly }) => textOnly) && { textOnly: true }),
  };
}

/** Picks a random one of these models for each call; they share the chat. `random` returns 0 ≤ x < 1. */
export function roulette(models: readonly [Model, ...Model[]], random: () => number = Math.random): Model {
  return {
    info: combinedModelInfo(models),
    complete: (request, signal) => models[Math.floor(random() * models.length)]!.complete(request, signal),
  };
}

/**
 * Uses these models in turn. List a model twice to use it twice. The turn follows from the number of replies in the
 * chat, so that a resumed run continues with the right model.
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
