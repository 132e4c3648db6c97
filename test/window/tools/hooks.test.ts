import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { toolCall } from '../../support/modelServer';
import { finish, goOnFromEachOther, until, useAgentWindow } from '../support/agentWindow';

const hooks = { hooks: { PreToolUse: [{ matcher: 'Write', hooks: [{ command: 'sh guard.sh' }] }] } };

describe('hooks in a folder, in a window', function () {
  this.timeout(240_000);
  goOnFromEachOther(this);
  const agent = useAgentWindow({
    files: {
      '.agent/hooks.json': JSON.stringify(hooks, null, 2),
      'guard.sh': 'echo "Nothing is written here." >&2; exit 2\n',
    },
  });
  const button = (name: string) =>
    agent().page.locator('.monaco-dialog-box, .notification-toast').getByRole('button', { name });
  const begins = async (words: string): Promise<void> => {
    await agent().command('Waymark: Run Agent on Task');
    await agent().answer(words);
  };

  it('run after a person reviewed and approved them; an action that one blocks does not happen, and the conversation says so', async () => {
    agent().model(toolCall('write_file', { path: 'made.txt', content: 'made\n' }), finish('It is not allowed.'));
    await begins('Write it.');
    await button('Run Hooks').waitFor();
    assert.match(
      await agent().page.locator('.monaco-dialog-box').innerText(),
      /\.agent\/hooks\.json defines programs[^]*PreToolUse: sh guard\.sh/,
    );
    await agent().window.screenshot('hooks-asked');
    assert.deepEqual(agent().events(), []);
    await button('Run Hooks').click();
    await agent().reaches('finished');
    assert.equal(agent().of('hook_ran')[0]!.decision, 'block');
    assert.equal(agent().file('made.txt'), undefined);
    await agent()
      .view.getByText(/PreToolUse hook “sh guard\.sh” refused: Nothing is written here\./)
      .waitFor();
    await agent().window.screenshot('hooks-refused');
  });

  it('are shown as a diff and need approval again if one of their scripts changed', async () => {
    fs.writeFileSync(path.join(agent().window.workspace, 'guard.sh'), 'exit 0\n');
    agent().model(finish('Done without them.'));
    await begins('And again.');
    await button('Show Them').click();
    await agent().page.locator('.monaco-diff-editor').first().waitFor();
    await button('Continue Without').click();
    await until(
      'the second task',
      () => agent().events()[0]?.type === 'task_started' && agent().of('task_started')[0]!.task === 'And again.',
    );
    await agent().reaches('finished');
    assert.deepEqual(agent().of('hook_ran'), []);
    await agent().window.screenshot('hooks-changed');
  });
});
