import { strict as assert } from 'node:assert';
import { toolCall, type Answering } from '../../support/modelServer';
import { eventsIn } from '../../support/loggedEvents';
import { finish, goOnFromEachOther, newestLog, until, useAgentWindow } from '../support/agentWindow';
import { inLog, tasksByKeyboard } from '../support/tasksByKeyboard';

const lines = (fifth: string): string =>
  Array.from({ length: 9 }, (_, at) => `${at === 4 ? fifth : `line ${at + 1}`}\n`).join('');

describe('several results of one task, in a window', function () {
  this.timeout(240_000);
  goOnFromEachOther(this);
  const agent = useAgentWindow({
    files: { 'text.txt': lines('line 5') },
    settings: {
      'waymark.notifications.approval': true,
      'waymark.notifications.question': true,
      'waymark.notifications.end': true,
    },
  });
  const page = () => agent().page;
  const view = () => agent().view;
  const { git, say, choose } = tasksByKeyboard(agent);

  before(() => {
    git('init', '-q');
    git('add', '-A');
    git('commit', '-qm', 'First.');
  });

  it('shows two results side by side', async () => {
    for (const words of ['Task zero.', 'Task one.']) {
      agent().model(toolCall('write_file', { path: 'of.txt', content: words }), finish('Did it.'));
      await choose('worktree');
      await inLog(await say(words), 'finished');
    }
    await agent().command('Waymark: Compare Results of Two Sessions…');
    await page().locator('.tab', { hasText: '↔' }).waitFor();
    for (const words of ['Task zero.', 'Task one.'])
      await page().locator('.multiDiffEditor .view-line', { hasText: words }).first().waitFor();
    await agent().window.screenshot('compare-results');
    await agent().command('View: Close All Editors');
  });

  it('works on a task several times, and says which result was chosen and why', async () => {
    let begun = 0;
    const candidate: Answering = (request) => {
      const { messages } = request.body;
      const hasBegun = messages.some(({ role }) => role === 'assistant');
      return hasBegun ? finish('Did it.') : toolCall('write_file', { path: 'sum.txt', content: `${3 + begun++}\n` });
    };
    agent().model(candidate, candidate, candidate, candidate);
    await choose('best_of');
    const before = newestLog(agent().window);
    await view().getByTestId('composer').focus();
    await page().keyboard.type('Write the sum of 2 and 2.');
    await page().keyboard.press('Enter');
    const box = page().locator('.quick-input-widget input[type="text"]').first();
    await page().locator('.quick-input-list .monaco-list-row', { hasText: '2 candidates' }).waitFor();
    await page().keyboard.press('Enter');
    await until('the box for the check', async () => (await box.getAttribute('placeholder')) === 'npm test');
    await page().keyboard.type('grep -q 4 sum.txt');
    await page().keyboard.press('Enter');
    const told = page().locator('.notification-toast', { hasText: /Candidate \d of 2 won/ });
    await told.waitFor({ timeout: 120_000 });
    await agent().window.screenshot('best-of');
    assert.notEqual(newestLog(agent().window), before);
    const notice = eventsIn(newestLog(agent().window)!).find((event) => event.type === 'notice' && event.compared);
    assert.ok(notice?.type === 'notice' && notice.compared);
    assert.equal(notice.compared.by, 'check');
    assert.equal(agent().file('sum.txt'), undefined, 'nothing is brought back unasked');
    await told.getByRole('button', { name: 'Show Changes' }).click();
    await page().locator('.monaco-list-row', { hasText: 'sum.txt' }).first().waitFor();
    await agent().command('Waymark: Bring All Changes Back to Workspace');
    await until('the winner comes back', () => agent().file('sum.txt') === '4\n');
  });
});
