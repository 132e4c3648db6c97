import type { Model } from '../../../core/ports/model';
import { openEndpoint, type EndpointOptions } from '../endpoint/endpoint';
import { responsesAccumulator } from './responsesAccumulator';
import { responsesWriter } from './responsesWire';
import { streamedModel } from './streamedModel';

/**
 * A model behind a server that speaks OpenAI's Responses API. One request per call, no retries: those are `retry`'s.
 */
export function responsesModel(options: EndpointOptions): Model {
  return streamedModel(openEndpoint('responses', options, responsesWriter), options, responsesAccumulator);
}
