import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { reply, toolCall } from '../../support/modelServer';
import { finish, run, until, useSharedWindow } from '../support/agentWindow';

const lines = Array.from({ length: 30 }, (_, at) => `line ${at + 1}\n`).join('');
const shouted = lines.replace('line 5\n', 'LINE 5\n').replace('line 25\n', 'LINE 25\n');

describe('a review', () => {
  const files = { 'text.txt': lines, 'other.txt': 'a\n' };
  /** One window for all suites. */
  const agent = useSharedWindow('unattended', { files });

  /** Before a suite, restores the files, closes everything and opens a new session. */
  function startsAfresh(): void {
    before(async () => {
      for (const [name, text] of Object.entries(files))
        fs.writeFileSync(path.join(agent().window.workspace, name), text);
      fs.rmSync(path.join(agent().window.workspace, 'made.txt'), { force: true });
      await agent().command('View: Close All Editors');
      await agent().command('Notifications: Clear All Notifications');
      await agent().command('Waymark: New Session');
    });
  }

  describe('agent lines that a person changed, in a window', function () {
    this.timeout(180_000);
    startsAfresh();

    it('are shown in the merge editor, and nothing is overwritten', async () => {
      const page = agent().page;
      agent().model(run("sed -i 's/^line 25$/LINE 25/' text.txt"), finish('Done.'));
      await agent().task('Shout.');
      await agent().reaches('finished');
      await agent().view.getByTestId('review-list').waitFor();
      await agent().command('Waymark: Go to Next Change of Agent');
      await page.locator('.tab.active', { hasText: 'text.txt' }).waitFor();
      await page.locator('.codelens-decoration a', { hasText: 'Undo' }).first().waitFor();
      // A manual edit at the cursor, which is in the agent's line.
      await page.keyboard.press('End');
      await page.keyboard.type(' by hand');
      await agent().command('File: Save');
      const byHand = lines.replace('line 25\n', 'LINE 25 by hand\n');
      await until('the file saved', () => agent().file('text.txt') === byHand);
      await page.locator('.codelens-decoration a', { hasText: 'You changed this since' }).first().waitFor();
      await agent().window.screenshot('review-contested');
      await agent().command('Waymark: Undo Changes of File');
      const offer = page.locator('.notifications-toasts .monaco-button', { hasText: 'Open Merge Editor' });
      await offer.waitFor();
      assert.equal(agent().file('text.txt'), byHand);
      await offer.click();
      await page.locator('.merge-editor').waitFor();
      await page.locator('.merge-editor', { hasText: 'Without the agent’s change' }).waitFor();
      await agent().window.screenshot('review-merge');
      assert.equal(agent().file('text.txt'), byHand, 'the file is what the person wrote');
      await agent().command('View: Close Editor');
    });

    it('do not prevent the undo of everything else', async () => {
      const page = agent().page;
      agent().model(toolCall('write_file', { path: 'made.txt', content: 'made\n' }), finish('Done.'));
      await agent().view.getByTestId('composer').fill('Make a file.');
      await agent().view.getByTestId('composer').press('Enter');
      await agent().reaches('finished', 2);
      await page.locator('.statusbar-item', { hasText: '2 files to review' }).waitFor();
      const before = agent().file('text.txt');
      await agent().command('Waymark: Undo All Changes');
      const toasts = page.locator('.notifications-toasts');
      await toasts.getByText('Nothing was undone.').first().waitFor();
      assert.equal(agent().file('made.txt'), 'made\n');
      await agent().window.screenshot('review-undo-others');
      await toasts.locator('.monaco-button', { hasText: 'Undo the Other Changes' }).click();
      await until('the file undone', () => agent().file('made.txt') === undefined);
      assert.equal(agent().file('text.txt'), before, 'the lines of the person');
    });
  });

  describe('changes to review while the agent works, in a window', function () {
    this.timeout(180_000);
    startsAfresh();
    const statusBar = () => agent().page.locator('.statusbar-item', { hasText: 'to review' });
    const waits = (words: string) =>
      until(words, async () =>
        (
          await statusBar()
            .textContent()
            .catch(() => '')
        )?.includes(words),
      );

    it('are undone at once if the running command leaves the file alone, otherwise after it ends', async () => {
      const go = path.join(agent().window.workspace, 'go');
      agent().model(
        run("sed -i 's/^line 5$/LINE 5/; s/^line 25$/LINE 25/' text.txt"),
        run('echo b >> other.txt; until [ -e go ]; do sleep 0.1; done; rm go'),
        finish('Done.'),
      );
      await agent().task('Change files slowly.');
      await until('the command at work', () => agent().file('other.txt') === 'a\nb\n');
      await waits('1 file to review');
      await agent().command('Waymark: Go to Next Change of Agent');
      await agent().page.locator('.tab.active', { hasText: 'text.txt' }).waitFor();
      await agent().page.locator('.codelens-decoration a', { hasText: 'Undo' }).first().waitFor();
      await agent().command('Waymark: Undo Change');
      await until('the hunk undone', () => agent().file('text.txt') === shouted.replace('LINE 5\n', 'line 5\n'));
      assert.equal(agent().of('observation').length, 1, 'the command is still at work');
      await agent().command('Waymark: Redo Undone Changes');
      await until('the hunk back', () => agent().file('text.txt') === shouted);

      // The command has changed the file as well.
      fs.appendFileSync(path.join(agent().window.workspace, 'text.txt'), 'of the command\n');
      await agent().page.locator('.view-line', { hasText: 'of the command' }).first().waitFor();
      await agent().command('Waymark: Go to Next Change of Agent');
      await agent()
        .page.locator('.statusbar-item', { hasText: /Ln 5\b/ })
        .waitFor();
      await agent().command('Waymark: Undo Change');
      await agent()
        .page.locator('.notifications-toasts', { hasText: 'Waymark undoes the change when the command ends' })
        .waitFor();
      await agent().window.screenshot('review-undo-later');
      assert.equal(agent().file('text.txt'), `${shouted}of the command\n`);
      fs.writeFileSync(go, '');
      await agent().reaches('finished');
      const left = `${shouted.replace('LINE 5\n', 'line 5\n')}of the command\n`;
      await until('undone after the end', () => agent().file('text.txt') === left);
    });

    it('are undone during a model request', async () => {
      let answer: () => void = () => undefined;
      const released = new Promise<void>((resolve) => {
        answer = resolve;
      });
      agent().model(toolCall('write_file', { path: 'made.txt', content: 'one\n' }), async () => {
        await released;
        return reply('Done.');
      });
      await agent().task('Make a file.');
      await until('the file', () => agent().file('made.txt') === 'one\n');
      await waits('1 file to review');
      await agent().command('Waymark: Undo All Changes');
      await until('it is gone', () => agent().file('made.txt') === undefined);
      answer();
      await until('the answer', () => agent().of('agent_response').at(-1)?.text === 'Done.');
    });
  });

  describe('changes in the diff editor, in a window', function () {
    this.timeout(180_000);
    startsAfresh();

    it('are undone at the cursor and by the buttons above the diff, even after a reload', async () => {
      const page = agent().page;
      const action = (words: string) => page.locator(`.editor-actions .action-label[aria-label^="${words}"]`).first();
      agent().model(
        run("sed -i 's/^line 5$/LINE 5/; s/^line 25$/LINE 25/' text.txt; echo b > other.txt"),
        finish('Done.'),
      );
      await agent().task('Shout.');
      await agent().reaches('finished');
      await agent().window.reload();
      await page.locator('.statusbar-item', { hasText: '2 files to review' }).waitFor({ timeout: 60_000 });
      const pane = page.locator('.pane', { has: page.locator('.pane-header', { hasText: 'Changes' }) });
      const openDiff = (name: string) =>
        until(`the diff of ${name}`, async () => {
          await agent().command('Waymark: Focus on Changes View');
          await pane.locator('.monaco-list-row', { hasText: name }).first().click();
          const tab = page.locator('.tab.active', { hasText: `${name} (changes of the agent)` });
          return tab.waitFor({ timeout: 5000 }).then(
            () => true,
            () => false,
          );
        });
      await openDiff('text.txt');
      await action('Undo Changes of File').waitFor();
      await page.locator('.monaco-diff-editor .editor.modified .view-line', { hasText: 'LINE 5' }).first().click();
      await agent().window.screenshot('review-diff-actions');
      await agent().command('Waymark: Undo Change');
      await until('the hunk undone', () => agent().file('text.txt') === shouted.replace('LINE 5\n', 'line 5\n'));
      await action('Undo Changes of File').click();
      await until('the file undone', () => agent().file('text.txt') === lines);
      assert.equal(agent().file('other.txt'), 'b\n');
      await openDiff('other.txt');
      await action('Keep Changes of File').click();
      await until(
        'nothing to review',
        async () => (await page.locator('.statusbar-item', { hasText: 'to review' }).count()) === 0,
      );
      assert.equal(agent().file('other.txt'), 'b\n');
    });
  });

  describe('reviewing by keyboard only, in a window', function () {
    this.timeout(180_000);
    startsAfresh();
    const git = (...args: string[]): string =>
      spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args], {
        cwd: agent().window.workspace,
        encoding: 'utf8',
      }).stdout;

    it('goes through the view, keeps and undoes changes, and writes a commit message', async function () {
      if (spawnSync('git', ['--version']).status !== 0) return this.skip();
      git('init', '-q');
      git('add', '.');
      git('commit', '-qm', 'first');
      const page = agent().page;
      const pane = page.locator('.pane', { has: page.locator('.pane-header', { hasText: 'Changes' }) });
      const focused = pane.locator('.monaco-list-row.focused');
      agent().model(
        toolCall('write_file', { path: 'made.txt', content: 'one\ntwo\n' }),
        run("sed -i 's/^line 5$/LINE 5/; s/^line 25$/LINE 25/' text.txt"),
        finish('Done.'),
      );
      await agent().task('Change files.');
      await agent().reaches('finished');
      await agent().view.getByTestId('review-list').waitFor();
      await agent().command('Waymark: Focus on Changes View');
      await pane.locator('.monaco-list-row').nth(1).waitFor();
      const isOn = (name: string) =>
        until(name, async () =>
          (
            await focused
              .first()
              .textContent({ timeout: 1000 })
              .catch(() => '')
          )?.includes(name),
        );
      await page.keyboard.press('Home');
      await isOn('made.txt');
      await page.keyboard.press('Alt+Enter');
      await until('made.txt kept', async () => (await pane.locator('.monaco-list-row').count()) === 1);
      await page.keyboard.press('Home');
      await isOn('text.txt');
      await page.keyboard.press('ArrowRight');
      await until('its two hunks', async () => (await pane.locator('.monaco-list-row').count()) === 3);
      await page.keyboard.press('ArrowDown');
      await isOn('line 5');
      await agent().window.screenshot('review-by-keyboard');
      await page.keyboard.press('Alt+Backspace');
      await until('the hunk undone', () => agent().file('text.txt') === shouted.replace('LINE 5\n', 'line 5\n'));
      assert.equal(agent().file('made.txt'), 'one\ntwo\n');

      agent().model(reply('Add a made file'));
      await agent().command('Waymark: Generate Commit Message for Kept Changes');
      await until('the words where it is', async () =>
        /Commit message (?:added|copied) to the/.test(await page.locator('.notifications-toasts').innerText()),
      );
      const asked = JSON.stringify(agent().server.requests.at(-1)!.body);
      assert.match(asked, /made\.txt/);
      assert.doesNotMatch(asked, /LINE 25/, 'only what was kept');
      await page.keyboard.press('Control+Shift+G');
      await page.locator('.scm-editor', { hasText: 'Add a made file' }).first().waitFor();
      await agent().window.screenshot('review-commit-message');
      assert.equal(git('log', '--oneline').trim().split('\n').length, 1, 'nothing is committed unasked');
    });
  });
});
