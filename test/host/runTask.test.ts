import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { failure, inPieces, reply, toolCall, toolCalls } from '../support/modelServer';
import {
  decided,
  note,
  pause,
  processesWith,
  runTask,
  sessionNamed,
  until,
  workspace,
  command,
} from './support/session';
import { useTestModel } from './support/testModel';

const finish = (summary: string) => toolCall('finish', { summary });
const run = (command: string) => toolCall('run_command', { command });

describe('a task', () => {
  const { server, model } = useTestModel();
  afterEach(async () => {
    await command('waymark.stop');
  });

  it('runs step by step, and its log has all events in order', async () => {
    model(toolCall('write_file', { path: 'made.txt', content: 'made\n' }), run('cat made.txt'), finish('Made it.'));
    const session = await runTask('Make a file.');
    await session.reaches('finished');
    assert.deepEqual(session.types(), [
      'task_started',
      'agent_response',
      'action_started',
      'observation',
      'agent_response',
      'action_started',
      'observation',
      'agent_response',
      'action_started',
      'observation',
      'finished',
    ]);
    assert.deepEqual(
      session.events().map(({ seq }) => seq),
      session.events().map((_event, index) => index),
    );
    assert.match(session.of('observation')[1]!.content, /^made\n\[exit code 0\]$/);
    assert.equal(fs.readFileSync(path.join(workspace(), 'made.txt'), 'utf8'), 'made\n');
  });

  it('uses one connection to the model, although VS Code would open one per request', async () => {
    model(run('echo one'), run('echo two'), finish('Done.'));
    const before = server().requests.length;
    const session = await runTask('Say two words.');
    await session.reaches('finished');
    const connections = server()
      .requests.slice(before)
      .map(({ connection }) => connection);
    assert.equal(connections.length, 3);
    assert.equal(new Set(connections).size, 1);
  });

  it('waits with a risky command until waymark.approve, and runs it once', async () => {
    fs.mkdirSync(path.join(workspace(), 'old'));
    model(run('rm -rf old && echo gone >> times'), finish('Removed.'));
    const session = await runTask('Remove it.');
    await session.reaches('confirmation_requested');
    await pause(200);
    assert.ok(fs.existsSync(path.join(workspace(), 'old')));
    assert.equal(session.of('action_started').length, 0);
    const answers = await until('an approval', async () => {
      const both = await Promise.all([command('waymark.approve'), command('waymark.approve')]);
      return both.includes(true) && both;
    });
    assert.deepEqual(answers, [true, false]);
    await session.reaches('finished');
    assert.equal(fs.existsSync(path.join(workspace(), 'old')), false);
    assert.equal(fs.readFileSync(path.join(workspace(), 'times'), 'utf8'), 'gone\n');
    assert.equal(await command('waymark.approve'), false);
  });

  it('that is visible is the one that waymark.approve decides, even if another waits with the same action id', async () => {
    const touching = (name: string) =>
      toolCalls([
        { tool: 'run_command', input: { command: `rm -rf nothing && echo ${name} >> which` }, id: 'same-id' },
      ]);
    model(touching('first'));
    const first = await runTask('First.');
    await first.reaches('confirmation_requested');
    model(touching('second'), finish('Second is done.'));
    const second = await runTask('Second.');
    await second.reaches('confirmation_requested');
    await decided('waymark.approve');
    await second.reaches('finished');
    assert.equal(fs.readFileSync(path.join(workspace(), 'which'), 'utf8'), 'second\n');
    // A question of another session is first shown; only then can a key decide it.
    assert.equal(await command('waymark.approve'), false);
    assert.equal(first.of('confirmation_resolved').length, 0);
    model(finish('First is done.'));
    await decided('waymark.approve');
    await first.reaches('finished');
    assert.equal(fs.readFileSync(path.join(workspace(), 'which'), 'utf8'), 'second\nfirst\n');
  });

  it('continues without a command that was refused by waymark.refuse', async () => {
    fs.mkdirSync(path.join(workspace(), 'kept'));
    const before = server().requests.length;
    model(run('rm -rf kept'), finish('Left alone.'));
    const session = await runTask('Remove it.');
    await session.reaches('confirmation_requested');
    await decided('waymark.refuse');
    await session.reaches('finished');
    assert.ok(fs.existsSync(path.join(workspace(), 'kept')));
    assert.equal(session.of('observation')[0]!.outcome, 'rejected');
    assert.match(JSON.stringify(server().requests[before + 1]!.body.messages.at(-1)), /refused/i);
  });

  it('is stopped by waymark.stop during a command, with no process left', async () => {
    model(run('echo started; sleep 61.73 | sleep 61.73'));
    const session = await runTask('Sleep.');
    await until(
      'two sleepers',
      () => processesWith('sleep 61.73').filter((line) => /^\d+ sleep/.test(line)).length === 2,
    );
    const began = performance.now();
    await command('waymark.stop');
    note(`waymark.stop answered in ${Math.round(performance.now() - began)} ms`);
    assert.equal((await session.reaches('finished')).status, 'stopped');
    const [observation] = session.of('observation');
    assert.equal(observation!.outcome, 'interrupted');
    assert.match(observation!.content, /^started/);
    await until(
      'no sleeper left',
      () => processesWith('sleep 61.73').filter((line) => /^\d+ sleep/.test(line)).length === 0,
      5,
    );
  });

  it('keeps the text of a stopped reply and continues from it with waymark.resume', async () => {
    const before = server().requests.length;
    model({ ...inPieces(reply('One two three four five six seven eight nine ten eleven twelve.'), 60), pauseMs: 150 });
    const session = await runTask('Count.');
    await until('the request', () => server().requests.length > before);
    await pause(1200);
    await command('waymark.stop');
    assert.equal((await session.reaches('finished')).status, 'stopped');
    const [cut] = session.of('agent_response');
    assert.equal(cut!.finishReason, 'interrupted');
    assert.match(cut!.text, /^One/);
    assert.equal(await server().requests[before]!.outcome, 'aborted');
    model(finish('Counted.'));
    await command('waymark.resume');
    assert.equal((await session.reaches('finished', 2)).status, 'submitted');
  });

  it('can be opened by its id and continued with a valid chat', async () => {
    model(reply('What is next?'));
    const session = await runTask('Begin.');
    await session.reaches('agent_response');
    await command('waymark.newSession');
    await command('waymark.openSession', session.id);
    model(finish('Ended.'));
    await command('waymark.resume');
    assert.equal((await session.reaches('finished')).summary, 'Ended.');
  });

  it('fails with reason and advice if the server rejects the key, after one request', async () => {
    const before = server().requests.length;
    model(failure(401, 'Incorrect API key provided.'));
    const session = await runTask('Try.');
    const { status, problem } = await session.reaches('finished');
    assert.equal(status, 'failed');
    assert.match(problem!.what, /did not accept the key/);
    assert.match(problem!.why, /401.*Incorrect API key provided/);
    assert.match(problem!.next, /Waymark: Set API Key/);
    await pause(300); // no second try
    assert.equal(server().requests.length, before + 1);
  });

  it('shows the agent’s shell and its output in a terminal on request', async () => {
    model(run('echo mirrored | tr m M'), finish('Done.'));
    const session = await runTask('Echo.');
    await session.reaches('finished');
    const count = vscode.window.terminals.length;
    await command('waymark.showTerminal');
    const terminal = await until('a terminal named after the session', () =>
      vscode.window.terminals.find(({ name }) => name.startsWith('Waymark: Echo')),
    );
    assert.equal(vscode.window.terminals.length, count + 1);
    await command('workbench.action.terminal.focus');
    const shown = async (): Promise<string> => {
      await command('workbench.action.terminal.selectAll');
      await command('workbench.action.terminal.copySelection');
      return vscode.env.clipboard.readText();
    };
    await until('the command in the terminal', async () => (await shown()).includes('Mirrored')).catch(
      async (error: Error) => assert.fail(`${error.message}\n${await shown()}`),
    );
    terminal.dispose();
  });

  it('can be renamed by waymark.renameSession, which suggests the current name', async () => {
    model(finish('Short.'));
    const session = await runTask('A session to rename.');
    await session.reaches('finished');
    const renaming = command('waymark.renameSession', { id: session.id });
    await until('the input box, accepted', async () => {
      await command('workbench.action.acceptSelectedQuickOpenItem');
      return await Promise.race([renaming.then(() => true), pause(100).then(() => false)]);
    });
    const renamed = await sessionNamed(session.id).reaches('settings_changed');
    assert.equal(renamed.title, session.of('task_started')[0]!.title);
  });
});
