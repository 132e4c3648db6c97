import type { Model } from '../../core/ports/model';
import { messagesAccumulator } from './anthropic/messagesAccumulator';
import { messagesWriter } from './anthropic/messagesWire';
import type { OpenAiModelOptions } from './openAiModel';
import { openEndpoint } from './openai/endpoint';
import { streamedModel } from './openai/streamedModel';

/** A model behind a server that speaks Anthropic's Messages API. One request per call, no retries: those are `retry`'s. */
export function messagesModel(options: OpenAiModelOptions): Model {
  const { promptCaching = 'auto' } = options;
  const changed = promptCaching === 'auto' ? {} : { cacheMarks: promptCaching === 'on' };
  return streamedModel(openEndpoint('messages', options, messagesWriter, changed), options, messagesAccumulator);
}
