// A chat model for tests, as another extension would offer one: each request takes the next list of parts from `answers`.
const vscode = require('vscode');

exports.activate = context => {
  const model = { answers: [], requests: [] };
  context.subscriptions.push(vscode.lm.registerLanguageModelChatProvider('waymark-test', {
    provideLanguageModelChatInformation: () => [{ id: 'parrot-1', name: 'Parrot', family: 'parrot', version: '1', maxInputTokens: 8000, maxOutputTokens: 1000, capabilities: { toolCalling: true } }],
    async provideLanguageModelChatResponse(_model, messages, options, progress) {
      model.requests.push({ messages, tools: options.tools ?? [] });
      const parts = model.answers.shift();
      if (!parts) throw new Error('The chat model of the test has no answer left.');
      for (const part of parts) progress.report('text' in part ? new vscode.LanguageModelTextPart(part.text) : new vscode.LanguageModelToolCallPart(part.id, part.tool, part.input));
    },
    provideTokenCount: async () => 1,
  }));
  return model;
};
