import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { reply, startModelServer, toolCall } from '../support/modelServer';
import { runTask, until, workspace } from './support/session';
import { set, useTestModel } from './support/testModel';

describe('model settings changed during a request', () => {
  const { server: first, model } = useTestModel();
  const go = (): string => path.join(workspace(), 'go.txt');
  before(() => set({ confirmation: 'never' }));
  after(async () => {
    await set({ confirmation: undefined });
    fs.rmSync(go(), { force: true });
  });

  it('apply when the person continues the run; until then the old ones are used', async function () {
    this.timeout(120_000);
    const second = await startModelServer([reply('Done by the other model.')]);
    let change = (): void => undefined;
    const isChanged = new Promise<void>((resolve) => {
      change = resolve;
    });
    model(
      async () => {
        await isChanged;
        return toolCall('run_command', { command: 'echo one' });
      },
      toolCall('run_command', { command: 'while [ ! -e go.txt ]; do sleep 0.05; done; echo two' }),
    );
    const session = await runTask('Work in two parts.');
    await until('the first request', () => first().requests.length > 0);
    await set({ 'model.baseUrl': second.baseUrl, 'model.name': 'other-model' });
    change();
    await session.reaches('action_started', 2);
    await vscode.commands.executeCommand('waymark.pause');
    fs.writeFileSync(go(), '');
    await session.reaches('paused');
    assert.deepEqual(
      first().requests.map(({ body }) => body.model),
      ['test-model', 'test-model'],
    );
    assert.equal(second.requests.length, 0);

    await vscode.commands.executeCommand('waymark.resume');
    await until('the end', () => session.of('agent_response').at(-1)?.text === 'Done by the other model.');
    assert.deepEqual(
      second.requests.map(({ body }) => body.model),
      ['other-model'],
    );
    assert.match(second.requests[0]!.text, /one[^]*two/, 'all that was said goes with it');
    assert.deepEqual(
      session.of('settings_changed').map((event) => event.model?.name),
      ['other-model'],
    );
    await second.stop();
  });
});
