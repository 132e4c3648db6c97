import assert from 'node:assert/strict';
import { fullRun } from '../../support/trajectory';
import { facts, log, page, reply, task } from '../support/events';
import { usePanel } from '../support/usePanel';
import { scenes } from '../gallery/scenes';

const asking = log(task('Clean up.'));

describe('the panel at a glance', function () {
  const { site, panel, byId } = usePanel(this);

  it('shows a tall approval from its top, with its buttons in view and nothing over it', async () => {
    for (const [height, ids] of [
      [420, ['run-once', 'refuse']],
      [620, ['run-once', 'refuse', 'more-answers']],
    ] as const) {
      const low = await site().open({ width: 280, height });
      await low.send(...scenes['approval-long']!.messages);
      await low.answersEnabled();
      const inView = (part: string) =>
        low.page.locator(part).evaluate((one) => {
          const box = one.getBoundingClientRect();
          const feed = document.querySelector('.feed')!.getBoundingClientRect();
          return box.top >= feed.top - 1 && box.bottom <= feed.bottom + 1;
        });
      assert.equal(await inView('.approval h2'), true);
      const uncovered = (id: string) =>
        low.page.getByTestId(id).evaluate((one) => {
          const box = one.getBoundingClientRect();
          return one.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
        });
      for (const id of ids)
        assert.deepEqual([id, await inView(`[data-testid="${id}"]`), await uncovered(id)], [id, true, true]);
      assert.equal(await low.page.getByTestId('jump-latest').count(), 0);
      await low.close();
    }
  });

  it('leaves a step where it is when the person opens it, and follows again once it is closed', async () => {
    const low = await site().open({ width: 400, height: 500 });
    const events = fullRun();
    await low.send(page(events.slice(0, 9)));
    const step = low.page.getByTestId('step-row').last();
    const top = () => step.evaluate((one) => Math.round(one.getBoundingClientRect().top));
    const before = await top();
    await step.click();
    await low.page.getByTestId('call').last().waitFor({ state: 'attached' });
    await low.send();
    assert.deepEqual([await top(), await step.getAttribute('aria-expanded')], [before, 'true']);
    await step.click();
    await low.send({ type: 'events', from: 9, events: events.slice(9), facts: facts({ sessionId: 's1' }) });
    await low.page.getByTestId('finished').waitFor();
    const end = await low.page
      .locator('.feed')
      .evaluate((feed) => feed.scrollHeight - feed.clientHeight - feed.scrollTop);
    assert.ok(end < 40, `${end} px away from the end`);
    await low.close();
  });

  it('shows what a step contains when it is opened by keyboard at the end of the view', async () => {
    const low = await site().open({ width: 400, height: 300 });
    await low.send(page(fullRun().slice(0, 9)));
    await low.leaveComposer();
    await low.page.keyboard.press('Shift+G');
    await low.page.keyboard.press('Enter');
    await low.page.getByTestId('call').last().waitFor({ state: 'attached' });
    const inView = () =>
      low.page
        .getByTestId('step-row')
        .last()
        .evaluate((row) => {
          const [card, feed] = [row.closest('article')!, row.closest('.feed')!].map((one) =>
            one.getBoundingClientRect(),
          );
          const end = Math.min(card!.bottom, card!.top + feed!.height);
          return row.getBoundingClientRect().top >= feed!.top - 1 && end <= feed!.bottom + 1;
        });
    for (let look = 0; look < 50 && !(await inView()); look++) await low.page.waitForTimeout(20);
    assert.equal(await inView(), true);
    await low.close();
  });

  it('scrolls back to an approval that the person scrolled away from', async () => {
    const low = await site().open({ width: 280, height: 420 });
    await low.send(...scenes['approval']!.messages);
    await low.page.mouse.move(140, 200);
    await low.page.mouse.wheel(0, -3000);
    const jump = low.page.getByTestId('jump-latest');
    await jump.getByText('Approval needed').click();
    await jump.waitFor({ state: 'detached' });
    await low.page.locator('.approval h2').waitFor();
    await low.close();
  });

  it('clears only a started task from the composer', async () => {
    await panel().send({ ...page([], { status: 'empty', sessionId: 's0' }), draft: 'Clean up.' } as never);
    assert.equal(await byId('composer').inputValue(), 'Clean up.');
    await panel().send(page(asking));
    assert.equal(await byId('composer').inputValue(), '');
    await byId('composer').fill('another thought');
    await panel().send(page(log(task('Third.')), { sessionId: 's3' }));
    assert.equal(await byId('composer').inputValue(), 'another thought');
  });

  it('keeps the draft when another session arrives with an older one', async () => {
    await panel().send(page(asking));
    await byId('composer').fill('another thought');
    await panel().send({ ...page(log(task('Fourth.')), { sessionId: 's4' }), draft: 'another' } as never);
    assert.equal(await byId('composer').inputValue(), 'another thought');
    await byId('composer').fill('');
    await panel().send({ ...page(log(task('Fifth.')), { sessionId: 's5' }), draft: 'another thought' } as never);
    assert.equal(await byId('composer').inputValue(), '', 'what was taken away does not come back');
  });

  it('keeps every letter typed while a session loads, and sends nothing before', async () => {
    await panel().send(page(asking));
    await byId('composer').focus();
    await panel().page.keyboard.type('Look at ');
    const loading = { sessionId: 's6', writable: false, problem: 'Loading the session…', loading: true as const };
    await panel().send(page([], loading));
    const loadingBanner = panel().page.locator('.banner[role=status]');
    assert.equal(await loadingBanner.innerText(), 'Loading the session…');
    await panel().page.keyboard.type('the r');
    await panel().page.keyboard.press('Enter');
    await panel().send(page(log(task('Sixth.')), { sessionId: 's6' }));
    await panel().page.keyboard.type('est');
    assert.equal(await byId('composer').inputValue(), 'Look at the rest');
    assert.equal(await loadingBanner.count(), 0);
    assert.deepEqual(await panel().chosen(), []);
    await panel().page.keyboard.press('Enter');
    assert.deepEqual(
      (await panel().postedOf('send')).map(({ text }) => text),
      ['Look at the rest'],
    );
  });

  it('hands over the whole draft at the key that may reload the window', async () => {
    await panel().send(page(asking));
    const handedOver = await byId('composer').evaluate((box: HTMLTextAreaElement) => {
      for (const words of ['a', 'ab', 'abc']) {
        box.value = words;
        box.dispatchEvent(new InputEvent('input', { bubbles: true }));
      }
      box.dispatchEvent(new KeyboardEvent('keydown', { key: 'F5', bubbles: true }));
      return (globalThis as unknown as { posted: { type: string; text?: string }[] }).posted
        .filter(({ type }) => type === 'draft')
        .at(-1)?.text;
    });
    assert.equal(handedOver, 'abc');
  });

  it('answers a question with the text of the composer, once, and labels the button Answer', async () => {
    await panel().send(...scenes['question']!.messages);
    assert.equal(await byId('send').innerText(), 'Answer');
    await byId('composer').fill('src/add.ts, and delete the other');
    await byId('send').click();
    await byId('composer').fill('too late');
    await panel().page.keyboard.press('Enter');
    assert.deepEqual(await panel().postedOf('answer'), [
      { type: 'answer', actionId: 'q1', text: 'src/add.ts, and delete the other' },
    ]);
    assert.deepEqual(await panel().postedOf('send'), []);
    assert.equal(await byId('composer').inputValue(), 'too late');
  });

  it('uses the language of the host, with its plural forms', async () => {
    const other = await site().open({
      width: 400,
      language: 'pl',
      strings: {
        Finished: 'Gotowe',
        'header.steps.few': '{n} kroki',
        'header.steps.other': '{n} kroku',
        '{n} steps': '{n} kroków',
      },
    });
    await other.send(
      page(
        log(task('t'), reply('', []), reply('', []), reply('', []), {
          type: 'finished',
          status: 'submitted',
          summary: 'ok',
        }),
        { status: 'finished' },
      ),
    );
    assert.equal(await other.page.getByTestId('status').innerText(), 'Gotowe');
    assert.match(await other.page.getByTestId('used').innerText(), /^3 kroki · /);
    await other.close();
  });

  it('shows usage in brief and in full on a click, and only steps for a script', async () => {
    await panel().send(page(asking));
    assert.equal(await byId('usage').innerText(), '24k in · $0.04');
    assert.match(
      (await byId('usage').getAttribute('title'))!,
      /Tokens in: 24,310\nTokens out: 1,210\nCached: 18,900\nCost: \$0\.0410/,
    );
    await byId('usage').click();
    assert.match(
      await byId('usage-table').innerText(),
      /Tokens out\s*1,210[\s\S]+Context window\s*11k of 128k \(9 %\)/,
    );
    await byId('usage').click();
    await panel().send(
      page(asking, {
        model: {
          name: 'tutorial (scripted)',
          provider: 'scripted',
          scripted: true,
          textOnly: true,
          contextWindow: null,
        },
        spent: {
          inputTokens: null,
          outputTokens: null,
          cachedTokens: null,
          cost: 0,
          steps: 8,
          uncounted: 8,
          unpriced: 0,
        },
      }),
    );
    assert.equal(await byId('usage').innerText(), '8 steps');
    assert.doesNotMatch(await panel().page.locator('header').innerText(), /unknown|\$|scripted.*scripted/s);
  });
});
