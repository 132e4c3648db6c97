import { dataUrl, imagesOmittedText } from '../../../core/model/images';
import type { WireRules } from '../../../core/model/providers/provider';
import type { ChatMessage } from '../../../core/ports/model';
import { fitCallId, isFromOrigin } from '../requests/callIds';
import { effortFields } from '../requests/effort';
import { requestWriter, wireArguments, type RequestSettings, type RequestWriter } from '../requests/requestWriter';

/**
 * Writes requests of the Responses API field by field: every message becomes one or more items. The server stores
 * nothing, so reasoning comes encrypted and is sent back with the chat.
 */
export function responsesWriter(settings: RequestSettings): RequestWriter {
  const { model, origin, maxOutputTokens, reasoningEffort } = settings;
  return requestWriter('input', settings, ({ request, rules, tools, callable, temperature }) => ({
    messages: request.messages,
    render: (message) =>
      itemsOf(message, rules, origin)
        .map((item) => JSON.stringify(item))
        .join(),
    rest: {
      model,
      ...(tools.length > 0 && { tools: tools.map((tool) => ({ type: 'function', ...tool, strict: false })) }),
      ...(!callable && tools.length > 0 && { tool_choice: 'none' }),
      stream: true,
      store: false,
      ...(rules.reasoning !== 'never' && { include: ['reasoning.encrypted_content'] }),
      ...(maxOutputTokens && rules.limit && { max_output_tokens: maxOutputTokens }),
      ...(temperature !== undefined && rules.temperature && { temperature }),
      ...effortFields(reasoningEffort, rules, { withTools: false }),
    },
  }));
}

function itemsOf(message: ChatMessage, rules: WireRules, origin: string): object[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.content }];
    case 'tool': {
      const id = fitCallId(message.tool_call_id, rules.callIds, { own: isFromOrigin(message, origin) });
      return [{ type: 'function_call_output', call_id: id, output: message.content }];
    }
    case 'user': {
      const { content, images = [] } = message;
      if (images.length === 0) return [{ role: 'user', content }];
      if (!rules.images) return [{ role: 'user', content: imagesOmittedText(content, images) }];
      const pictures = images.map((image) => ({ type: 'input_image', image_url: dataUrl(image), detail: 'auto' }));
      return [{ role: 'user', content: [...pictures, ...(content ? [{ type: 'input_text', text: content }] : [])] }];
    }
    case 'assistant': {
      const { content, reasoning, tool_calls: calls = [] } = message;
      const own = isFromOrigin(message, origin);
      const sealed =
        own && rules.reasoning !== 'never' && reasoning?.detailsField === 'items' ? (reasoning.details ?? []) : [];
      return [
        ...sealed.map(asSent),
        ...(content || calls.length === 0 ? [assistantItem(content)] : []),
        ...calls.map(({ id, function: { name, arguments: text } }) => ({
          type: 'function_call',
          call_id: fitCallId(id, rules.callIds, { own }),
          name,
          arguments: wireArguments(text, rules),
        })),
      ];
    }
  }
}

/** With a type, which OpenAI treats as optional, but llama.cpp requires for messages of the model. */
const assistantItem = (content: string): object => ({
  type: 'message',
  role: 'assistant',
  content: content || '(no text)',
});

/** An encrypted item goes back without its id, which refers to something that the server did not store. */
function asSent(item: unknown): object {
  const { id, type, summary, content, encrypted_content: sealed } = item as Record<string, unknown>;
  return {
    ...(!sealed && id !== undefined && { id }),
    type,
    ...(summary !== undefined && { summary }),
    ...(content !== undefined && { content }),
    ...(sealed !== undefined && { encrypted_content: sealed }),
  };
}
