import { strict as assert } from 'node:assert';
import type { EventOf } from '../../../src/protocol/events/event';
import { reply } from '../../support/modelServer';
import { finish, run, until, useAgentWindow } from '../support/agentWindow';

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
