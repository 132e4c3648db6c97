import { strict as assert } from 'node:assert';
import { reply } from '../../support/modelServer';
import type { EventOf } from '../../../src/protocol/events/event';
import { finish, run, until, useAgentWindow } from '../support/agentWindow';

describe('controlling a run in a window', function () {
  this.timeout(240_000);
  const agent = useAgentWindow();
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

describe('the settings of a run in a window', function () {
  this.timeout(240_000);
  const agent = useAgentWindow({
    settings: { 'waymark.limits.steps': 2, 'waymark.allowPatterns': ['sh \\./made'], 'waymark.profile': 'waymark' },
    files: { 'made.sh': 'echo made\n', '.agent/profiles/waymark.system.jinja': 'Speak like a pilot of ferries.' },
  });
  const byId = (id: string) => agent().view.getByTestId(id);

  it('apply system prompt, patterns and limits; new limits let the run continue', async () => {
    agent().model(run('sh ./made.sh'), run('echo again'), finish('Done.'));
    await agent().task('Make it.');
    assert.equal((await agent().reaches('finished')).status, 'limit_exceeded');
    assert.match(String(agent().server.requests[0]!.body.messages[0]!.content), /pilot of ferries/);
    assert.equal(agent().of('confirmation_requested').length, 0);
    await byId('limit-form').waitFor();
    assert.equal(await byId('limit-steps').inputValue(), '4');
    await agent().window.screenshot('limit-350');
    await byId('go-on').click();
    assert.equal((await agent().reaches('finished', 2)).status, 'submitted');
    assert.deepEqual(agent().of('settings_changed').at(-2)?.limits ?? agent().of('settings_changed').at(-1)?.limits, {
      steps: 4,
      cost: 5,
      seconds: 0,
    });
  });

  it('can be written from the list of options', async () => {
    await agent().command('Waymark: Task Options…');
    const list = agent().page.locator('.quick-input-list .monaco-list-row');
    await list.filter({ hasText: 'Profile' }).first().waitFor();
    await agent().window.screenshot('options-350');
    await agent().page.keyboard.type('Profile');
    await agent().page.keyboard.press('Enter');
    await list.filter({ hasText: 'mini-swe-agent' }).first().waitFor();
    await agent().window.screenshot('options-profile-350');
    await agent().page.keyboard.type('hermes');
    await agent().page.keyboard.press('Enter');
    await list.filter({ hasText: 'Candidates' }).first().waitFor();
    await agent().page.keyboard.press('Escape');
    await list.first().waitFor({ state: 'hidden' });
    await agent().command('Waymark: New Session');
    await byId('options').getByText('Profile: hermes').waitFor();
    await agent().window.screenshot('options-chip-350');
  });

  it('request several candidates, which another model judges', async () => {
    await agent().window.changeSettings({
      'waymark.candidates': 2,
      'waymark.verifier.kind': 'llm',
      'waymark.verifier.model': 'judge-model',
      'waymark.profile': 'waymark',
    });
    await agent().window.openConversation();
    agent().model(run('echo one'), run('printf other'), reply('2'), finish('Done.'), finish('Done.'));
    await agent().task('Choose.');
    assert.equal((await agent().reaches('finished')).status, 'submitted');
    const { sampling } = agent().of('agent_response')[0]!;
    assert.deepEqual([sampling?.candidates.length, sampling?.chosen, sampling?.by], [2, 1, 'llm']);
    assert.ok(agent().server.requests.some(({ body }) => body.model === 'judge-model'));
    await agent().window.screenshot('candidates-350');
  });

  it('let a separate session continue from another candidate', async () => {
    const [{ sampling, actions }] = agent().of('agent_response') as [EventOf<'agent_response'>];
    assert.match(actions[0]!.summary, /printf other/);
    agent().model(finish('The other way.'), finish('The other way.'), reply('1'));
    await agent().view.getByTestId('step-row').filter({ hasText: 'chosen by the judge' }).click();
    await agent().view.getByTestId('choose-candidate').first().click();
    await until('the new session', () => agent().of('agent_response')[0]?.sampling?.by === 'person');
    await agent().reaches('finished');
    const [first] = agent().of('agent_response') as [EventOf<'agent_response'>];
    assert.deepEqual([first.sampling?.chosen, first.sampling?.candidates.length], [0, sampling!.candidates.length]);
    assert.match(agent().of('observation')[0]!.content, /^one/);
    await agent().window.screenshot('other-candidate-350');
  });
});
