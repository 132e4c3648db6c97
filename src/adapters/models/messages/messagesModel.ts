import type { Model } from '../../../core/ports/model';
import { messagesAccumulator } from './messagesAccumulator';
import { messagesWriter } from './messagesWire';
import { openEndpoint, type EndpointOptions } from '../endpoint/endpoint';
import { streamedModel } from '../replies/streamedModel';

/** Model behind a server that speaks Anthropic's Messages API. Sends one request per call; `withRetries` repeats it. */
export function messagesModel(options: EndpointOptions): Model {
  return streamedModel(openEndpoint('messages', options, messagesWriter), options, messagesAccumulator);
}
