import type { Model } from '../../../core/ports/model';
import { openEndpoint, type EndpointOptions } from '../endpoint/endpoint';
import { responsesAccumulator } from './responsesAccumulator';
import { responsesWriter } from './responsesWire';
import { streamedModel } from '../replies/streamedModel';

/** Model behind a server that speaks OpenAI's Responses API. Sends one request per call; `withRetries` repeats it. */
export function responsesModel(options: EndpointOptions): Model {
  return streamedModel(openEndpoint('responses', options, responsesWriter), options, responsesAccumulator);
}
