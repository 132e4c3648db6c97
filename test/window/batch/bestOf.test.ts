import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import type { Event, EventOf, EventType } from '../../../src/protocol/events/event';
import { toolCall, type Answering } from '../../support/modelServer';
import { finish, goOnFromEachOther, newestLog, until, useAgentWindow } from '../support/agentWindow';

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
  const place = () => view().getByTestId('place');
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], {
      cwd: agent().window.workspace,
      encoding: 'utf8',
      stdio: 'pipe',
    });

  /** Writes a task in the composer and sends it, by keyboard; the log that begins. */
  async function say(words: string): Promise<string> {
    const before = newestLog(agent().window);
    const composer = view().getByTestId('composer');
    // What a new session draws may take the focus once more, and the first letters with it.
    await until(`"${words}" in the message`, async () => {
      await composer.fill('');
      await composer.focus();
      await page().keyboard.type(words);
      return (await composer.inputValue()) === words;
    });
    await page().keyboard.press('Enter');
    return until('a new log', () => {
      const log = newestLog(agent().window);
      return log !== before && log;
    });
  }

  const eventsIn = (log: string): Event[] =>
    fs
      .readFileSync(log, 'utf8')
      .split('\n')
      .slice(1, -1)
      .map((line) => JSON.parse(line) as Event);
  const inLog = <Type extends EventType>(log: string, type: Type): Promise<EventOf<Type>> =>
    until(`${type} in ${log}`, () => eventsIn(log).find((event): event is EventOf<Type> => event.type === type));

  /** Chooses by the keyboard where the next task works. */
  async function choose(chosen: string): Promise<void> {
    await agent().command('Waymark: New Session');
    await until(`${chosen} is chosen`, async () => {
      await place().focus();
      await page().keyboard.press('ArrowDown');
      return (await place().inputValue()) === chosen;
    });
    // The window has heard of it when it says so itself.
    const words = await place().locator('option:checked').textContent();
    await until(`the window knows of ${chosen}`, async () =>
      (await place().getAttribute('title'))?.endsWith(words ?? '?'),
    );
  }

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

  it('works on a task several times, and says which result won and why', async () => {
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
