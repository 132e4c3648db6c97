import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { reply, startModelServer, toolCall, type ModelServer } from '../support/modelServer';
import { decided, processesWith, runTask, sessionNamed, until, workspace, command } from './support/session';

type Answering = (task: string, turn: number) => ReturnType<typeof reply>;

describe('a task that delegates', () => {
  let server: ModelServer;
  let answer: Answering = () => reply('Nothing.');
  const set = (values: Record<string, unknown>) =>
    Object.entries(values).reduce(
      (before, [key, value]) =>
        before.then(() =>
          vscode.workspace.getConfiguration('waymark').update(key, value, vscode.ConfigurationTarget.Global),
        ),
      Promise.resolve<unknown>(undefined),
    );
  const delegates = (...titles: string[]) =>
    toolCall('delegate', { tasks: titles.map((title) => ({ title, task: `Task of ${title}.` })) });

  before(async () => {
    server = await startModelServer(({ body: { messages } }) =>
      answer(
        String(messages.find(({ role }) => role === 'user')!['content']),
        messages.filter(({ role }) => role === 'assistant').length,
      ),
    );
    await set({
      'model.provider': 'openai',
      'model.baseUrl': server.baseUrl,
      'model.name': 'test-model',
      toolsets: ['default', 'delegation'],
    });
  });
  after(async () => {
    await set({
      'model.provider': undefined,
      'model.baseUrl': undefined,
      'model.name': undefined,
      toolsets: undefined,
    });
    await server.stop();
  });
  afterEach(async () => {
    await command('waymark.stop');
  });

  it('waits while a subtask waits for approval, which works as for any other action', async () => {
    fs.mkdirSync(path.join(workspace(), 'old'));
    answer = (task, turn) => {
      if (task.startsWith('Share'))
        return turn === 0 ? delegates('the cleaner', 'the reader') : reply('Both reported.');
      return task.includes('of the cleaner') && turn === 0
        ? toolCall('run_command', { command: 'rm -rf old' })
        : reply('Done.');
    };
    const parent = await runTask('Share the work.');
    const begun = await parent.reaches('child_started', 2);
    assert.ok(begun);
    const cleaner = sessionNamed(parent.of('child_started').find(({ title }) => title === 'the cleaner')!.session);
    const asked = await cleaner.reaches('confirmation_requested');
    assert.ok(fs.existsSync(path.join(workspace(), 'old')));
    assert.equal(parent.of('observation').length, 0);
    // A hidden question is first shown; only then can a key decide it.
    assert.equal(await command('waymark.approve'), false);
    await decided('waymark.approve', { sessionId: cleaner.id, action: { id: asked.actionIds[0] } });
    const { details } = await parent.reaches('observation');
    assert.deepEqual(
      details?.kind === 'delegate' && details.children.map(({ title, status, summary }) => [title, status, summary]),
      [
        ['the cleaner', 'answered', 'Done.'],
        ['the reader', 'answered', 'Done.'],
      ],
    );
    assert.equal(fs.existsSync(path.join(workspace(), 'old')), false);
    assert.deepEqual(cleaner.of('task_started')[0]?.parent, {
      session: parent.id,
      actionId: parent.of('child_started')[0]!.actionId,
      depth: 1,
    });
    await until('the answer', () => parent.of('agent_response').length === 2);
  });

  it('stops its subtasks when it is stopped, and repeats nothing when it continues', async () => {
    answer = (task, turn) => {
      if (task.startsWith('Share')) return turn === 0 ? delegates('the sleeper') : reply('It was stopped.');
      return turn === 0 ? toolCall('run_command', { command: 'echo once >> slept.txt; sleep 4242' }) : reply('Done.');
    };
    const parent = await runTask('Share the work.');
    const child = sessionNamed((await parent.reaches('child_started')).session);
    await until('the command', () => fs.existsSync(path.join(workspace(), 'slept.txt')));
    await command('waymark.openSession', parent.id);
    await command('waymark.stop');
    const { outcome, details } = await parent.reaches('observation');
    assert.equal(outcome, 'interrupted');
    assert.deepEqual(details?.kind === 'delegate' && details.children.map(({ status, steps }) => [status, steps]), [
      ['stopped', 1],
    ]);
    assert.equal((await child.reaches('finished')).status, 'stopped');
    await until('the end of the command', () => processesWith('sleep 4242').length === 0);
    await command('waymark.resume');
    await until('the answer', () => parent.of('agent_response').length === 2);
    assert.equal(fs.readFileSync(path.join(workspace(), 'slept.txt'), 'utf8'), 'once\n');
  });
});
