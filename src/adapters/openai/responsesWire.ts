import type { ResponseCreateParamsStreaming } from 'openai/resources/responses/responses';
import { dataUrl, unseen } from '../../core/model/images';
import type { ChatMessage } from '../../core/model/model';
import type { RequestWriter } from './chatWire';
import { growingBody } from './growingBody';

export interface ResponsesWireOptions { readonly model: string; readonly maxOutputTokens?: number | undefined; readonly extraBody: Record<string, unknown> }

/** Writes requests of the Responses API: every message becomes one or more items. The server keeps nothing, so reasoning comes sealed and goes back with the chat. */
export function responsesWriter({ model, maxOutputTokens, extraBody }: ResponsesWireOptions): RequestWriter {
  const write = growingBody('input');
  return ({ messages, tools, parameters }, lessons, work) => {
    const rest = {
      model,
      ...(tools.length > 0 && { tools: tools.map(tool => ({ type: 'function' as const, ...tool, strict: false })) }),
      stream: true,
      store: false,
      ...(!lessons.has('no_reasoning') && { include: ['reasoning.encrypted_content' as const] }),
      ...(maxOutputTokens && !lessons.has('no_limit') && { max_output_tokens: maxOutputTokens }),
    } satisfies Partial<Record<keyof ResponseCreateParamsStreaming, unknown>>;
    return write({
      messages,
      render: message => itemsOf(message, !lessons.has('no_reasoning'), lessons.has('no_images')).map(item => JSON.stringify(item)).join(),
      variant: [...lessons].join(),
      rest: { ...rest, ...extraBody, ...parameters },
    }, work);
  };
}

function itemsOf(message: ChatMessage, withReasoning: boolean, blind: boolean): object[] {
  switch (message.role) {
    case 'system': return [message];
    case 'tool': return [{ type: 'function_call_output', call_id: message.tool_call_id, output: message.content }];
    case 'user': {
      const { role, content, images = [] } = message;
      if (images.length === 0) return [message];
      if (blind) return [{ role, content: unseen(content, images) }];
      const pictures = images.map(image => ({ type: 'input_image', image_url: dataUrl(image), detail: 'auto' }));
      return [{ role, content: [...pictures, ...(content ? [{ type: 'input_text', text: content }] : [])] }];
    }
    case 'assistant': {
      const { content, reasoning, tool_calls: calls = [] } = message;
      return [
        ...(withReasoning && reasoning?.detailsField === 'items' ? (reasoning.details ?? []).map(asSent) : []),
        ...(content || calls.length === 0 ? [{ role: 'assistant', content }] : []),
        ...calls.map(({ id, function: { name, arguments: text } }) => ({ type: 'function_call', call_id: id, name, arguments: text })),
      ];
    }
  }
}

/** A sealed item goes back without its id, which names something that the server did not keep. */
function asSent(item: unknown): object {
  const { id, status, ...rest } = item as Record<string, unknown>;
  return rest.encrypted_content || id === undefined ? rest : { id, ...rest };
}
