// A session open in a window obeys `waymark control`, like a run of the command line.
import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { reply, startModelServer, toolCall, type ModelServer } from '../support/modelServer';
import { runTask, until, workspace, type Session } from './support/session';

describe('control of a session in a window from another process', () => {
  let server: ModelServer;
  const set = async (values: Record<string, unknown>): Promise<void> => {
    for (const [key, value] of Object.entries(values))
      await vscode.workspace.getConfiguration('waymark').update(key, value, vscode.ConfigurationTarget.Global);
  };

  before(async () => {
    server = await startModelServer((request) => {
      if (request.text.includes('step-three')) return reply('All steps are done.');
      if (request.text.includes('step-one')) return toolCall('run_command', { command: 'echo step-three' });
      return toolCall('run_command', {
        command: 'echo x > begun.txt; while [ ! -e go.txt ]; do sleep 0.05; done; echo step-one',
      });
    });
    await set({
      'model.provider': 'openai',
      'model.baseUrl': server.baseUrl,
      'model.name': 'test-model',
      confirmation: 'never',
    });
  });
  after(async () => {
    await set({
      'model.provider': undefined,
      'model.baseUrl': undefined,
      'model.name': undefined,
      confirmation: undefined,
    });
    await server.stop();
  });
  beforeEach(() => {
    for (const name of ['begun.txt', 'go.txt']) fs.rmSync(path.join(workspace(), name), { force: true });
  });

  /** Returns the output of `waymark control` and its exit code. */
  async function control(session: Session, word: string): Promise<{ code: number | null; stderr: string }> {
    const program = path.join(vscode.extensions.getExtension('waymark.waymark')!.extensionPath, 'dist/cli.js');
    const log = path.join(session.folder, 'session.waymark.jsonl');
    const child = spawn(process.execPath, [program, 'control', log, word], {
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    return new Promise((resolve) => child.on('close', (code) => resolve({ code, stderr })));
  }

  const begun = (): Promise<boolean> =>
    until('the command to begin', () => fs.existsSync(path.join(workspace(), 'begun.txt')));

  it('pauses it, runs half a step, continues it, and says when it no longer runs', async () => {
    const session = await runTask('Work through the steps.');
    await begun();
    assert.deepEqual(await control(session, 'pause'), { code: 0, stderr: '' });
    fs.writeFileSync(path.join(workspace(), 'go.txt'), '');
    assert.equal((await session.reaches('paused')).checkpoint, 'before_reasoning');
    assert.equal(session.of('agent_response').length, 1);

    assert.deepEqual(await control(session, 'step'), { code: 0, stderr: '' });
    assert.equal((await session.reaches('paused', 2)).checkpoint, 'before_acting');
    assert.equal(session.of('action_started').length, 1);

    assert.deepEqual(await control(session, 'resume'), { code: 0, stderr: '' });
    await session.reaches('agent_response', 3);
    await until('the answer', () => session.of('agent_response')[2]!.text === 'All steps are done.');
    await until('the end', async () => (await control(session, 'pause')).code === 1);
    assert.match((await control(session, 'resume')).stderr, /open in a window, but nothing runs in it/);
  });

  it('stops it and keeps what it did so far', async () => {
    const session = await runTask('Work until somebody stops it.');
    await begun();
    assert.deepEqual(await control(session, 'stop'), { code: 0, stderr: '' });
    const { status, summary } = await session.reaches('finished');
    assert.equal(status, 'stopped');
    assert.match(summary, /^Stopped from outside\./);
  });

  it('approves nothing: an action that waits for a person keeps waiting', async () => {
    await set({ confirmation: 'always' });
    try {
      const session = await runTask('Wait for a person.');
      await session.reaches('confirmation_requested');
      assert.equal((await control(session, 'resume')).code, 0);
      assert.equal((await control(session, 'step')).code, 0);
      assert.equal((await control(session, 'stop')).code, 0);
      await session.reaches('finished');
      assert.deepEqual([session.of('action_started').length, session.of('confirmation_resolved').length], [0, 0]);
    } finally {
      await set({ confirmation: 'never' });
    }
  });
});
