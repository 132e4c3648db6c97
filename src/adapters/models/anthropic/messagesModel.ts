import type { Model } from '../../../core/ports/model';
import { messagesAccumulator } from './messagesAccumulator';
import { messagesWriter } from './messagesWire';
import type { OpenAiModelOptions } from '../openai/openAiModel';
import { openEndpoint } from '../endpoint/endpoint';
import { streamedModel } from '../openai/streamedModel';

/**
 * A model behind a server that speaks Anthropic's Messages API. One request per call, no retries: those are `retry`'s.
 */
export function messagesModel(options: OpenAiModelOptions): Model {
  const { promptCaching = 'auto' } = options;
  const changed = promptCaching === 'auto' ? {} : { cacheMarks: promptCaching === 'on' };
  return streamedModel(openEndpoint('messages', options, messagesWriter, changed), options, messagesAccumulator);
}
