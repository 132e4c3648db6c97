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
