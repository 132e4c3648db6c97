import { strict as assert } from 'node:assert';
import { reply, toolCall } from '../support/modelServer';
import { finish, run, useAgentWindow } from './support/agentWindow';

describe('a folder that is not trusted', function () {
  this.timeout(60_000);
  const agent = useAgentWindow({ trust: true, files: { 'notes.txt': 'the ferry leaves at noon\n' } });
  const toolsOffered = () => (agent().server.requests.at(-1)!.body.tools ?? []).map(tool => String(tool.function.name));

  it('can be read and talked about', async () => {
    agent().model(toolCall('read_file', { path: 'notes.txt' }), reply('It leaves at noon.'));
    await agent().task('When does it leave?');
    await agent().view.getByText('It leaves at noon.').first().waitFor();
    await agent().view.getByText('Restricted mode:').waitFor();
    await agent().window.screenshot('restricted-350');
    assert.match(agent().of('observation')[0]!.content, /the ferry leaves at noon/);
    assert.ok(toolsOffered().includes('read_file'));
  });

  it('is offered neither a terminal nor edits, and a model that asks for them all the same gets neither', async () => {
    assert.deepEqual(toolsOffered().filter(name => ['run_command', 'write_file', 'edit_file', 'apply_patch'].includes(name)), []);
    agent().model(run('echo ran > ran.txt'), toolCall('write_file', { path: 'made.txt', content: 'made' }), finish('Nothing done.'));
    await agent().task('Do it all the same.');
    await agent().reaches('finished');
    assert.deepEqual([agent().file('ran.txt'), agent().file('made.txt')], [undefined, undefined]);
    assert.deepEqual(agent().of('observation').slice(0, 2).map(({ outcome }) => outcome), ['error', 'error']);
  });

  it('can be worked in once a person trusts it, in the same window', async () => {
    await agent().view.getByText('Manage trust').click();
    await agent().page.locator('.workspace-trust-editor').waitFor();
    await agent().page.locator('.workspace-trust-editor .monaco-button', { hasText: /^Trust/ }).first().click();
    await agent().page.keyboard.press('Escape'); // the trust page lies over the window
    await agent().view.getByText('Restricted mode:').waitFor({ state: 'detached' });
    agent().model(run('echo now'), toolCall('write_file', { path: 'made.txt', content: 'made\n' }), finish('Done.'));
    await agent().task('Do it now.');
    await agent().reaches('finished');
    assert.equal(agent().file('made.txt'), 'made\n');
    assert.match(agent().of('observation')[0]!.content, /^now\n/);
    await agent().window.screenshot('trusted-350');
  });
});
