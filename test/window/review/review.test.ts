import { strict as assert } from 'node:assert';
import { toolCall } from '../../support/modelServer';
import { finish, goOnFromEachOther, run, until, useSharedWindow } from '../support/agentWindow';

const lines = Array.from({ length: 30 }, (_, at) => `line ${at + 1}\n`);

describe('reviewing changes of the agent, in a window', function () {
  this.timeout(240_000);
  goOnFromEachOther(this);
  const agent = useSharedWindow('asking', { files: { 'text.txt': lines.join(''), 'old.txt': 'old\n' } });
  const pane = () =>
    agent().page.locator('.pane', { has: agent().page.locator('.pane-header', { hasText: 'Changes' }) });
  const rows = () => pane().locator('.monaco-list-row');
  const statusBar = () => agent().page.locator('.statusbar-item', { hasText: 'to review' });
  const lens = (words: string) => agent().page.locator('.codelens-decoration a', { hasText: words });

  it('lists the net changes of tools and commands, with their number in the status bar', async () => {
    agent().model(
      toolCall('write_file', { path: 'made.txt', content: 'one\ntwo\n' }),
      run("sed -i 's/^line 5$/LINE 5/; s/^line 25$/LINE 25/' text.txt && rm old.txt"),
      finish('Done.'),
    );
    await agent().task('Change files.');
    const asked = await until(
      'a question or the end',
      () => agent().of('confirmation_requested')[0] ?? agent().of('finished')[0],
    );
    if (asked.type === 'confirmation_requested') await agent().command('Waymark: Approve Pending Action');
    await agent().reaches('finished');
    await agent().command('Waymark: Focus on Changes View');
    await until('the status bar', async () =>
      (
        await statusBar()
          .textContent()
          .catch(() => '')
      )?.includes('3 files to review'),
    );
    await agent().command('Waymark: Focus on Changes View');
    await until('three rows', async () => (await rows().count()) === 3);
    const words = (await rows().allTextContents()).join('\n');
    assert.match(words, /made\.txt\+2 −0 · created/);
    assert.match(words, /old\.txt\+0 −1 · deleted/);
    assert.match(words, /text\.txt\+2 −2/);
    for (const theme of ['light', 'high-contrast-dark', 'dark'] as const) {
      await agent().window.setTheme(theme);
      await agent().window.screenshot(`review-view-${theme}`);
    }
  });

  it('works with commands only: next, undo, keep', async () => {
    const isOpen = (name: string) =>
      until(name, async () => (await agent().page.locator('.tab.active').first().textContent())?.includes(name));
    await agent().command('Waymark: Go to Next Change of Agent');
    await isOpen('made.txt');
    await agent().command('Waymark: Go to Next Change of Agent');
    await isOpen('text.txt');
    await until('the lenses', async () => (await lens('Undo').count()) > 0);
    await agent().page.getByText('LINE 5', { exact: false }).first().waitFor();
    await agent().window.screenshot('review-hunks');
    await agent().command('Waymark: Undo Change');
    await until('the hunk undone', () => agent().file('text.txt') === lines.join('').replace('line 25\n', 'LINE 25\n'));
    // Each key is pressed once, and the second before the window has processed the first.
    await agent().command('Waymark: Go to Next Change of Agent');
    await agent().command('Waymark: Keep Change');
    await until('two files left', async () => (await statusBar().textContent())?.includes('2 files to review'), 60);
    assert.equal(agent().file('text.txt'), lines.join('').replace('line 25\n', 'LINE 25\n'), 'keeping changes no file');
  });

  it('undoes all remaining changes and redoes them, and tells the model', async () => {
    await agent().command('Waymark: Undo All Changes');
    await until('all undone', () => agent().file('made.txt') === undefined && agent().file('old.txt') === 'old\n');
    await until('nothing to review', async () => (await statusBar().count()) === 0);
    // One hunk of text.txt was kept.
    const listed = async (): Promise<string[]> =>
      (await agent().view.getByTestId('finished').locator('li').allInnerTexts()).map((row) =>
        row.replace(/\s+/g, ' ').trim(),
      );
    await until('the files as before the run', async () => (await listed()).includes('made.txt Reverted'));
    assert.deepEqual(
      (await listed())
        .filter((row) => row.includes('.txt'))
        .slice(0, 3)
        .sort(),
      ['made.txt Reverted', 'old.txt Reverted', 'text.txt'],
    );
    await agent().window.screenshot('finished-reverted-350');
    await agent().command('Waymark: Redo Undone Changes');
    await until('all back', () => agent().file('made.txt') === 'one\ntwo\n' && agent().file('old.txt') === undefined);
    const told = agent()
      .events()
      .flatMap((event) => (event.type === 'feedback' && event.cause === 'changes_undone' ? [event.text] : []));
    assert.equal(told.length, 2);
    assert.match(told[0]!, /The user undid this change[\s\S]*text\.txt, at line 5: /);
  });

  it('opens all changes in one editor', async () => {
    await agent().command('Waymark: Review Changes');
    await agent().page.locator('.tab', { hasText: 'Changes by the agent' }).first().waitFor();
    await agent().window.screenshot('review-all');
  });
});
