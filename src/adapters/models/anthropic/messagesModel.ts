import type { Model } from '../../../core/ports/model';
import { messagesAccumulator } from './messagesAccumulator';
import { messagesWriter } from './messagesWire';
import type { OpenAiModelOptions } from '../openai/openAiModel';
import { openEndpoint } from '../endpoint/endpoint';
import { streamedModel } from '../openai/streamedModel';

/** Model behind a server that speaks Anthropic's Messages API. Sends one request per call; `withRetries` repeats it. */
export function messagesModel(options: OpenAiModelOptions): Model {
  const { promptCaching = 'auto' } = options;
  const changed = promptCaching === 'auto' ? {} : { cacheMarks: promptCaching === 'on' };
  return streamedModel(openEndpoint('messages', options, messagesWriter, changed), options, messagesAccumulator);
}
