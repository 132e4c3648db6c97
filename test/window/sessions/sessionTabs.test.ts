import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import type { FrameLocator, Page } from 'playwright-core';
import type { EventType } from '../../../src/protocol/events/event';
import { eventsIn } from '../../support/loggedEvents';
import type { Answering } from '../../support/modelServer';
import {
  alive,
  finish,
  goOnFromEachOther,
  newestLog,
  panelIn,
  pause,
  run,
  until,
  useAgentWindow,
} from '../support/agentWindow';
import { inLog } from '../support/tasksByKeyboard';

const tabOf = (page: Page, title: string): Promise<FrameLocator> => panelIn(page, 'tab', title);

const countIn = (log: string, type: EventType): number => eventsIn(log).filter((event) => event.type === type).length;

const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** The browser APIs used for pasting. */
interface Browser {
  readonly DataTransfer: new () => {
    setData(type: string, text: string): void;
    readonly items: { add(file: unknown): void };
  };
  readonly File: new (parts: readonly unknown[], name: string, options: { type: string }) => unknown;
  readonly ClipboardEvent: new (type: string, options: object) => globalThis.Event;
}

describe('a session in the editor area', function () {
  this.timeout(240_000);
  goOnFromEachOther(this);
  const agent = useAgentWindow({ size: { width: 1400, height: 800 } });
  const page = () => agent().page;
  const sidebar = () => panelIn(page(), 'side bar');
  const tab = (title: string) => page().locator('.tabs-container .tab', { hasText: title });
  const log = () => newestLog(agent().window)!;
  const logOf = (task: string): string => {
    const folder = path.join(agent().window.server.userData, 'User/globalStorage/waymark.waymark');
    return fs
      .readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('session.waymark.jsonl'))
      .map((name) => path.join(folder, name))
      .find((file) => eventsIn(file).some((event) => event.type === 'task_started' && event.task === task))!;
  };
  const risky = (name: string): Answering => run(`rm -rf old && echo ran >> ${name}.times`);

  it('opens from the palette while it waits, and can be approved there by key', async () => {
    agent().model(risky('a'), finish('Did a.'));
    await agent().task('Task a.');
    await (await sidebar()).getByTestId('approval').waitFor();
    await agent().command('Waymark: Open Session in Editor');
    const view = await tabOf(page(), 'Task a.');
    await tab('Task a.').waitFor();
    await view.getByTestId('approval').waitFor();
    await (await sidebar()).getByTestId('approval').waitFor();
    await agent().window.screenshot('tab-approval');
    await alive(view, 'run-once').focus();
    await page().keyboard.press('Alt+Enter');
    await agent().reaches('finished');
    assert.equal(agent().file('a.times'), 'ran\n');
    assert.equal(countIn(log(), 'confirmation_resolved'), 1);
    for (const place of [view, await sidebar()]) {
      await place.getByTestId('finished').waitFor();
      assert.equal(await place.getByTestId('approval').count(), 0, 'both show it as answered');
    }
    await agent().window.screenshot('tab-and-sidebar-same');
  });

  it('reappears as it was left; closing it keeps a pasted text but not a pasted picture', async () => {
    const view = await tabOf(page(), 'Task a.');
    const composer = view.getByTestId('composer');
    await view.getByTestId('step-row').first().click();
    const openRow = '[data-testid=step-row][aria-expanded=true]';
    await view.locator(openRow).waitFor();
    const paste = (what: { text?: string; picture?: string }): Promise<unknown> =>
      composer.evaluate((box, { text, picture: base64 }) => {
        const browser = globalThis as unknown as Browser;
        const data = new browser.DataTransfer();
        if (text !== undefined) data.setData('text/plain', text);
        if (base64 !== undefined) {
          const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
          data.items.add(new browser.File([bytes], 'a', { type: 'image/png' }));
        }
        const event = new browser.ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
        (box as unknown as EventTarget).dispatchEvent(event);
      }, what);
    await paste({ text: 'a line\n'.repeat(40) });
    await paste({ picture: dot });
    const chip = (place: FrameLocator) => place.getByTestId('paste-chip');
    const picture = (place: FrameLocator) => place.getByTestId('pictures').getByRole('listitem');
    await chip(view).waitFor();
    await picture(view).waitFor();
    await agent().keeps('a line');
    await agent().command('File: New Untitled Text File');
    await tab('Untitled').waitFor();
    await until(
      'the tab is not shown',
      async () => (await page().locator('.tab.active', { hasText: 'Task a.' }).count()) === 0,
    );
    await agent().command('View: Close Editor');
    const again = await tabOf(page(), 'Task a.');
    await again.locator(openRow).waitFor();
    await chip(again).waitFor();
    await picture(again).waitFor();
    await agent().window.screenshot('tab-shown-again');
    await agent().command('View: Close Editor');
    await tab('Task a.').waitFor({ state: 'detached' });
    await agent().command('Waymark: Open Session in Editor');
    const opened = await tabOf(page(), 'Task a.');
    await chip(opened).waitFor();
    assert.equal(await picture(opened).count(), 0, 'pictures live as long as their tab');
    await opened.locator('.paste-chip .icon-button').click();
    await chip(opened).waitFor({ state: 'detached' });
  });

  it('runs beside another one in the side bar, each with its own approval', async () => {
    const firstLog = log();
    agent().model(risky('b'));
    await agent().task('Task b.');
    const second = log();
    await (await sidebar()).getByTestId('approval').waitFor();
    const first = await tabOf(page(), 'Task a.');
    agent().model(risky('c'), finish('Did c.'));
    await first.getByTestId('composer').fill('Now do c.');
    await first.getByTestId('composer').press('Enter');
    await first.getByTestId('approval').waitFor();
    await agent().window.screenshot('tab-and-sidebar-two');
    await alive(first, 'run-once').waitFor();
    await first.getByTestId('composer').click();
    // The command applies to the tab the user works in, whatever the side bar shows. A tab in the background is shown
    // first.
    await agent().command('File: New Untitled Text File');
    await until(
      'the tab is covered',
      async () => (await page().locator('.tab.active', { hasText: 'Untitled' }).count()) > 0,
    );
    await agent().command('Waymark: Approve Pending Action');
    await (await tabOf(page(), 'Task a.')).getByTestId('approval').waitFor();
    await pause(300);
    for (const each of [firstLog, second])
      assert.equal(countIn(each, 'confirmation_resolved'), each === firstLog ? 1 : 0);
    await agent().command('Waymark: Approve Pending Action');
    await until('c is done', () => countIn(firstLog, 'finished') === 2);
    assert.equal(agent().file('c.times'), 'ran\n');
    assert.equal(countIn(second, 'confirmation_resolved'), 0, 'the other one waits');
    agent().model(finish('Did b.'));
    await (await sidebar()).getByTestId('composer').click();
    await agent().command('Waymark: Approve Pending Action');
    await inLog(second, 'finished');
    assert.equal(agent().file('b.times'), 'ran\n');
  });

  it('returns after a reload with its title and draft, and the side bar session does not move there', async () => {
    const first = await tabOf(page(), 'Task a.');
    await first.getByTestId('composer').fill('Half a thought');
    await (await sidebar()).getByTestId('composer').fill('Another thought');
    await agent().keeps('Half a thought');
    await agent().keeps('Another thought');
    // VS Code saves which editors are open every few seconds; a reload before that would forget the tab.
    await agent().keeps(String.raw`\"title\":\"Task a.\"`);
    await agent().window.reload();
    // VS Code may still consider the previous editor active for a moment.
    await tab('Task a.').click();
    const back = await tabOf(page(), 'Task a.');
    await until(
      'the draft is there',
      async () => (await back.getByTestId('composer').inputValue()) === 'Half a thought',
    );
    await until(
      'the draft of the side bar is there',
      async () => (await (await sidebar()).getByTestId('composer').inputValue()) === 'Another thought',
    );
    assert.equal((await (await sidebar()).locator('h1.title').textContent())?.trim(), 'Task b.');
  });

  it('keeps running when it is closed, and reopens with its draft', async () => {
    const view = await tabOf(page(), 'Task a.');
    agent().model(run('touch began; until [ -e go ]; do sleep 0.2; done'), finish('Went.'));
    await view.getByTestId('composer').fill('Wait for me.');
    await view.getByTestId('composer').press('Enter');
    await until('it runs', () => agent().file('began') !== undefined);
    const first = logOf('Task a.');
    await view.getByTestId('composer').fill('For later');
    await agent().keeps('For later');
    await agent().command('View: Close Editor');
    await tab('Task a.').waitFor({ state: 'detached' });
    fs.writeFileSync(path.join(agent().window.workspace, 'go'), '');
    await until('it ended', () => countIn(first, 'finished') === 3);
    await agent().command('Waymark: Focus on Sessions View');
    const row = page().locator('.pane', { hasText: 'Sessions' }).locator('.monaco-list-row', { hasText: 'Task a.' });
    await row.click({ button: 'right' });
    // A menu ignores clicks in the moment it opens.
    const item = page().getByRole('menuitem', { name: 'Open Session in Editor' });
    await until('the menu took the click', async () => {
      await item.click({ timeout: 2000 }).catch(() => undefined);
      return item.waitFor({ state: 'hidden', timeout: 500 }).then(
        () => true,
        () => false,
      );
    });
    const again = await tabOf(page(), 'Task a.');
    await until('the draft is there', async () => (await again.getByTestId('composer').inputValue()) === 'For later');
    await again.getByTestId('finished').last().waitFor();
  });

  it('is stopped by the command if its tab was used last; the button of the side bar stops its own session', async () => {
    const wait = (name: string): Answering => run(`touch ${name}; sleep 600`);
    const view = await tabOf(page(), 'Task a.');
    agent().model(wait('in-tab'));
    await view.getByTestId('composer').fill('Wait in the tab.');
    await view.getByTestId('composer').press('Enter');
    await until('it runs in the tab', () => agent().file('in-tab') !== undefined);
    agent().model(wait('in-side-bar'));
    await (await sidebar()).getByTestId('composer').fill('Wait in the side bar.');
    await (await sidebar()).getByTestId('composer').press('Enter');
    await until('it runs in the side bar', () => agent().file('in-side-bar') !== undefined);
    await view.getByTestId('composer').click();
    const stopped = (log: string): boolean =>
      eventsIn(log).some((event) => event.type === 'finished' && event.status === 'stopped');
    const header = page().locator('.pane-header', { hasText: 'Conversation' });
    await header.hover();
    await header.getByRole('button', { name: 'Stop', exact: true }).click();
    await until('the one in the side bar is stopped', () => stopped(logOf('Task b.')));
    assert.equal(stopped(logOf('Task a.')), false);
    // It has nothing to stop any more, although the session in the tab runs.
    await header.hover();
    await header.getByRole('button', { name: 'Stop', exact: true }).waitFor({ state: 'detached' });
    await header.getByRole('button', { name: /^Run Agent on Task/ }).waitFor();
    assert.equal(stopped(logOf('Task a.')), false);
    await view.getByTestId('composer').click();
    await agent().command('Waymark: Stop');
    await until('the one in the tab is stopped', () => stopped(logOf('Task a.')));
  });

  it('can be moved to its own window and used there', async () => {
    await (await sidebar()).getByTestId('composer').click();
    const opened = page().context().waitForEvent('page');
    await agent().command('Waymark: Open Session in New Window');
    const other = await opened;
    const view = await tabOf(other, 'Task b.');
    await other.setViewportSize({ width: 700, height: 600 });
    agent().model(risky('d'), finish('Did d.'));
    await view.getByTestId('composer').fill('Do d.');
    await view.getByTestId('composer').press('Enter');
    await view.getByTestId('approval').waitFor();
    await alive(view, 'run-once').waitFor();
    await other.screenshot({ path: path.join(process.env.REPOSITORY!, 'out/shots/tab-window.png') });
    await view.getByTestId('composer').click();
    await other.keyboard.press('Alt+Enter');
    await until('d ran', () => agent().file('d.times'));
    await other.close();
  });

  it('can start in a new tab, which takes its title', async () => {
    agent().model(finish('Did e.'));
    await agent().command('Waymark: New Session in Editor');
    const empty = await tabOf(page(), 'New session');
    await agent().window.screenshot('tab-new');
    await empty.getByTestId('composer').fill('Task e.');
    await empty.getByTestId('composer').press('Enter');
    await tab('Task e.').waitFor();
    const view = await tabOf(page(), 'Task e.');
    await view.getByTestId('finished').waitFor();
    assert.equal((await (await sidebar()).locator('h1.title').textContent())?.trim(), 'Task b.');
    for (const theme of ['light', 'high-contrast-dark', 'high-contrast-light'] as const) {
      await agent().window.setTheme(theme);
      await agent().window.screenshot(`tab-${theme}`);
    }
    await agent().window.setTheme('dark');
    await agent().command('View: Split Editor Right');
    await agent().window.screenshot('tab-split');
  });
});
