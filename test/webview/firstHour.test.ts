import assert from 'node:assert/strict';
import { action, command, facts, log, observed, page, reply, started, task } from './support/events';
import { usePanel } from './support/usePanel';
import { scenes } from './gallery/scenes';

const long = Array.from({ length: 30 }, (_, index) => [
  reply(`Paragraph ${index}\n\nMore words.\n\nAnd more.`, []),
]).flat();

describe('what a newcomer meets', function () {
  const { site, panel, byId } = usePanel(this);

  it('shows a message that is sent while the person had scrolled up', async () => {
    const events = log(task('Count.'), ...long);
    await panel().send(page(events, { running: true, status: 'ready' }));
    await panel().page.mouse.move(200, 300);
    // The list is still being measured at first, and keeps to its end meanwhile.
    for (let turn = 0; turn < 100 && (await byId('jump-latest').count()) === 0; turn++) {
      await panel().page.mouse.wheel(0, -1500);
      await panel().page.waitForTimeout(100);
    }
    await byId('jump-latest').waitFor();
    await byId('composer').fill('And the last one?');
    await byId('send').click();
    const said = { type: 'user_message' as const, text: 'And the last one?', seq: events.length, at: 0 };
    const running = facts({ running: true, status: 'ready' });
    await panel().send({ type: 'events', from: events.length, events: [said], facts: running });
    const inView = (): Promise<boolean> =>
      panel()
        .page.getByTestId('card-user_message')
        .evaluate(
          (one) =>
            one.getBoundingClientRect().bottom <= document.querySelector('.feed')!.getBoundingClientRect().bottom + 1,
        );
    await panel().page.getByTestId('card-user_message').waitFor();
    assert.equal(await inView(), true);
  });

  it('puts the new limits of a run that reached its own before what was done, so that they are in sight', async () => {
    const low = await site().open({ width: 400, height: 500 });
    await low.send(...scenes['limit-reached']!.messages);
    const order = await low.page
      .getByTestId('finished')
      .evaluate((one) =>
        [...one.querySelectorAll('[data-testid="limit-form"], h4, .used')].map(
          (part) => part.className || part.tagName,
        ),
      );
    assert.equal(order[0], 'limit-form');
    const bottom = await low.page.getByTestId('go-on').evaluate((one) => one.getBoundingClientRect().bottom);
    const feed = await low.page.locator('.feed').evaluate((one) => one.getBoundingClientRect().bottom);
    assert.ok(bottom <= feed, `the button ends at ${bottom}, the feed at ${feed}`);
    await low.page.close();
  });

  it('opens a step of the plan as a list, not as the arguments of a call', async () => {
    const items = [
      { text: 'Read', state: 'done' as const },
      { text: 'Repair', state: 'active' as const },
    ];
    await panel().send(
      page(
        log(
          task('t'),
          reply('', [action('p', 'todo', { items }, 'Plan')]),
          started('p'),
          observed('p', 'ok', { kind: 'todo', items }),
        ),
      ),
    );
    await byId('step-row').click();
    const body = panel().page.locator('.step-body');
    assert.match(await body.innerText(), /Read\s+Repair/);
    assert.doesNotMatch(await body.innerText(), /"state"|\{|items/);
  });

  it('opens a file that a reply names, at its line, by mouse and by keyboard', async () => {
    await panel().send(page(log(task('t'), reply('The bug is in `lib/x.js:27`.', []))));
    const link = panel().page.locator('[data-file]');
    await link.click();
    await link.focus();
    await panel().page.keyboard.press('Enter');
    const opened = { type: 'open_file', path: 'lib/x.js', line: 27 };
    assert.deepEqual(await panel().postedOf('open_file'), [opened, opened]);
  });

  it('keeps how a long command ended in sight at 280 pixels', async () => {
    const narrow = await site().open({ width: 280 });
    const words = `npm test -- --reporter spec --grep "${'very long '.repeat(30)}"`;
    const events = log(
      task('t'),
      reply('', [action('c', 'run_command', { command: words }, `Run ${words}`)]),
      started('c'),
      observed('c', 'ok', command(0)),
      { type: 'finished', status: 'submitted', summary: 'Done.' },
    );
    await narrow.send(page(events, { status: 'finished', submitted: true }));
    for (const place of [narrow.page.getByTestId('step-row'), narrow.page.getByTestId('finished')]) {
      const end = place.getByText(/exit 0/).first();
      const { left, right } = await end.evaluate(
        (one) => one.getBoundingClientRect().toJSON() as { left: number; right: number },
      );
      assert.ok(left >= 0 && right <= 280, `${left}…${right}`);
    }
    await narrow.page.close();
  });

  it('says nothing about what is not known', async () => {
    const none = { inputTokens: 4200, outputTokens: 10, cachedTokens: null, cost: null };
    const events = log(task('t'), reply('a', [], { usage: none }), {
      type: 'finished',
      status: 'submitted',
      summary: 'ok',
    });
    const spent = { ...none, steps: 1, uncounted: 0, unpriced: 1 };
    await panel().send(page(events, { status: 'finished', submitted: true, spent }));
    await byId('usage').click();
    assert.doesNotMatch(await panel().page.locator('body').innerText(), /unknown/);
  });

  it('gives the lines of a diff borders of two kinds in high contrast', async () => {
    const looks = async (theme: 'hc-dark' | 'dark'): Promise<string[]> => {
      const page_ = await site().open({ theme, width: 400 });
      await page_.send(...scenes['card-edit-script']!.messages);
      const styles = await page_.page
        .locator('.line.added, .line.removed')
        .evaluateAll((all) => all.map((one) => `${one.className} ${getComputedStyle(one).outlineStyle}`));
      await page_.page.close();
      return [...new Set(styles)].sort();
    };
    assert.deepEqual(await looks('hc-dark'), ['line added solid', 'line removed dashed']);
    assert.deepEqual(await looks('dark'), ['line added none', 'line removed none']);
  });

  it('lets whoever comes to the view type at once, and Esc leads back to the editor', async () => {
    await panel().send(page([], { status: 'empty' }));
    await panel().page.evaluate('document.activeElement.blur(); window.dispatchEvent(new Event("focus"))');
    await panel().page.keyboard.type('Hi');
    assert.equal(await byId('composer').inputValue(), 'Hi');
    await panel().page.keyboard.press('Escape');
    assert.deepEqual(await panel().postedOf('command'), [
      { type: 'command', id: 'workbench.action.focusActiveEditorGroup' },
    ]);
    assert.equal(await byId('composer').inputValue(), 'Hi', 'nothing typed is lost');
  });
});
