import { strict as assert } from 'node:assert';
import { reply, toolCall, type Answering } from '../../support/modelServer';
import { finish, goOnFromEachOther, run, until, useAgentWindow } from '../support/agentWindow';

const lines = Array.from({ length: 30 }, (_, at) => `line ${at + 1}\n`).join('');

const edit = (old_text: string, new_text: string) =>
  toolCall('edit_file', { path: 'text.txt', edits: [{ old_text, new_text }] });

describe('held edits', () => {
  /** One window for both suites. The first one leaves the files as they were. */
  const agent = useAgentWindow({
    files: { 'text.txt': lines },
    settings: { 'waymark.confirmation': 'never', 'waymark.edits.apply': 'afterReview' },
  });

  describe('held edits, in a window', function () {
    this.timeout(240_000);
    goOnFromEachOther(this);
    const page = () => agent().page;
    const pane = () => page().locator('.pane', { has: page().locator('.pane-header', { hasText: 'Changes' }) });
    const rows = () => pane().locator('.monaco-list-row');
    const rowsSay = (pattern: RegExp) =>
      until(String(pattern), async () => pattern.test((await rows().allTextContents()).join('\n')));
    /**
     * Moves by keyboard to the row that contains `words`. Repeats the keys, because an opening view may take the focus
     * once more.
     */
    const goTo = (words: string, ...keys: string[]) =>
      until(words, async () => {
        await agent().command('Waymark: Focus on Changes View');
        for (const key of keys) await page().keyboard.press(key);
        const row = pane().locator('.monaco-list-row.focused', { hasText: words });
        return row.waitFor({ timeout: 2000 }).then(
          () => true,
          () => false,
        );
      });

    it('change no file; the view, the panel, the status bar and the model show that', async () => {
      agent().model(
        toolCall('read_file', { path: 'text.txt' }),
        edit('line 4\nline 5\n', 'line 4\nLINE 5\n'),
        edit('line 25\n', 'LINE 25\n'),
        toolCall('write_file', { path: 'made.txt', content: 'one\ntwo\n' }),
        run('cat made.txt'),
        finish('Done.'),
      );
      await agent().task('Change files.');
      await agent().reaches('finished');
      assert.deepEqual([agent().file('text.txt'), agent().file('made.txt')], [lines, undefined]);
      const told = JSON.stringify(agent().server.requests.at(-1)!.body);
      assert.match(told, /Held back for review: text\.txt, made\.txt\. The file itself is unchanged/);
      assert.match(told, /so this ran on the files without these edits/);
      await agent().view.getByTestId('review-list').waitFor();
      await agent().command('Waymark: Focus on Changes View');
      await rowsSay(/made\.txt\+2 −0 · created · held back\n.*text\.txt\+2 −2 · held back/);
      await agent().window.setPanelWidth(300 + 48);
      for (const theme of ['light', 'high-contrast-dark', 'high-contrast-light', 'dark'] as const) {
        await agent().window.setTheme(theme);
        await agent().window.screenshot(`held-${theme}`);
      }
    });

    it('are shown as a diff, and applied and discarded by keyboard only', async () => {
      await goTo('text.txt', 'Home', 'ArrowDown');
      await page().keyboard.press('Enter');
      await page().locator('.tab.active', { hasText: 'text.txt (held back)' }).waitFor();
      await page().locator('.diff-editor, .monaco-diff-editor').first().waitFor();
      await page().getByText('LINE 5', { exact: false }).first().waitFor();
      await agent().window.screenshot('held-diff');
      // The opening diff may take the focus once more: repeat the keys until they reach the view.
      await until('its hunks', async () => {
        await agent().command('Waymark: Focus on Changes View');
        await page().keyboard.press('ArrowRight');
        return (await rows().count()) === 4;
      });
      await goTo('line 5', 'Home', 'ArrowDown', 'ArrowDown');
      await page().keyboard.press('Alt+Enter');
      await until('the hunk applied', () => agent().file('text.txt') === lines.replace('line 5\n', 'LINE 5\n'));
      await rowsSay(/text\.txt\+1 −1 · held back/);
      await agent().command('Waymark: Apply All Edits');
      await until('all applied', () => agent().file('made.txt') === 'one\ntwo\n');
      const applied = lines.replace('line 5\n', 'LINE 5\n').replace('line 25\n', 'LINE 25\n');
      await until('the text applied', () => agent().file('text.txt') === applied);
      await until('nothing waits', async () => (await rows().count()) === 0);
      const causes = agent()
        .of('feedback')
        .map(({ cause }) => cause);
      assert.deepEqual(causes, ['edits_applied', 'edits_applied']);
    });

    it('are restored with the files of a step after they were applied', async () => {
      await agent().command('Waymark: Restore Files to Step…');
      const picker = page().locator('.quick-input-widget:visible');
      await picker.locator('.monaco-list-row', { hasText: 'Before the first step' }).waitFor();
      await page().keyboard.type('Before the first');
      await page().keyboard.press('Enter');
      await agent().inDialog('Enter');
      await until('the files as they began', () => agent().file('made.txt') === undefined);
      await until('the text', () => agent().file('text.txt') === lines);
    });
  });

  describe('held edits of a subagent, in a window', function () {
    this.timeout(240_000);

    it('are in the list of its parent agent, belong to the parent’s step, and are restored with it', async () => {
      const page = agent().page;
      const pane = page.locator('.pane', { has: page.locator('.pane-header', { hasText: 'Changes' }) });
      const answer: Answering = ({ body }) => {
        const turn = body.messages.filter(({ role }) => role === 'assistant').length;
        const isWorker = body.messages.some(
          ({ role, content }) => role === 'user' && JSON.stringify(content).includes('Task of the worker.'),
        );
        if (isWorker) return turn === 0 ? edit('line 5\n', 'LINE 5\n') : reply('Shouted.');
        if (turn === 0) return toolCall('delegate', { tasks: [{ title: 'worker', task: 'Task of the worker.' }] });
        return turn === 1 ? toolCall('read_file', { path: 'text.txt' }) : finish('Done.');
      };
      agent().model(...Array.from({ length: 8 }, () => answer));
      const asked = agent().server.requests.length;
      await agent().task('Share it.');
      const isEnd = (body: object): boolean => /Held back for review: text\.txt/.test(JSON.stringify(body));
      await until('the agent told', () =>
        agent()
          .server.requests.slice(asked)
          .some(({ body }) => isEnd(body)),
      );
      await agent().view.getByTestId('finished').last().waitFor();
      assert.equal(agent().file('text.txt'), lines);
      await agent().command('Waymark: Focus on Changes View');
      const row = pane.locator('.monaco-list-row', { hasText: 'text.txt' });
      await until('the held edit', async () => /\+1 −1 · held back/.test(await row.first().innerText()));
      // A list that is redrawn meanwhile closes the hover.
      const hover = page.locator('.monaco-hover', { hasText: 'step 1: ' }).first();
      await until('the step in the hover of the row', async () => {
        await page.mouse.move(0, 0);
        await row.first().hover();
        return hover.waitFor({ timeout: 1500 }).then(
          () => true,
          () => false,
        );
      });
      await agent().window.screenshot('held-by-worker');
      await agent().command('Waymark: Apply All Edits');
      await until('the edit applied', () => agent().file('text.txt') === lines.replace('line 5\n', 'LINE 5\n'));
      await agent().command('Waymark: Restore Files to Step…');
      const picker = page.locator('.quick-input-widget:visible');
      await picker.locator('.monaco-list-row', { hasText: 'Before the first step' }).waitFor();
      await page.keyboard.type('Before the first');
      await page.keyboard.press('Enter');
      await agent().inDialog('Enter');
      await until('the text as it began', () => agent().file('text.txt') === lines);
    });
  });
});
