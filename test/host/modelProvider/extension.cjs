// Another extension, for tests. It offers VS Code a chat model, each request of which takes the next list of parts from `answers`, and a
// tool for all chats; and it uses Waymark's API, whose calls have to come from here to be known as its own.
const vscode = require('vscode');

exports.activate = (context) => {
  const model = { answers: [], requests: [] };
  context.subscriptions.push(
    vscode.lm.registerLanguageModelChatProvider('waymark-test', {
      provideLanguageModelChatInformation: () => [
        {
          id: 'parrot-1',
          name: 'Parrot',
          family: 'parrot',
          version: '1',
          maxInputTokens: 8000,
          maxOutputTokens: 1000,
          capabilities: { toolCalling: true },
        },
      ],
      async provideLanguageModelChatResponse(_model, messages, options, progress) {
        model.requests.push({ messages, tools: options.tools ?? [] });
        const parts = model.answers.shift();
        if (!parts) throw new Error('The chat model of the test has no answer left.');
        for (const part of parts)
          progress.report(
            'text' in part
              ? new vscode.LanguageModelTextPart(part.text)
              : new vscode.LanguageModelToolCallPart(part.id, part.tool, part.input),
          );
      },
      provideTokenCount: async () => 1,
    }),
  );

  let repeating;
  /** The tool can go away and come back. */
  model.offerTool = () => {
    repeating = vscode.lm.registerTool('parrot_repeat', {
      invoke: ({ input }) =>
        new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(`${input.words} ${input.words}`)]),
    });
  };
  model.takeToolAway = () => repeating.dispose();
  model.offerTool();

  model.waymark = () => vscode.extensions.getExtension('waymark.waymark').activate();
  /** What is called is called from this file. */
  model.call = async (method, ...given) => (await model.waymark())[method](...given);
  return model;
};
