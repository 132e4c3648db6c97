import * as vscode from 'vscode';
import type { ModelProvider } from '../../adapters/models/models';
import { toolWriter } from '../../adapters/models/requests/wireTools';
import { imagesOmittedText } from '../../core/model/images';
import { ModelProblem, type ChatMessage, type Model, type ModelReply, type ToolCall } from '../../core/ports/model';
import { argumentsAsObject } from '../../core/model/argumentsAsObject';
import { errorMessage } from '../../core/text/errorMessage';

/**
 * Chat models that VS Code offers. A request may show VS Code's own consent dialog, so it must follow a user action.
 */
export const languageModelProvider: ModelProvider = {
  name: 'vscode',
  async createModel({ name }) {
    const models = await vscode.lm.selectChatModels({});
    const chat = name ? models.find((model) => model.id === name || model.name === name) : models[0];
    if (!chat)
      throw new ModelProblem('not_found', {
        what: name ? `VS Code does not offer the language model ${name}.` : 'VS Code offers no language model.',
        why: 'Its provider is not signed in, or still starting.',
        next: 'Sign in to it, or choose another model.',
      });
    return languageModel(chat);
  },
};

/** Extensions pass schemas on to servers of any provider. */
const toolRules = { schema: 'plain', maxTools: 128, formerTools: false } as const;

/**
 * Wraps a `vscode.lm` chat model as a `Model`. It has no system role and reports no usage, so tokens and cost are
 * unknown.
 */
function languageModel(chat: vscode.LanguageModelChat): Model {
  const info = {
    name: chat.name || chat.id,
    provider: `VS Code (${chat.vendor})`,
    contextWindow: chat.maxInputTokens,
    textOnly: true,
  };
  const writeTools = toolWriter();
  return {
    info,
    async complete(request, signal) {
      signal.throwIfAborted();
      const cancel = new vscode.CancellationTokenSource();
      const onAbort = () => cancel.cancel();
      signal.addEventListener('abort', onAbort, { once: true });
      const began = performance.now();
      let text = '';
      let firstTokenMs: number | null = null;
      const toolCalls: ToolCall[] = [];
      try {
        const tools = writeTools(request, toolRules).tools.map(({ parameters, ...tool }) => ({
          ...tool,
          inputSchema: parameters,
        }));
        const response = await chat.sendRequest(
          request.messages.map(asChatMessage),
          {
            tools,
            ...(request.parameters && { modelOptions: { ...request.parameters } }),
            justification: vscode.l10n.t('Waymark is working on your task.'),
          },
          cancel.token,
        );
        for await (const part of response.stream) {
          firstTokenMs ??= performance.now() - began;
          if (part instanceof vscode.LanguageModelTextPart) {
            text += part.value;
            request.onDelta?.({ kind: 'text', text: part.value });
          } else if (part instanceof vscode.LanguageModelToolCallPart) {
            const args = JSON.stringify(part.input);
            const call = toolCalls.length;
            toolCalls.push({ id: part.callId, type: 'function', function: { name: part.name, arguments: args } });
            request.onDelta?.({ kind: 'tool', tool: part.name, bytes: args.length, call, piece: args });
          }
        }
      } catch (error) {
        signal.throwIfAborted();
        throw asProblem(error, info.name);
      } finally {
        signal.removeEventListener('abort', onAbort);
        cancel.dispose();
      }
      signal.throwIfAborted();
      return {
        text,
        toolCalls,
        finishReason: toolCalls.length > 0 ? 'tool_calls' : 'stop',
        model: chat.id,
        firstTokenMs,
        usage: { inputTokens: null, outputTokens: null, cachedTokens: null, cost: null },
      } satisfies ModelReply;
    },
  };
}

function asChatMessage(message: ChatMessage): vscode.LanguageModelChatMessage {
  switch (message.role) {
    case 'system':
      return vscode.LanguageModelChatMessage.User(message.content);
    case 'user':
      return vscode.LanguageModelChatMessage.User(
        message.images?.length ? imagesOmittedText(message.content, message.images) : message.content,
      );
    case 'tool':
      return vscode.LanguageModelChatMessage.User([
        new vscode.LanguageModelToolResultPart(message.tool_call_id, [
          new vscode.LanguageModelTextPart(message.content),
        ]),
      ]);
    case 'assistant':
      return vscode.LanguageModelChatMessage.Assistant([
        ...(message.content ? [new vscode.LanguageModelTextPart(message.content)] : []),
        ...(message.tool_calls ?? []).map(
          ({ id, function: { name, arguments: args } }) =>
            new vscode.LanguageModelToolCallPart(id, name, JSON.parse(argumentsAsObject(args)) as object),
        ),
      ]);
  }
}

function asProblem(error: unknown, name: string): ModelProblem {
  const why = errorMessage(error);
  if (error instanceof vscode.LanguageModelError) {
    if (error.code === vscode.LanguageModelError.NoPermissions.name)
      return new ModelProblem('authentication', {
        what: `VS Code did not let Waymark use ${name}.`,
        why,
        next: 'Allow it in "Manage Language Model Access", then resume.',
        cause: error,
      });
    if (error.code === vscode.LanguageModelError.NotFound.name)
      return new ModelProblem('not_found', {
        what: `VS Code no longer offers ${name}.`,
        why,
        next: 'Choose another model, then resume.',
        cause: error,
      });
    if (error.code === vscode.LanguageModelError.Blocked.name)
      return new ModelProblem('quota', {
        what: `The provider of ${name} blocked the request.`,
        why,
        next: 'Wait or choose another model, then resume.',
        cause: error,
      });
  }
  return new ModelProblem('server', {
    what: `${name} did not answer.`,
    why,
    next: 'Try again, or choose another model.',
    cause: error,
  });
}
