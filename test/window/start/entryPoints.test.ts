import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { entersInQuickInput, finish, newestLog, until, useAgentWindow } from '../support/agentWindow';

const files = {
  'src/add.js': 'export function add(a, b) {\n  return a - b;\n}\n',
  'src/add.test.js': "import { add } from './add.js';\n\ntest('adds', () => {\n  expect(add(1, 2)).toBe(3);\n});\n",
  'notes.txt': 'Ferries leave at nine.\n',
};

describe('starting a task from elsewhere in VS Code', function () {
  this.timeout(240_000);
  const agent = useAgentWindow({
    files,
    extensions: ['test/window/extensions/waymark-test.finder-0.0.1'],
    settings: { 'terminal.integrated.rightClickBehavior': 'default' },
    size: { width: 1400, height: 900 },
  });
  const byId = (id: string) => agent().view.getByTestId(id);

  /** Opens the context menu of `place` and navigates to the entry with the last name. */
  const choose = async (place: () => Locator, ...names: string[]): Promise<void> => {
    const { page } = agent();
    const menus = page.locator('.monaco-menu');
    const entry = (name: string): Locator =>
      menus.locator('.action-label', { hasText: new RegExp(`^${name}$`) }).last();
    await until(`${names.join(' > ')} in the menu`, async () => {
      if ((await menus.count()) === 0)
        await place()
          .click({ button: 'right', timeout: 5000 })
          .catch(() => undefined);
      for (const name of names) {
        const isThere = await entry(name)
          .waitFor({ timeout: 3000 })
          .then(
            () => true,
            () => false,
          );
        if (!isThere) {
          await page.keyboard.press('Escape');
          return false;
        }
        // A menu ignores clicks right after opening; it stays open and is clicked again.
        await entry(name)
          .click({ timeout: 3000 })
          .catch(() => undefined);
      }
      // The menu closes with a delay, and must not be reopened meanwhile.
      return menus
        .first()
        .waitFor({ state: 'detached', timeout: 5000 })
        .then(
          () => true,
          () => false,
        );
    });
  };

  /** The task of the session that `act` starts. */
  const taskBegunBy = async (act: () => Promise<void>) => {
    const before = newestLog(agent().window);
    agent().model(finish('Seen.'));
    await act();
    await until('a new session', () => newestLog(agent().window) !== before);
    const started = await agent().reaches('task_started');
    await agent().reaches('finished');
    return { task: started.task, sources: started.context?.map(({ source }) => source) ?? [] };
  };

  const openFile = async (name: string): Promise<void> => {
    const { page } = agent();
    const input = page.locator('.quick-input-widget input[type="text"]').first();
    const row = page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first();
    // Anything that takes the focus in that moment closes the palette.
    await until(`${name} in the palette`, async () => {
      await page.keyboard.press('F1');
      return input
        .fill(name, { timeout: 3000 })
        .then(() => row.waitFor({ timeout: 5000 }))
        .then(
          () => entersInQuickInput(page),
          () => false,
        );
    });
    await page.locator('.tab.active', { hasText: name }).waitFor();
    await page.locator('.editor-instance .view-line').first().waitFor();
  };

  const lineOf = (words: string): (() => Locator) => {
    const { page } = agent();
    return () => page.locator('.editor-instance .view-line', { hasText: words }).first();
  };

  it('works from the editor menu: explain, and fix the problems of the file', async () => {
    await agent().window.openConversation();
    await openFile('add.js');
    const explained = await taskBegunBy(() => choose(lineOf('return'), 'Waymark', 'Explain'));
    assert.deepEqual(explained, { task: 'Explain @src/add.js.', sources: ['src/add.js'] });
    await page().locator('.squiggly-error').first().waitFor();
    const fixed = await taskBegunBy(() => choose(lineOf('return'), 'Waymark', 'Fix Problems'));
    assert.equal(fixed.task, 'Fix the problems in @src/add.js: @problems:src/add.js');
    assert.ok(agent().server.requests.at(-1)!.text.includes('It subtracts.'));
  });

  it('works from a problem: a quick fix fixes or explains it', async () => {
    const quickFix = async (name: string): Promise<void> => {
      const row = page().locator('.action-widget .monaco-list-row', { hasText: name });
      await until(`${name} among the quick fixes`, async () => {
        await lineOf('return')().click({ timeout: 5000 });
        await page().keyboard.press('Control+.');
        return row.waitFor({ timeout: 3000 }).then(
          () => true,
          () => false,
        );
      });
      await row.click();
    };
    const fixed = await taskBegunBy(() => quickFix('Fix with Waymark'));
    assert.equal(fixed.task, 'Fix the problem in @src/add.js:2. It is among these: @problems:src/add.js');
    const explained = await taskBegunBy(() => quickFix('Explain with Waymark'));
    assert.equal(explained.task, 'Explain the problem in @src/add.js:2. It is among these: @problems:src/add.js');
  });

  it('works with the selected text in the editor, by a key', async () => {
    await agent().command('Waymark: New Session');
    await lineOf('return')().click();
    await page().keyboard.press('Control+A');
    await page().keyboard.press('Control+Alt+Shift+W');
    await until('the selection in the message', async () => (await words()).startsWith('@src/add.js:1-'));
    await byId('composer').fill('');
  });

  it('from the Explorer adds a file to the message without sending it', async () => {
    const before = newestLog(agent().window);
    await agent().command('Waymark: New Session');
    await page().keyboard.type('Read');
    await until('the typed word', async () => (await words()) === 'Read');
    await agent().command('Explorer: Focus on Folders View');
    const row = (): Locator => page().locator('.explorer-folders-view .monaco-list-row', { hasText: 'notes.txt' });
    await choose(row, 'Add to Conversation');
    await until('the file in the message', async () => (await words()) === 'Read @notes.txt ');
    assert.equal(newestLog(agent().window), before);
    await byId('composer').fill('');
  });

  it('works from the terminal: its output is explained', async () => {
    await agent().command('Terminal: Create New Terminal');
    const rows = page().locator('.terminal-wrapper.active .xterm-rows');
    await rows.waitFor();
    await until('the prompt', async () => (await rows.innerText()).trim() !== '');
    await page().keyboard.type('echo $((6 * 7))ferries');
    await page().keyboard.press('Enter');
    await until('what it printed', async () => (await rows.innerText()).includes('42ferries'));
    const screen = (): Locator => page().locator('.terminal-wrapper.active .xterm-screen');
    const explained = await taskBegunBy(() => choose(screen, 'Explain Terminal Output'));
    assert.equal(explained.task, 'Explain the output of the terminal: @terminal');
  });

  it('works from a change in source control', async () => {
    const { workspace } = agent().window;
    const git = (...args: string[]): void => {
      execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], { cwd: workspace });
    };
    git('init', '--quiet');
    git('add', '.');
    git('commit', '--quiet', '-m', 'Begin');
    fs.writeFileSync(path.join(workspace, 'notes.txt'), 'Ferries leave at ten.\n');
    await agent().window.reload();
    // The whole item: as soon as the change is counted, a badge covers the link.
    await page().locator('.activitybar .action-item:has(a[aria-label^="Source Control"])').click();
    const row = (): Locator => page().locator('.scm-view .monaco-list-row', { hasText: 'notes.txt' }).first();
    const explained = await taskBegunBy(() => choose(row, 'Explain Change'));
    assert.equal(explained.task, 'Explain what changed in @notes.txt: @git:diff');
    assert.ok(agent().server.requests.at(-1)!.text.includes('+Ferries leave at ten.'));
  });

  it('works from a failed test', async () => {
    await agent().command('Testing: Focus on Test Explorer View');
    const row = (): Locator => page().locator('.test-explorer .monaco-list-row', { hasText: 'adds two numbers' });
    const begun = await taskBegunBy(() => choose(row, 'Fix with Waymark'));
    assert.deepEqual(begun, {
      task: 'Run the test in @src/add.test.js:3-5. If it fails, fix what it shows, and run it again.',
      sources: ['src/add.test.js'],
    });
  });

  const page = () => agent().page;
  const words = (): Promise<string> => byId('composer').inputValue();
});
