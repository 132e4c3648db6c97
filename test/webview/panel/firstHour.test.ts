import assert from 'node:assert/strict';
import type { Todo } from '../../../src/protocol/events/details';
import { action, command, facts, log, observed, page, reply, started, task } from '../support/events';
import { usePanel } from '../support/usePanel';
import { scenes } from '../gallery/scenes';

const long = Array.from({ length: 30 }, (_, index) => [
  reply(`Paragraph ${index}\n\nMore words.\n\nAnd more.`, []),
]).flat();

/** A log in which the agent planned these steps. */
const planned = (items: Todo[]): ReturnType<typeof log> =>
  log(
    task('t'),
    reply('', [action('p', 'todo', { items }, 'Plan')]),
    started('p'),
    observed('p', 'ok', { kind: 'todo', items }),
  );

describe('the panel for a new user', function () {
  const { site, panel, byId } = usePanel(this);
  /** Waits until the composer contains this text. */
  const composerIs = (words: string): Promise<unknown> =>
    panel().page.waitForFunction(
      (wanted) => document.querySelector<HTMLTextAreaElement>('#composer')!.value === wanted,
      words,
    );

  it('scrolls to a sent message even if the person had scrolled up', async () => {
    const events = log(task('Count.'), ...long);
    await panel().send(page(events, { running: true, status: 'ready' }));
    await panel().page.locator('.feed').focus();
    await panel().page.keyboard.press('Home');
    await byId('card-task_started').waitFor();
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

  it('shows the form for new limits before the results, so that it is in view', async () => {
    const low = await site().open({ width: 400, height: 500 });
    await low.send(...scenes['limit-reached']!.messages);
    const order = await low.page
      .getByTestId('finished')
      .evaluate((one) =>
        [...one.querySelectorAll('[data-testid="limit-form"], h3, .used')].map(
          (part) => part.className || part.tagName,
        ),
      );
    assert.equal(order[0], 'limit-form');
    const bottom = await low.page.getByTestId('go-on').evaluate((one) => one.getBoundingClientRect().bottom);
    const feed = await low.page.locator('.feed').evaluate((one) => one.getBoundingClientRect().bottom);
    assert.ok(bottom <= feed, `the button ends at ${bottom}, the feed at ${feed}`);
    await low.close();
  });

  it('opens a step of the plan as a list, not as call arguments', async () => {
    const items = [
      { text: 'Read', state: 'done' as const },
      { text: 'Repair', state: 'active' as const },
    ];
    await panel().send(page(planned(items)));
    await byId('step-row').click();
    const body = panel().page.locator('.step-body');
    assert.match(await body.innerText(), /Read\s+Repair/);
    assert.doesNotMatch(await body.innerText(), /"state"|\{|items/);
  });

  it('opens a file named in a reply at its line, by mouse and keyboard', async () => {
    await panel().send(page(log(task('t'), reply('The bug is in `lib/x.js:27`.', []))));
    const link = panel().page.locator('[data-file]');
    await link.click();
    await link.focus();
    await panel().page.keyboard.press('Enter');
    const opened = { type: 'open_file', path: 'lib/x.js', line: 27 };
    assert.deepEqual(await panel().postedOf('open_file'), [opened, opened]);
  });

  it('keeps the outcome of a long command in view at 280 pixels', async () => {
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
    await narrow.close();
  });

  it('shows the cost in place of the tokens at 280 pixels, so that the name of the model has space', async () => {
    const narrow = await site().open({ width: 280 });
    await narrow.send(...scenes['stopped']!.messages);
    const [model, usage] = [narrow.page.getByTestId('model'), narrow.page.getByTestId('usage')];
    assert.equal(await usage.innerText(), '$0.04');
    assert.equal(await usage.getAttribute('aria-label'), 'Usage: 24k in · $0.04');
    const name = model.locator('span').first();
    assert.ok(await name.evaluate((one) => one.scrollWidth <= one.clientWidth), 'the whole name');
    await narrow.close();
  });

  it('keeps the answers of a card in one row at 280 pixels', async () => {
    const narrow = await site().open({ width: 280 });
    await narrow.send(...scenes['card-denied']!.messages);
    const row = narrow.page.locator('.answers > .first > button');
    const tops = await row.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
    assert.deepEqual([tops.length, new Set(tops).size], [3, 1]);
    await narrow.close();
  });

  it('omits unknown values', async () => {
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

  it('distinguishes diff lines by their borders in high contrast', async () => {
    const looks = async (theme: 'hc-dark' | 'dark'): Promise<string[]> => {
      const page_ = await site().open({ theme, width: 400 });
      await page_.send(...scenes['card-edit-script']!.messages);
      const styles = await page_.page.locator('.line.added, .line.removed').evaluateAll((all) =>
        all.map((one) => {
          const { borderTopStyle: top, borderBottomStyle: bottom } = getComputedStyle(one, '::before');
          return `${one.className}: ${top}, ${bottom}`;
        }),
      );
      await page_.close();
      return styles;
    };
    // Lines of one side share one border.
    assert.deepEqual(await looks('hc-dark'), [
      'line removed: dashed, none',
      'line added: solid, none',
      'line added: none, solid',
    ]);
    assert.deepEqual(await looks('dark'), [
      'line removed: none, none',
      'line added: none, none',
      'line added: none, none',
    ]);
  });

  it('puts the focus into the composer, and Esc returns to the editor', async () => {
    await panel().send(page([], { status: 'empty' }));
    await panel().page.evaluate('document.activeElement.blur(); window.dispatchEvent(new Event("focus"))');
    await panel().page.keyboard.type('Hi');
    await composerIs('Hi');
    await panel().page.keyboard.press('Escape');
    assert.deepEqual(await panel().postedOf('command'), [
      { type: 'command', id: 'workbench.action.focusActiveEditorGroup' },
    ]);
    await composerIs('Hi');
  });

  it('accepts typing after the mouse was released outside the view and the person returns by key', async () => {
    await panel().send(page([], { status: 'empty' }));
    const comeBack = (release: string): Promise<unknown> =>
      panel().page.evaluate(`
        document.activeElement.blur();
        document.body.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
        ${release}
        window.dispatchEvent(new Event('focus'));
      `);
    // A click into the view keeps the focus where the click was.
    await comeBack('');
    await panel().page.keyboard.type('lost');
    await composerIs('');
    await comeBack('window.dispatchEvent(new Event("blur"));');
    await panel().page.keyboard.type('Hi');
    await composerIs('Hi');
  });

  it('suggests tasks for the folder, which only fill the message, and lists recent sessions', async () => {
    await panel().send(...scenes['starters']!.messages);
    await byId('composer').fill('My own words');
    await byId('starter').first().click();
    await composerIs('My own words\n\nRun the tests. Fix what fails, and run them again.');
    assert.deepEqual(await panel().postedOf('send'), []);
    await byId('recent').first().click();
    assert.deepEqual(await panel().postedOf('open_session'), [{ type: 'open_session', id: 's1' }]);
    assert.match(await byId('empty').innerText(), /Type @ to mention .*, \/ for commands/);
  });

  it('keeps the todo list above the composer until all of it is done', async () => {
    await panel().send(...scenes['pinned-todo']!.messages);
    assert.match(await byId('pinned-todo').innerText(), /1 of 3 done[\s\S]*Repair the lookahead/);
    await byId('pinned-toggle').click();
    assert.match(await byId('pinned-todo').innerText(), /Read the grammar[\s\S]*Run the tests/);
    const items = [{ text: 'Read', state: 'done' as const }];
    await panel().send(page(planned(items), { sessionId: 's2' }));
    assert.equal(await byId('pinned-todo').count(), 0);
  });

  it('carries out a plan, and says in which mode', async () => {
    await panel().send(...scenes['plan-mode']!.messages);
    assert.match(await panel().page.locator('.implement').innerText(), /Implement this plan\s+Mode: Ask if risky/);
    await byId('implement-plan').click();
    assert.deepEqual(await panel().postedOf('implement_plan'), [{ type: 'implement_plan' }]);
    await panel().send(page(log(task('t'), reply('Done.', []))));
    assert.equal(await byId('implement-plan').count(), 0, 'out of plan mode there is none');
  });

  it('retries at once if a person does not want to wait', async () => {
    await panel().send(...scenes['retry']!.messages);
    const at = Date.now();
    const retry = { type: 'retry_scheduled' as const, attempt: 2, delayMs: 500_000, why: 'Busy.', seq: 1, at };
    await panel().send(page([...log(task('t')), retry], { running: true, status: 'ready', sessionId: 's9' }));
    // Minutes, as in the sentence of the server above.
    assert.match(await panel().page.getByRole('timer').innerText(), /Trying again in 8 min \d+ s · attempt 2/);
    await byId('retry-now').click();
    assert.deepEqual(await panel().postedOf('retry_now'), [{ type: 'retry_now' }]);
  });

  it('edits an earlier message, and then restores the draft', async () => {
    await panel().send(page(log(task('Count the files.'), reply('Three.', []))));
    await byId('composer').fill('half a thought');
    await byId('edit-message').click();
    await composerIs('Count the files.');
    await byId('cancel-edit').click();
    await composerIs('half a thought');
    await byId('edit-message').click();
    await byId('composer').fill('Count the lines.');
    await byId('send').click();
    assert.deepEqual(await panel().postedOf('edit_message'), [
      { type: 'edit_message', session: 's1', seq: 0, text: 'Count the lines.' },
    ]);
    assert.deepEqual(await panel().postedOf('send'), []);
    await composerIs('half a thought');
    await panel().send({ type: 'compose', text: 'Count the lines.', problem: 'Not sent.' });
    await composerIs('Count the lines.\n\nhalf a thought');
  });

  it('keeps the text of an edit when another session is shown', async () => {
    const said = (): ReturnType<typeof log> => log(task('Count the files.'), reply('Three.', []));
    await panel().send(page(said(), { sessionId: 'edited' }));
    await byId('composer').fill('half a thought');
    await byId('edit-message').click();
    await composerIs('Count the files.');
    await panel().send(page(said(), { sessionId: 'next' }));
    await composerIs('half a thought');
    await byId('edit-message').click();
    await composerIs('Count the files.');
    await byId('composer').fill('Count the lines.');
    await panel().send(page(said(), { sessionId: 'last' }));
    await composerIs('half a thought\n\nCount the lines.');
    assert.equal(await byId('editing').count(), 0);
  });

  it('turns a long paste into a chip, sends it after the message, and expands it for editing', async () => {
    await panel().send(page(log(task('t'))));
    const words = Array.from({ length: 40 }, (_, index) => `line ${index} \`\`\``).join('\n');
    const paste = (): Promise<unknown> =>
      panel().page.evaluate(`(() => {
        const data = new DataTransfer();
        data.setData('text/plain', ${JSON.stringify(words)});
        const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
        return document.getElementById('composer').dispatchEvent(event);
      })()`);
    await byId('composer').fill('What is this?');
    assert.equal(await paste(), false);
    assert.match(await byId('paste-chip').innerText(), /40 lines/);
    await composerIs('What is this?');
    await byId('paste-chip').click();
    await composerIs(`What is this?\n${words}`);
    await byId('composer').fill('What is this?');
    await paste();
    await byId('send').click();
    const [sent] = await panel().postedOf('send');
    assert.equal(sent!.text, `What is this?\n\nPasted text:\n\`\`\`\`\n${words}\n\`\`\`\``);
    assert.equal(await byId('paste-chip').count(), 0);
  });

  it('keeps a message that is too long to be sent, and says so', async () => {
    await panel().send(page(log(task('t'))));
    await panel().page.evaluate(`(() => {
      const data = new DataTransfer();
      data.setData('text/plain', 'line of a log\\n'.repeat(100_000));
      const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
      document.getElementById('composer').dispatchEvent(event);
    })()`);
    await byId('paste-chip').waitFor();
    await byId('composer').fill('What is this?');
    await byId('send').click();
    await panel().page.getByText('Not sent: the message has more than 1,000,000 characters.').waitFor();
    await composerIs('What is this?');
    assert.deepEqual([await byId('paste-chip').count(), await panel().postedOf('send')], [1, []]);
  });

  it('runs a typed command without a waiting paste, which is kept', async () => {
    await panel().send(page(log(task('t'))));
    await panel().page.evaluate(`(() => {
      const data = new DataTransfer();
      data.setData('text/plain', 'touch pasted\\n'.repeat(40));
      const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
      document.getElementById('composer').dispatchEvent(event);
    })()`);
    await byId('paste-chip').waitFor();
    await panel().send(...scenes['human']!.messages);
    await byId('composer').fill('');
    assert.equal(await byId('send').getAttribute('aria-disabled'), 'true');
    await byId('composer').fill('ls');
    await byId('send').click();
    assert.deepEqual(
      (await panel().postedOf('send')).map(({ text }) => text),
      ['ls'],
    );
    assert.equal(await byId('paste-chip').count(), 1);
  });

  it('accepts files from the Explorer, the button and other parts of VS Code, next to the draft', async () => {
    await panel().send(page(log(task('t'))));
    await byId('composer').fill('Look at');
    await panel().page.evaluate(`(() => {
      const data = new DataTransfer();
      data.setData('application/vnd.code.uri-list', 'file:///w/a.ts\\r\\nfile:///w/b.ts');
      document.getElementById('composer').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    })()`);
    assert.deepEqual(await panel().postedOf('attach'), [
      { type: 'attach', uris: ['file:///w/a.ts', 'file:///w/b.ts'] },
    ]);
    await panel().send({ type: 'insert', text: '@a.ts @b.ts ' });
    await composerIs('Look at @a.ts @b.ts ');
    await byId('attach').click();
    assert.deepEqual(await panel().postedOf('command'), [{ type: 'command', id: 'waymark.attachFiles' }]);
  });

  /** A view of 360 pixels in the side bar of a window, 640 by 400 pixels: a small screen at 200 % zoom. */
  for (const [scene, height] of [
    ['pinned-todo', 190],
    ['running-command', 154],
    ['approval', 126],
  ] as const)
    it(`leaves the conversation at least 80 pixels of a view of ${height} pixels, also beside a long draft`, async () => {
      const low = await site().open({ width: 358, height });
      await low.send(...scenes[scene]!.messages);
      const feed = async (): Promise<number> => (await low.page.locator('.feed').boundingBox())!.height;
      assert.ok((await feed()) >= 80, `the conversation has ${await feed()} px`);
      await low.page.getByTestId('composer').fill('Many words\n'.repeat(20));
      assert.ok((await feed()) >= 40, `beside a draft, the conversation has ${await feed()} px`);
      const send = (await low.page.getByTestId('send').boundingBox())!;
      assert.ok(send.y >= 0 && send.y + send.height <= height, 'the button is in view');
      await low.close();
    });
});
