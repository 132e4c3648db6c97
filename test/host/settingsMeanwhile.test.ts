import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { eventsOfType } from '../../src/core/log/projection';
import type { Event } from '../../src/protocol/events/event';
import { reply, startModelServer, toolCall } from '../support/modelServer';
import { openSecondWindow } from './support/secondWindow';
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

  it('end the wait of a retry once the session uses the chosen model', async function () {
    this.timeout(50_000);
    const second = await startModelServer([reply('Done by the other model.')]);
    const storage = fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-retry-'));
    const { window, close } = openSecondWindow(storage);
    const { sessions, sidebar } = window;
    try {
      await set({ 'model.baseUrl': first().baseUrl, 'model.name': 'test-model' });
      model({
        status: 503,
        headers: { 'content-type': 'application/json', 'retry-after': '60' },
        body: JSON.stringify({ error: { message: 'Overloaded.' } }),
      });
      await sidebar.panel.say('Ask a busy server.');
      const session = sidebar.shown.live!;
      const events = (): readonly Event[] => session.conversation.history;
      const scheduled = await until('a retry', () => events().find((event) => event.type === 'retry_scheduled'));
      assert.ok(scheduled.delayMs >= 60_000, `${scheduled.delayMs} ms`);
      await set({ 'model.baseUrl': second.baseUrl, 'model.name': 'other-model' });
      await sessions.useChosenModel(session);
      await until('the answer', () => eventsOfType(events(), 'agent_response').length > 0);
      assert.equal(eventsOfType(events(), 'agent_response')[0]!.text, 'Done by the other model.');
      assert.equal(eventsOfType(events(), 'settings_changed')[0]!.model?.name, 'other-model');
    } finally {
      await close();
      fs.rmSync(storage, { recursive: true, force: true });
      await second.stop();
    }
  });
});
