import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { runTask, until } from './support/session';

interface ChatModel {
  answers: object[][];
  requests: { messages: vscode.LanguageModelChatMessage[]; tools: vscode.LanguageModelChatTool[] }[];
  call<T>(method: string, ...given: unknown[]): Promise<T>;
}

describe('a language model of VS Code', () => {
  it('completes a task with text and a tool call, and its cost is unknown', async function () {
    const provider = vscode.extensions.getExtension<ChatModel>('waymark-test.chat-model');
    assert.ok(provider, 'the extension that offers the model is not there');
    const model = await provider.activate();
    await until(
      'the model in the list of VS Code',
      async () => (await vscode.lm.selectChatModels({ vendor: 'waymark-test' })).length > 0,
    );
    const added = await model.call<vscode.Disposable>('registerTool', {
      name: 'repeat',
      description: 'Says words again.',
      parameters: {
        type: 'object',
        properties: {
          times: { type: 'integer', minimum: 0, exclusiveMinimum: true },
          languages: { type: 'array' },
        },
      },
      effect: 'reads',
      run: () => ({ content: 'Said.' }),
    });
    const settings = vscode.workspace.getConfiguration('waymark');
    await settings.update('model.name', 'Parrot', vscode.ConfigurationTarget.Global);
    await settings.update('model.provider', 'vscode', vscode.ConfigurationTarget.Global);
    try {
      model.answers.push(
        [
          { text: 'I will ' },
          { text: 'ask the shell.' },
          { id: 'c1', tool: 'run_command', input: { command: 'echo seven | tr s S' } },
        ],
        [{ id: 'c2', tool: 'finish', input: { summary: 'It is seven.' } }],
      );
      const session = await runTask('What is three and four?');
      const finished = await session.reaches('finished');
      assert.deepEqual(
        { status: finished.status, summary: finished.summary },
        { status: 'submitted', summary: 'It is seven.' },
      );
      const [first] = session.of('agent_response');
      assert.equal(first!.text, 'I will ask the shell.');
      assert.deepEqual(first!.usage, { inputTokens: null, outputTokens: null, cachedTokens: null, cost: null });
      assert.match(session.of('observation')[0]!.content, /^Seven\n/);
      assert.equal(session.of('task_started')[0]!.model.name, 'Parrot');

      assert.equal(model.requests.length, 2);
      assert.ok(model.requests[0]!.tools.some(({ name }) => name === 'run_command'));
      const offered = model.requests[0]!.tools.find(({ name }) => name === 'ext_repeat');
      assert.deepEqual(offered?.inputSchema, {
        type: 'object',
        properties: {
          times: { type: 'integer', exclusiveMinimum: 0 },
          languages: { type: 'array', items: {} },
        },
      });
      const parts = model.requests[1]!.messages.flatMap(({ content }) => content);
      const result = parts.find((part) => part instanceof vscode.LanguageModelToolResultPart);
      assert.equal(result?.callId, 'c1');
    } finally {
      added.dispose();
      for (const key of ['model.name', 'model.provider'])
        await settings.update(key, undefined, vscode.ConfigurationTarget.Global);
    }
  });
});
