import { combinedModelInfo } from './combinedModelInfo';
import type { Model } from '../../ports/model';

/**
 * These models one after the other, over and over; name one twice to ask it twice. Whose turn it is follows from how many replies the
 * chat holds, so a run that is resumed goes on with the right one.
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
