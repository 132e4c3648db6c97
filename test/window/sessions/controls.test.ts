import { strict as assert } from 'node:assert';
import { reply } from '../../support/modelServer';
import { finish, run, useSharedWindow } from '../support/agentWindow';

describe('controlling a run in a window', function () {
  this.timeout(240_000);
  const agent = useSharedWindow('asking');
  const byId = (id: string) => agent().view.getByTestId(id);

  it('pauses it at the next checkpoint, steps from there, and leaves step mode', async () => {
    agent().model(run('sleep 8; echo one'), run('echo two'), run('echo three'), finish('Three.'));
    await agent().task('Count in steps.');
    await agent().reaches('action_started');
    await byId('pause').click();
    await byId('status').getByText('Pausing').waitFor();
    await agent().window.screenshot('pausing-350');
    assert.equal((await agent().reaches('paused')).checkpoint, 'before_reasoning');
    assert.match(agent().of('observation')[0]!.content, /^one/, 'what ran was not cut short');
    await byId('paused').waitFor();
    await agent().window.screenshot('paused-350');
    await agent().page.locator('.statusbar-item', { hasText: 'Paused' }).hover();
    await agent().page.locator('.workbench-hover', { hasText: 'Resume' }).waitFor();
    await agent().window.screenshot('status-bar-350');
    await byId('card-step').click();
    assert.equal((await agent().reaches('paused', 2)).checkpoint, 'before_acting');
    await byId('paused').getByText('Paused before 1 action').waitFor();
    assert.equal(agent().of('action_started').length, 1);
    await byId('step').click();
    assert.equal((await agent().reaches('paused', 3)).checkpoint, 'before_reasoning');
    await byId('card-resume').getByText('Leave step mode').waitFor();
    await agent().window.screenshot('stepping-350');
    await byId('card-resume').click();
    assert.equal((await agent().reaches('finished')).status, 'submitted');
    assert.equal(agent().of('paused').length, 3);
  });

  it('pauses, steps, continues and stops it from the palette', async () => {
    agent().model(run('sleep 2; echo one'), run('echo two'), run('sleep 62.5'));
    await agent().task('Count by palette.');
    await agent().reaches('action_started');
    await agent().command('Waymark: Pause');
    await agent().reaches('paused');
    await agent().command('Waymark: Step');
    await agent().reaches('paused', 2);
    await agent().command('Waymark: Leave Step Mode');
    await agent().reaches('action_started', 3);
    await agent().command('Waymark: Stop');
    assert.equal((await agent().reaches('finished')).status, 'stopped');
    await agent().page.locator('.statusbar-item', { hasText: 'Stopped' }).waitFor();
  });

  it('sends a message along with the next tool result', async () => {
    agent().model(run('sleep 3; echo slept'), finish('Read it.'));
    await agent().task('Wait for words.');
    await agent().reaches('action_started');
    await byId('composer').fill('Greet Ada as well.');
    await byId('send-now').click();
    await agent().view.getByText('sent with the next result').waitFor();
    await agent().window.screenshot('steering-350');
    await agent().reaches('finished');
    assert.equal(agent().of('user_message')[0]!.delivery, 'steer');
    const last = agent().server.requests.at(-1)!.body.messages.at(-1)!;
    assert.equal(last.role, 'tool');
    assert.match(String(last.content), /slept[\s\S]*Greet Ada as well/);
  });

  it('runs typed commands in human mode, without the model', async () => {
    agent().model(reply('What now?'), finish('Taken over.'));
    await agent().task('Begin.');
    await agent().view.getByText('What now?').waitFor();
    const asked = agent().server.requests.length;
    await byId('mode').selectOption('human');
    await agent().view.getByPlaceholder('Type a command to run').waitFor();
    await byId('composer').fill('echo typed by hand');
    await byId('composer').press('Enter');
    await agent().reaches('observation');
    await agent().view.getByText('You ran').waitFor();
    await agent().window.screenshot('human-350');
    assert.match(agent().of('observation')[0]!.content, /^typed by hand/);
    assert.equal(agent().server.requests.length, asked);
    await byId('mode').selectOption('risky');
    await agent().reaches('finished');
    assert.equal(agent().of('agent_response').at(-2)!.by, 'person');
  });
});
