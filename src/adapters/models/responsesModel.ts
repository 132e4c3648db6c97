import type { Model } from '../../core/ports/model';
import { openEndpoint, type EndpointOptions } from './openai/endpoint';
import { responsesAccumulator } from './openai/responsesAccumulator';
import { responsesWriter } from './openai/responsesWire';
import { streamedModel } from './openai/streamedModel';

/** A model behind a server that speaks OpenAI's Responses API. One request per call, no retries: those are `retry`'s. */
export function responsesModel(options: EndpointOptions): Model {
  return streamedModel(openEndpoint('responses', options, responsesWriter), options, responsesAccumulator);
}
