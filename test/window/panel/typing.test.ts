import { strict as assert } from 'node:assert';
import { finish, useSharedWindow } from '../support/agentWindow';

const words = 'the quick brown fox jumps over the lazy dog';

describe('typing while the window changes', function () {
  this.timeout(240_000);
  const agent = useSharedWindow('asking');
  const composer = () => agent().view.getByTestId('composer');
  const page = () => agent().page;

  before(async () => {
    await agent().window.openConversation();
    agent().model(finish('Done.'), finish('Done.'), finish('Done.'));
    for (const task of ['First task.', 'Second task.']) {
      await agent().task(task);
      await agent().finished();
    }
  });
  beforeEach(() => composer().fill(''));

  /** Notes the letters that reach the panel from now on. VS Code keeps earlier ones to itself. */
  const noteLetters = () =>
    composer().evaluate((box) => {
      const view = box.ownerDocument.defaultView as unknown as { reached: string } & EventTarget;
      view.reached = '';
      view.addEventListener('keydown', (event) => {
        const { key } = event as unknown as { readonly key: string };
        if (event.isTrusted && key.length === 1) view.reached += key;
      });
    });
  const reached = () =>
    composer().evaluate((box) => (box.ownerDocument.defaultView as unknown as { reached: string }).reached);

  it('loses no letter that reaches the panel after a new session', async () => {
    await composer().focus();
    await noteLetters();
    await agent().command('Waymark: New Session');
    await page().keyboard.type(words, { delay: 5 });
    assert.deepEqual([await reached(), await composer().inputValue()], [words, words]);
  });

  it('loses no letter and keeps the draft when another session is opened or a task is started', async () => {
    await composer().fill('My draft. ');
    await agent().command('Waymark: Open Session…');
    await agent().answer('First task');
    await agent().view.getByTestId('title').getByText('First task.').waitFor();
    assert.equal(await composer().inputValue(), 'My draft. ');
    await composer().press('End');
    await page().keyboard.type(words, { delay: 5 });
    await agent().task('Third task.');
    await agent().finished();
    assert.equal(await composer().inputValue(), `My draft. ${words}`);
  });
});
