import { strict as assert } from 'node:assert';
import { toolCall, type Answering } from '../../support/modelServer';
import { finish, goOnFromEachOther, pause, run, until, useAgentWindow } from '../support/agentWindow';

const asks = toolCall('ask_user', { question: 'Which colour?', choices: ['red', 'blue'] });
const deletes = run('rm -rf old && echo gone');

/** A user who looks at another session is notified about this one. Each kind of notification can be turned off. */
describe('notifications of a hidden session, in a window', function () {
  this.timeout(240_000);
  goOnFromEachOther(this);
  const agent = useAgentWindow({
    settings: {
      'waymark.notifications.approval': true,
      'waymark.notifications.question': true,
      'waymark.notifications.end': true,
    },
  });
  const page = () => agent().page;
  const toast = (words: string) => page().locator('.notification-toast', { hasText: words });
  /** The badge count of Waymark's icon. */
  const badges = () =>
    page()
      .locator('.activitybar .action-item', { has: page().locator('a[aria-label^="Waymark"]') })
      .locator('.badge-content')
      .allInnerTexts();
  const question = () => agent().view.getByTestId('question');
  /** Each gives an answer of the model that is held back until the user looks at another session. */
  const heldBack: (() => void)[] = [];
  const held =
    (answer: object): Answering =>
    () =>
      new Promise<never>((resolve) => heldBack.push(() => resolve(answer as never)));

  /** Opens a new session; the model of the other one then answers. */
  async function lookElsewhere(): Promise<void> {
    await until('the request', () => heldBack.length > 0);
    await agent().command('Waymark: New Session');
    await agent().view.getByTestId('card-task_started').first().waitFor({ state: 'detached' });
    heldBack.shift()!();
  }

  /**
   * Waits until the window has handled what another session waits for, after it has announced it: otherwise, looking at
   * that session immediately could make the announcement unnecessary.
   */
  const isCounted = (): Promise<unknown> =>
    until('the icon of Waymark says that a session waits', async () => (await badges()).includes('1'));

  /** Returns to a session by its row in the list. */
  async function lookAt(title: string): Promise<void> {
    await agent().command('Waymark: Focus on Sessions View');
    const pane = page().locator('.pane', { has: page().locator('.pane-header', { hasText: 'Sessions' }) });
    await pane.locator('.monaco-list-row', { hasText: title }).first().click();
    await agent().view.getByText(title).first().waitFor();
  }

  it('report a question, lead to it, and the answer reaches the agent', async () => {
    agent().model(held(asks), finish('Blue it is.'));
    await agent().task('Paint.');
    await lookElsewhere();
    await toast('“Paint.” waits for your answer.').waitFor();
    await isCounted();
    await agent().window.screenshot('question-toast');
    await toast('“Paint.” waits for your answer.').getByRole('button', { name: 'Show' }).click();
    await question().waitFor();
    await agent().view.getByTestId('question-choice').filter({ hasText: 'blue' }).click();
    await agent().reaches('finished');
    assert.match(String(agent().server.requests.at(-1)!.body.messages.at(-1)!.content), /blue/);
    await until('nothing waits', async () => (await badges()).every((count) => count === ''));
    await until('no toast is left', async () => (await page().locator('.notification-toast').count()) === 0);
  });

  for (const wanted of ['approval', 'question', 'end'] as const) {
    it(`can be limited: with ${wanted} alone, nothing else is reported`, async () => {
      const kinds = ['approval', 'question', 'end'];
      await agent().window.changeSettings(
        Object.fromEntries(kinds.map((kind) => [`waymark.notifications.${kind}`, kind === wanted])),
      );
      const shown = await recordToasts();
      const title = `Paint with ${wanted}.`;
      agent().model(held(asks), held(deletes), held(finish('Painted.')));
      await agent().task(title);
      await lookElsewhere();
      await agent().reaches('question_asked');
      await isCounted();
      await lookAt(title);
      await agent().view.getByTestId('question-choice').filter({ hasText: 'blue' }).click();
      await agent().reaches('observation');
      await lookElsewhere();
      await agent().reaches('confirmation_requested');
      await isCounted();
      await lookAt(title);
      await agent().view.getByTestId('approval').waitFor();
      await agent().command('Waymark: Approve Pending Action');
      await agent().reaches('observation', 2);
      await lookElsewhere();
      await agent().reaches('finished');
      const words = {
        approval: `“${title}” waits for your approval.`,
        question: `“${title}” waits for your answer.`,
        end: `“${title}” has ended.`,
      };
      const told = async () => {
        const texts = await shown();
        return Object.values(words).filter((each) => texts.some((text) => text.includes(each)));
      };
      await until(`the toast of ${wanted}`, async () => (await told()).includes(words[wanted]));
      await pause(500);
      assert.deepEqual(await told(), [words[wanted]]);
    });
  }

  /** Records the text of every toast from this point on, including those that disappear by themselves. */
  async function recordToasts(): Promise<() => Promise<string[]>> {
    const body = page().locator('body');
    await body.evaluate((element) => {
      const kept = new Set<string>();
      Object.assign(globalThis, { shownToasts: kept });
      const look = (): void => {
        for (const each of element.querySelectorAll('.notification-toast')) kept.add(String(each.textContent));
      };
      const watch = new element.ownerDocument.defaultView!.MutationObserver(look);
      watch.observe(element, { childList: true, subtree: true, characterData: true });
    });
    return () => page().evaluate(() => [...(globalThis as never as { shownToasts: Set<string> }).shownToasts]);
  }
});
