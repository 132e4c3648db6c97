import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { toolCall } from '../../support/modelServer';
import { finish, goOnFromEachOther, run, until, useSharedWindow } from '../support/agentWindow';

const lines = Array.from({ length: 30 }, (_, at) => `line ${at + 1}\n`).join('');
const ask = (question: string) => toolCall('ask_user', { question, choices: ['The first', 'The second'] });

describe('the window by keyboard alone', function () {
  this.timeout(240_000);
  goOnFromEachOther(this);
  const agent = useSharedWindow('asking', { files: { 'text.txt': lines } });
  const page = () => agent().page;
  const view = () => agent().view;
  const press = (key: string): Promise<void> => page().keyboard.press(key);
  const type = (words: string): Promise<void> => page().keyboard.type(words);

  /** What has the focus: an element of the panel or the inspector, by its test ID, or one of VS Code, by its classes. */
  async function focus(): Promise<string> {
    for (const frame of page().frames()) {
      const found = (await frame
        .evaluate(
          `(one => !document.hasFocus() || one.tagName === 'IFRAME' ? '' : one.dataset.testid ?? one.tagName + ' ' + one.className)(document.activeElement)`,
        )
        .catch(() => '')) as string;
      if (found !== '') return found;
    }
    return 'nothing';
  }
  const focusIs = (wanted: string): Promise<unknown> =>
    until(`the focus on ${wanted}`, async () => (await focus()) === wanted, 20).catch(async (error: Error) => {
      throw new Error(`${error.message}; it is on ${await focus()}`);
    });
  /** Presses a key until the focus is on an element. */
  async function goTo(wanted: string, key: string): Promise<void> {
    for (let steps = 0; steps < 30 && (await focus()) !== wanted; steps++) await press(key);
    await focusIs(wanted);
  }

  before(() => agent().window.openConversation());

  it('refuses with a message from the composer and from the card', async () => {
    await agent().command('Waymark: Write a Message');
    await focusIs('composer');
    agent().model(
      run('rm -rf one'),
      run('rm -rf two'),
      ask('Which one?'),
      ask('Which one now?'),
      run('until [ -e go ]; do sleep 0.2; done'),
      finish('Done.'),
    );
    await type('Clean up.');
    await press('Enter');
    await agent().reaches('confirmation_requested');
    await type('Leave one.');
    await view().locator('[data-testid=refuse-with-draft][aria-disabled=false]').waitFor();
    await goTo('refuse-with-draft', 'Tab');
    await press('Enter');
    await agent().reaches('confirmation_requested', 2);
    await focusIs('composer');

    await agent().command('Waymark: Show Pending Action');
    await focusIs('card-confirmation_requested');
    await goTo('more-answers', 'Tab');
    await press('Enter');
    await focusIs('refuse-note');
    await view().locator('[data-testid=refuse-note][aria-disabled=false]').waitFor();
    await press('Enter');
    await view().locator('.note-form textarea:focus').waitFor();
    await type('Leave two.');
    await press('Enter');
    await agent().reaches('question_asked');
    await focusIs('card-observation');
    assert.deepEqual(
      agent()
        .of('confirmation_resolved')
        .map(({ approved, comment }) => [approved, comment]),
      [
        [false, 'Leave one.'],
        [false, 'Leave two.'],
      ],
    );
  });

  it('answers questions in the composer and by a choice', async () => {
    await view().getByTestId('question-choice').first().waitFor();
    await agent().command('Waymark: Write a Message');
    await focusIs('composer');
    await type('Neither.');
    await press('Enter');
    await agent().reaches('question_asked', 2);
    await focusIs('composer');
    await until('the choices', async () => (await view().getByTestId('question-choice').count()) === 2);
    await goTo('question-choice', 'Shift+Tab');
    await press('Enter');
    await agent().reaches('action_started');
    await focusIs('card-question_asked');
    const answers = agent()
      .of('observation')
      .flatMap(({ details }) => (details?.kind === 'answer' ? [details.text] : []));
    assert.deepEqual(answers, ['Neither.', 'The second']);
  });

  it('queues messages and removes them', async () => {
    await agent().command('Waymark: Write a Message');
    await focusIs('composer');
    for (const words of ['First thing.', 'Second thing.']) {
      await type(words);
      await press('Enter');
      await view().getByTestId('queued-message').filter({ hasText: words }).waitFor();
    }
    await goTo('queue-takeBack', 'Shift+Tab');
    await press('Enter');
    await focusIs('queued-message');
    await goTo('queue-takeBack', 'Tab');
    await press('Enter');
    await focusIs('composer');
    assert.equal(await view().getByTestId('queued-message').count(), 0);
    fs.writeFileSync(path.join(agent().window.workspace, 'go'), '');
    await agent().finished();
    await focusIs('composer');
  });

  it('opens the list of models and returns to the panel', async () => {
    await goTo('model', 'Shift+Tab');
    await press('Enter');
    await focusIs('INPUT input empty');
    await press('Escape');
    await focusIs('composer');
  });

  it('renames the session and returns to its title', async () => {
    await goTo('title', 'Shift+Tab');
    await press('Enter');
    await focusIs('title-input');
    // VS Code selects all with a delay, in which letters would be lost.
    await press('End');
    await press('Shift+Home');
    await type('Cleaned up');
    await press('Enter');
    await focusIs('title');
    await view().getByTestId('title').getByText('Cleaned up').waitFor();
  });

  it('opens a call and the inspector, closes it and comes back', async () => {
    await agent().command('Waymark: Write a Message');
    await focusIs('composer');
    await goTo('card-finished', 'Shift+Tab');
    await press('k');
    await focusIs('card-observation');
    await press('Enter');
    await goTo('call', 'Tab');
    await press('Enter');
    await view().getByTestId('inspect').waitFor();
    await goTo('inspect', 'Tab');
    await press('Enter');
    await agent().window.inspector().getByTestId('row').first().waitFor();
    await focusIs('row');
    await agent().command('View: Close Editor');
    await until('no inspector', async () => (await page().locator('.tab', { hasText: 'Waymark' }).count()) === 0);
    await press('Control+Alt+w');
    await focusIs('composer');
  });

  it('undoes one of two hunks in the list of changes', async () => {
    const changed = lines.replace('line 5\n', 'LINE 5\n').replace('line 25\n', 'LINE 25\n');
    agent().model(run("sed -i 's/^line 5$/LINE 5/; s/^line 25$/LINE 25/' text.txt"), finish('Changed.'));
    await type('Change the text.');
    await press('Enter');
    const asked = await until(
      'a question or the change',
      () => agent().of('confirmation_requested')[2] ?? agent().file('text.txt') === changed,
    );
    if (asked !== true) await agent().command('Waymark: Approve Pending Action');
    await until('the change', () => agent().file('text.txt') === changed);
    await until('the end', () => agent().of('finished').length === 2);
    await agent().command('Waymark: Focus on Changes View');
    const list = page().locator('.pane', { has: page().locator('.pane-header', { hasText: 'Changes' }) });
    const focused = () =>
      list
        .locator('.monaco-list-row.focused')
        .first()
        .textContent({ timeout: 500 })
        .catch(() => '');
    await list.locator('.monaco-list-row', { hasText: 'text.txt' }).waitFor();
    await until('the file', async () => {
      await press('ArrowDown');
      return (await focused())?.includes('text.txt');
    });
    await press('ArrowRight');
    await until('two hunks', async () => (await list.locator('.monaco-list-row', { hasText: /line/i }).count()) >= 2);
    await press('ArrowDown');
    await press('Alt+Backspace');
    await until('one hunk is undone', () => agent().file('text.txt') === lines.replace('line 25\n', 'LINE 25\n'));
    await until('the focus stays in the list', async () => (await focus()).includes('monaco-list'));
  });
});
