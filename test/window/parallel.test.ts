import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { Event, EventOf, EventType } from '../../src/protocol/events/event';
import { reply, toolCall, type Answering, type RecordedRequest } from '../support/modelServer';
import { finish, goOnFromEachOther, newestLog, run, until, useAgentWindow } from './support/agentWindow';

/** Holds an answer back until it is let go. */
function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

const lines = (fifth: string): string =>
  Array.from({ length: 9 }, (_, at) => `${at === 4 ? fifth : `line ${at + 1}`}\n`).join('');

describe('work beside the workspace, in a window', function () {
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
  const toast = (words: string) => page().locator('.notification-toast', { hasText: words });
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], {
      cwd: agent().window.workspace,
      encoding: 'utf8',
      stdio: 'pipe',
    });

  /** Writes a task in the composer and sends it, by keyboard; the log that begins. */
  async function say(words: string): Promise<string> {
    const before = newestLog(agent().window);
    await view().getByTestId('composer').focus();
    await page().keyboard.type(words);
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
  }

  it('says in the composer that a folder without Git has no worktrees', async () => {
    await agent().command('Waymark: New Session');
    assert.equal(await place().inputValue(), 'workspace');
    assert.match((await place().getAttribute('aria-label')) ?? '', /not in a Git repository/);
    const offered = await place().locator('option:not([disabled])').allTextContents();
    assert.deepEqual(offered, ['Workspace']);
  });

  it('lets a person choose by keyboard that a task works in a worktree; the choice outlives a reload', async () => {
    git('init', '-q');
    git('add', '-A');
    git('commit', '-qm', 'First.');
    await choose('worktree');
    await agent().window.reload();
    await agent().window.openConversation();
    await until('the choice after the reload', async () => (await place().inputValue()) === 'worktree');
    await agent().window.screenshot('composer-place');
    agent().model(run("sed -i 's/line 5/LINE 5/' text.txt"), finish('Did it.'));
    const log = await say('Shout.');
    const began = await inLog(log, 'task_started');
    assert.equal(began.worktree?.of, fs.realpathSync(agent().window.workspace));
    await inLog(log, 'finished');
    await view().getByTestId('in-worktree').waitFor();
    assert.equal(agent().file('text.txt'), lines('line 5'), 'the workspace is as it was');
    assert.equal(fs.readFileSync(path.join(began.cwd, 'text.txt'), 'utf8'), lines('LINE 5'));
  });

  it('opens the merge editor for a conflict at bring-back, and overwrites nothing', async () => {
    fs.writeFileSync(path.join(agent().window.workspace, 'text.txt'), lines('line five'));
    await agent().command('Waymark: Bring All Changes Back to Workspace');
    const told = toast('you and the agent changed the same lines');
    await told.waitFor();
    assert.equal(agent().file('text.txt'), lines('line five'));
    await told.locator('.monaco-button', { hasText: 'Open Merge Editor' }).click();
    await page().locator('.merge-editor').waitFor();
    await agent().window.screenshot('bring-back-merge');
    assert.equal(agent().file('text.txt'), lines('line five'), 'nothing is written before the person decides');
    await agent().command('View: Close All Editors');
    fs.writeFileSync(path.join(agent().window.workspace, 'text.txt'), lines('line 5'));
  });

  it('runs several tasks at once, each with its own folder, shell and approval', async () => {
    const risky = (name: string): Answering => run(`rm -rf old && pwd > ${name}`);
    const two = [gate(), gate()];
    const played = (number: number) => (request: RecordedRequest) => {
      const step = request.body.messages.filter(({ role }) => role === 'assistant').length;
      const answers = [risky(`${number}.txt`), finish(`Did ${number}.`)];
      return two[number]!.opened.then(() => answers[step] as never);
    };
    const byTask: Answering = (request) =>
      played(JSON.stringify(request.body.messages).includes('Task zero') ? 0 : 1)(request);
    agent().model(byTask, byTask, byTask, byTask);
    const logs: string[] = [];
    for (const words of ['Task zero.', 'Task one.']) {
      await choose('worktree');
      logs.push(await say(words));
    }
    await agent().command('Waymark: New Session');
    for (const each of two) each.open();
    for (const log of logs) await inLog(log, 'confirmation_requested');
    await page().locator('.statusbar-item', { hasText: '2 approvals' }).waitFor();
    // A person who looks elsewhere is told, and led there.
    await toast('"Task zero." waits for your approval.').waitFor();
    await agent().window.screenshot('approval-toast');
    await toast('"Task one." waits for your approval.').getByRole('button', { name: 'Show' }).click();
    await view().getByTestId('approval').waitFor();
    await agent().command('Waymark: Approve the Waiting Action');
    await inLog(logs[1]!, 'finished');
    assert.equal(
      eventsIn(logs[0]!).some(({ type }) => type === 'confirmation_resolved'),
      false,
      'the other one waits',
    );
    const [zero, one] = await Promise.all(logs.map((log) => inLog(log, 'task_started')));
    assert.notEqual(zero!.cwd, one!.cwd);
    assert.equal(fs.readFileSync(path.join(one!.cwd, '1.txt'), 'utf8').trim(), one!.cwd);
    assert.equal(fs.existsSync(path.join(zero!.cwd, '1.txt')), false);
    await agent().command('Waymark: Show the Waiting Action');
    await agent().command('Waymark: Approve the Waiting Action');
    await inLog(logs[0]!, 'finished');
    assert.equal(agent().file('1.txt'), undefined);
  });

  it('shows two results side by side', async () => {
    await agent().command('Waymark: Compare Results of Two Sessions…');
    const rows = page().locator('.quick-input-list .monaco-list-row');
    await rows.filter({ hasText: 'Task zero.' }).locator('input[type="checkbox"], .monaco-checkbox').first().click();
    await rows.filter({ hasText: 'Task one.' }).locator('input[type="checkbox"], .monaco-checkbox').first().click();
    await page().keyboard.press('Enter');
    await page().locator('.tab', { hasText: '↔' }).waitFor();
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

  it('tells a person who looks elsewhere of a question and of the end, and not where that is turned off', async () => {
    await agent().window.changeSettings({ 'waymark.notifications.question': false });
    await agent().window.openConversation();
    const held = [gate(), gate()];
    agent().model(
      () => held[0]!.opened.then(() => toolCall('ask_user', { question: 'Which one?' })),
      () => held[1]!.opened.then(() => reply('Chose it.')),
    );
    await agent().command('Waymark: New Session');
    const log = await say('Ask me.');
    await agent().command('Waymark: New Session');
    held[0]!.open();
    await inLog(log, 'question_asked');
    await view()
      .getByRole('button', { name: /Ask me\./ })
      .first()
      .click();
    await view().getByTestId('composer').fill('The first.');
    await page().keyboard.press('Enter');
    await inLog(log, 'observation');
    await agent().command('Waymark: New Session');
    held[1]!.open();
    await toast('"Ask me." has ended.').waitFor();
    assert.equal(await toast('waits for your answer').count(), 0, 'its setting is off');

    await agent().window.changeSettings({ 'waymark.notifications.question': true, 'waymark.notifications.end': false });
    await agent().window.openConversation();
    const last = gate();
    agent().model(reply('That is all.'), () =>
      last.opened.then(() => toolCall('ask_user', { question: 'Which one?' })),
    );
    await agent().command('Waymark: New Session');
    const other = await say('Ask me again.');
    await inLog(other, 'agent_response');
    await say2(other);
    await agent().command('Waymark: New Session');
    last.open();
    await toast('"Ask me again." waits for your answer.').waitFor();
    assert.equal(await toast('has ended').count(), 0, 'its setting is off');
  });

  /** Goes on with the session that is shown. */
  async function say2(log: string): Promise<void> {
    await view().getByTestId('composer').fill('Go on.');
    await page().keyboard.press('Enter');
    await inLog(log, 'user_message');
  }
});
