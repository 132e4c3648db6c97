import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { reply, toolCall } from '../../support/modelServer';
import { finish, run, until, useAgentWindow } from '../support/agentWindow';

const outside = fs.mkdtempSync(path.join(os.tmpdir(), 'wm-asker-'));

describe('an untrusted folder', function () {
  this.timeout(240_000);
  const agent = useAgentWindow({
    trust: true,
    files: { 'notes.txt': 'the ferry leaves at noon\n' },
    extensions: ['test/window/extensions/waymark-test.asker-0.0.1'],
    env: { ASKER_FILE: path.join(outside, 'asked.jsonl') },
  });
  /** Results of another extension's requests, the latest last. */
  const asked = (what: string): string[] =>
    fs.existsSync(path.join(outside, 'asked.jsonl'))
      ? fs
          .readFileSync(path.join(outside, 'asked.jsonl'), 'utf8')
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line) as { what: string; came: string })
          .filter((each) => each.what === what)
          .map(({ came }) => came)
      : [];
  after(() => fs.rmSync(outside, { recursive: true, force: true }));
  const toolsOffered = () =>
    (agent().server.requests.at(-1)!.body.tools ?? []).map((tool) => String(tool.function.name));

  it('can be read and discussed', async () => {
    agent().model(toolCall('read_file', { path: 'notes.txt' }), reply('It leaves at noon.'));
    await agent().task('When does it leave?');
    await agent().view.getByText('It leaves at noon.').first().waitFor();
    await agent().view.getByText('Restricted mode:').waitFor();
    await agent().window.screenshot('restricted-350');
    assert.match(agent().of('observation')[0]!.content, /the ferry leaves at noon/);
    assert.ok(toolsOffered().includes('read_file'));
  });

  it('allows no terminal or edits: these tools are not offered, and calls to them fail', async () => {
    assert.deepEqual(
      toolsOffered().filter((name) =>
        ['run_command', 'write_file', 'edit_file', 'apply_patch', 'fetch_url'].includes(name),
      ),
      [],
    );
    agent().model(
      run('echo ran > ran.txt'),
      toolCall('write_file', { path: 'made.txt', content: 'made' }),
      finish('Nothing done.'),
    );
    await agent().task('Do it all the same.');
    await agent().reaches('finished');
    assert.deepEqual([agent().file('ran.txt'), agent().file('made.txt')], [undefined, undefined]);
    assert.deepEqual(
      agent()
        .of('observation')
        .slice(0, 2)
        .map(({ outcome }) => outcome),
      ['error', 'error'],
    );
  });

  it('refuses to run a task several times', async () => {
    await agent().command('Waymark: Run Agent on Task Several Times, Choose Best Result…');
    const told = agent().page.locator('.notification-toast', { hasText: 'Trust this folder first.' });
    await told.waitFor();
    await agent().command('Notifications: Clear All Notifications');
    await told.waitFor({ state: 'detached' });
  });

  it('refuses tool calls and tasks of other extensions, and offers none of their tools', async () => {
    await agent().command('Asker: Ask Waymark');
    const [task] = await until('the answer to the task', () => asked('task').length > 0 && asked('task'));
    assert.match(asked('tool')[0]!, /^refused: .*This folder is not trusted/);
    assert.match(task!, /^refused: The task was not started: this folder is not trusted\. Ask the user to trust it/);
    agent().model(reply('Nothing new.'));
    await agent().task('What is new?');
    await agent().view.getByText('Nothing new.').first().waitFor();
    assert.deepEqual(
      toolsOffered().filter((name) => name.startsWith('ext_')),
      [],
    );
  });

  it('can be worked in after a person trusts it, in the same window', async () => {
    await agent().view.getByText('Manage trust').click();
    await agent().page.locator('.workspace-trust-editor').waitFor();
    await agent()
      .page.locator('.workspace-trust-editor .monaco-button', { hasText: /^Trust/ })
      .first()
      .click();
    await agent().page.keyboard.press('Escape'); // closes the trust page, which covers the window
    await agent().view.getByText('Restricted mode:').waitFor({ state: 'detached' });
    agent().model(run('echo now'), toolCall('write_file', { path: 'made.txt', content: 'made\n' }), finish('Done.'));
    await agent().task('Do it now.');
    await agent().reaches('finished');
    assert.equal(agent().file('made.txt'), 'made\n');
    assert.match(agent().of('observation')[0]!.content, /^now\n/);
    await agent().window.screenshot('trusted-350');
  });

  it('then accepts tasks of other extensions, after the person agrees', async () => {
    agent().model(reply('I looked around.'));
    await agent().command('Asker: Ask Waymark');
    const question = agent().page.locator('.quick-input-widget', {
      hasText: 'Asker (waymark-test.asker) wants to start an agent task',
    });
    await question.waitFor();
    await question.locator('.monaco-list-row.focused', { hasText: 'Do Not Start It' }).waitFor();
    await agent().window.screenshot('task-consent');
    await agent().page.keyboard.press('ArrowDown');
    await question.locator('.monaco-list-row.focused', { hasText: 'Always Allow Its Tasks' }).waitFor();
    await agent().page.keyboard.press('Enter');
    await until('the end of the task', () => asked('task').includes('I looked around.'));
    assert.equal(asked('tool').at(-1), '    1\tthe ferry leaves at noon');
    await agent().view.getByText('This task was started by the extension Asker (waymark-test.asker).').waitFor();
  });
});
