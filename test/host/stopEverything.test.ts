import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { startModelServer, toolCall, type ModelServer } from '../support/modelServer';
import { processesWith, runTask, until, setSettings } from './support/session';

describe('stopping everything', () => {
  let server: ModelServer;

  before(async () => {
    const said = (text: string) =>
      text.includes('Wait for a person')
        ? toolCall('run_command', { command: 'rm -rf /' })
        : toolCall('run_command', { command: 'setsid sleep 97531 & sleep 86420' });
    server = await startModelServer((request) => said(request.text));
    await setSettings({
      'model.provider': 'openai',
      'model.baseUrl': server.baseUrl,
      'model.name': 'test-model',
      confirmation: 'never',
    });
  });
  after(async () => {
    await setSettings({
      'model.provider': undefined,
      'model.baseUrl': undefined,
      'model.name': undefined,
      confirmation: undefined,
    });
    await server.stop();
  });

  it('ends all runs and processes of all sessions, and returns their number', async () => {
    const waiting = await runTask('Wait for a person.');
    await waiting.reaches('confirmation_requested');
    const first = await runTask('Work one.');
    const second = await runTask('Work two.');
    await until(
      'both commands run',
      () => processesWith('sleep 86420').length >= 2 && processesWith('sleep 97531').length >= 2,
    );
    const ended = await vscode.commands.executeCommand<{ runs: number; processes: number }>('waymark.stopEverything');
    assert.deepEqual([processesWith('sleep 86420'), processesWith('sleep 97531')], [[], []]);
    assert.equal(ended.runs, 3);
    assert.ok(ended.processes >= 4, `${ended.processes} processes`);
    for (const session of [waiting, first, second]) assert.equal((await session.reaches('finished')).status, 'stopped');
    assert.deepEqual(await vscode.commands.executeCommand('waymark.stopEverything'), { runs: 0, processes: 0 });
  });
});
