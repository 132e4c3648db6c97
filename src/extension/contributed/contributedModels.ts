import type { Model as GivenModel, ModelMessage, ModelReply as GivenReply } from '../../../api/waymark';
import type { ModelProvider } from '../../adapters/models/models';
import { untilAborted } from '../../adapters/processes/untilAborted';
import { imagesOmittedText } from '../../core/model/images';
import { ModelProblem, type ChatMessage, type Model, type ModelReply } from '../../core/ports/model';
import { argumentsAsObject } from '../../core/model/argumentsAsObject';
import { extensionLabel } from './callingExtension';
import type { Contribution } from './contributions';
import { errorMessage } from '../../core/text/errorMessage';

/** Returns the setting value for a model of another extension: "publisher.extension/id". */
export const settingFor = ({ by, value: model }: Contribution<GivenModel>): string => `${by.id}/${model.id}`;

/** Models that other extensions registered. */
export function contributedModels(contributed: { readonly all: readonly Contribution<GivenModel>[] }): ModelProvider {
  return {
    name: 'extension',
    async createModel({ name = '' }) {
      const found = contributed.all.find((each) => settingFor(each) === name);
      if (!found)
        throw new ModelProblem('not_found', {
          what: `No extension provides the model ${name || 'without a name'}.`,
          why: 'The extension is disabled or has not started yet.',
          next: 'Enable it, or choose another model.',
        });
      return modelOf(found);
    },
  };
}

function modelOf({ by, value: model }: Contribution<GivenModel>): Model {
  const info = {
    name: model.name,
    provider: `the extension ${extensionLabel(by)}`,
    contextWindow: model.contextWindow ?? null,
  };
  return {
    info,
    async complete({ messages, tools, onDelta }, signal) {
      signal.throwIfAborted();
      const began = performance.now();
      let firstTokenMs: number | null = null;
      const onText = (text: string): void => {
        if (signal.aborted || text === '') return;
        firstTokenMs ??= performance.now() - began;
        onDelta?.({ kind: 'text', text: String(text) });
      };
      try {
        const reply = await untilAborted(
          Promise.resolve(
            model.complete({
              messages: messages.map(toModelMessage),
              tools: tools.map(({ name, description, parameters }) => ({
                name,
                description,
                parameters: structuredClone(parameters),
              })),
              signal,
              onText,
            }),
          ),
          signal,
        );
        return replyOf(reply, { name: model.id, firstTokenMs });
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof ModelProblem) throw error;
        throw new ModelProblem('server', {
          what: `${model.name} did not answer.`,
          why: errorMessage(error),
          next: 'Try again, or choose another model.',
          cause: error,
        });
      }
    },
  };
}

function toModelMessage(message: ChatMessage): ModelMessage {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content };
    case 'user':
      return {
        role: 'user',
        content: message.images?.length ? imagesOmittedText(message.content, message.images) : message.content,
      };
    case 'tool':
      return { role: 'tool', toolCallId: message.tool_call_id, content: message.content };
    case 'assistant':
      return {
        role: 'assistant',
        content: message.content,
        toolCalls: (message.tool_calls ?? []).map(({ id, function: { name, arguments: args } }) => ({
          id,
          name,
          arguments: argumentsAsObject(args),
        })),
      };
  }
}

function replyOf(
  modelReply: GivenReply,
  { name, firstTokenMs }: { readonly name: string; readonly firstTokenMs: number | null },
): ModelReply {
  if (typeof (modelReply as unknown) !== 'object' || typeof modelReply.text !== 'string')
    throw new Error('It returned something that is not a reply.');
  const toolCalls = (modelReply.toolCalls ?? []).map((call) => {
    if (typeof call?.name !== 'string' || typeof call.arguments !== 'string')
      throw new Error('A tool call in its reply has no name, or no arguments as JSON text.');
    return {
      id: typeof call.id === 'string' ? call.id : '',
      type: 'function' as const,
      function: { name: call.name, arguments: call.arguments },
    };
  });
  const number = (value: unknown): number | null => (typeof value === 'number' && value >= 0 ? value : null);
  const { inputTokens, outputTokens, cachedTokens, cost } = modelReply.usage ?? {};
  return {
    text: modelReply.text,
    toolCalls,
    model: name,
    firstTokenMs,
    finishReason: modelReply.finishReason ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop'),
    usage: {
      inputTokens: number(inputTokens),
      outputTokens: number(outputTokens),
      cachedTokens: number(cachedTokens),
      cost: number(cost),
    },
  };
}
