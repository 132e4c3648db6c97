import assert from 'node:assert/strict';
import { action, command, log, observed, page, reply, started, task } from '../support/events';
import { usePanel } from '../support/usePanel';

const long = log(
  task('t'),
  ...Array.from({ length: 40 }, (_, turn) => [
    reply(`Turn ${turn}: some words.`, [
      action(`a${turn}`, 'run_command', { command: `echo ${turn}` }, `Run echo ${turn}`),
    ]),
    started(`a${turn}`),
    observed(`a${turn}`, `output of ${turn}\n`, command(0)),
  ]).flat(),
);
const shown = (sessionId = 's1') => page(long, { sessionId, status: 'ready' });

/** VS Code recreates a hidden view and returns the state saved with `setState`. */
describe('a panel that was hidden', function () {
  const { panel, byId } = usePanel(this);
  const again = async (): Promise<void> => {
    await panel().page.waitForTimeout(200); // A position counts once the feed has rested for 150 ms, which nothing shows.
    await panel().page.reload();
  };
  /** Scrolls with the wheel, repeatedly, because a busy browser drops events. */
  const leaveEnd = async (): Promise<void> => {
    await panel().page.mouse.move(200, 300);
    for (let turn = 0; turn < 20 && !(await byId('jump-latest').isVisible()); turn++) {
      await panel().page.mouse.wheel(0, -700);
      await panel().page.waitForTimeout(400);
    }
    await byId('jump-latest').waitFor();
    await panel().rests();
  };
  const row = (turn: number) => panel().page.locator(`[data-key="aa${turn}"]`);
  /** Returns the number of an action row that is fully visible near the middle. */
  const rowInMiddle = async (): Promise<number> => {
    const key = await panel().page.evaluate<string>(
      '(feed => { const { top, bottom } = feed.getBoundingClientRect(); const middle = (top + bottom) / 2; const off = one => Math.abs(one.getBoundingClientRect().top - middle); return [...document.querySelectorAll("[data-key^=aa]")].sort((one, other) => off(one) - off(other))[0].dataset.key; })(document.querySelector(".feed"))',
    );
    return Number(key.slice('aa'.length));
  };
  const top = (): Promise<[string, number]> =>
    panel().page.evaluate(
      '(feed => { const { top } = feed.getBoundingClientRect(); const first = [...document.querySelectorAll("article")].find(one => one.getBoundingClientRect().bottom > top + 1); return [first.dataset.key, Math.round(first.getBoundingClientRect().top)]; })(document.querySelector(".feed"))',
    );

  it('restores opened rows and the scroll position', async () => {
    await panel().send(shown());
    await leaveEnd();
    const middle = await rowInMiddle();
    await row(middle).getByTestId('step-row').click();
    await row(middle).getByText(`output of ${middle}`).waitFor();
    await panel().page.mouse.move(200, 300);
    await panel().page.mouse.wheel(0, -40);
    await panel().rests();
    const before = await top();
    const at = async (): Promise<number> => (await row(middle).boundingBox())!.y;
    const placeBefore = await at();
    await again();
    await panel().send(shown());
    await row(middle).getByText(`output of ${middle}`).waitFor();
    await panel().rests();
    assert.ok(
      Math.abs((await at()) - placeBefore) <= 2,
      `${await at()}, not ${placeBefore}, ${before.join()}, ${(await top()).join()}`,
    );
  });

  it('is at the end if the person was there or another session is shown', async () => {
    await panel().send(shown());
    await again();
    await panel().send(shown());
    await row(39).waitFor();
    await leaveEnd();
    await again();
    await panel().send(shown('s2'));
    await row(39).waitFor();
    assert.equal(await byId('jump-latest').count(), 0);
  });

  it('restores pasted long texts, even those that only the host kept', async () => {
    await panel().send({ ...shown(), draft: 'See this.', pastes: ['line\n'.repeat(40)] } as never);
    await byId('paste-chip').waitFor();
    assert.equal(await byId('composer').inputValue(), 'See this.');
    assert.deepEqual(await panel().postedOf('draft'), []);
    await byId('composer').fill('See this too.');
    const told = await panel().reports('draft', ({ text }) => text === 'See this too.');
    assert.equal(told.pastes, undefined, 'they did not change');
    await byId('send').click();
    const sent = await panel().reports('send', () => true);
    assert.match(sent.text, /^See this too\.\n\n[^]*line\nline/);
    const last = await panel().reports('draft', ({ text }) => text === '');
    assert.deepEqual(last.pastes, []);
  });

  it('reports the first letter at once, and the rest when the view is left, without waiting for a timer', async () => {
    await panel().send(shown());
    const told = await panel().page.evaluate(`(() => {
      const box = document.getElementById('composer');
      const told = () => window.posted.filter(({ type }) => type === 'draft').at(-1)?.text;
      const type = words => { box.value += words; box.dispatchEvent(new InputEvent('input', { bubbles: true })); return told(); };
      const all = [type('I')];
      for (const [target, name] of [[window, 'blur'], [window, 'pagehide'], [document, 'visibilitychange']]) {
        type(' ' + name);
        target.dispatchEvent(new Event(name));
        all.push(told());
      }
      return all;
    })()`);
    assert.deepEqual(told, ['I', 'I blur', 'I blur pagehide', 'I blur pagehide visibilitychange']);
  });

  it('takes the newer draft: that of the host after a reload of the window, else its own', async () => {
    const shownWith = (draft: string) => ({ ...shown(), draft }) as never;
    await panel().send(shownWith(''));
    await byId('composer').fill('Fix');
    await panel().reports('draft', ({ text }) => text === 'Fix');
    const early = await panel().page.evaluate('sessionStorage.getItem(window.keptAs)');
    const reloadedWith = async (kept: unknown, draft: string): Promise<string> => {
      await panel().page.evaluate(`sessionStorage.setItem(window.keptAs, ${JSON.stringify(kept)})`);
      await panel().page.reload();
      await panel().send(shownWith(draft));
      return byId('composer').inputValue();
    };
    // VS Code saved the state of the view a few seconds ago. The host knows what was typed since.
    assert.equal(await reloadedWith(early, 'Fix the test'), 'Fix the test');
    assert.equal(await reloadedWith(early, ''), '', 'it was sent');
    // The state of the view is complete, and the host was not told about the last letters.
    const late = JSON.stringify({ ...(JSON.parse(String(early)) as object), draft: 'Fix it' });
    assert.equal(await reloadedWith(late, 'Fix'), 'Fix it');
  });

  it('reports a pasted long text to the host at once', async () => {
    await panel().send(shown());
    await byId('composer').focus();
    const pasted = 'word '.repeat(600);
    await panel().page.evaluate(
      `{ const data = new DataTransfer(); data.setData('text/plain', ${JSON.stringify(pasted)}); document.getElementById('composer').dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })); }`,
    );
    await byId('paste-chip').waitFor();
    const told = await panel().reports('draft', ({ pastes }) => pastes !== undefined);
    assert.deepEqual(told.pastes, [pasted]);
  });

  const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const picture = { mediaType: 'image/png', data: dot };
  const pastePicture = (): Promise<unknown> =>
    panel().page.evaluate(
      `{ const data = new DataTransfer(); data.items.add(new File([Uint8Array.from(atob('${dot}'), letter => letter.charCodeAt(0))], 'a', { type: 'image/png' })); document.getElementById('composer').dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })); }`,
    );
  const pictures = () => byId('pictures').getByRole('listitem');

  it('restores pasted pictures from the host, and sends them once', async () => {
    await panel().send(shown());
    await byId('composer').fill('What is this?');
    await pastePicture();
    await pictures().first().waitFor();
    const told = await panel().reports('draft', ({ images }) => images !== undefined);
    assert.deepEqual(told.images, [picture]);
    await again();
    await panel().send({ ...shown(), draft: 'What is this?', pictures: [picture] } as never);
    await pictures().first().waitFor();
    assert.deepEqual(await panel().postedOf('draft'), [], 'the host knows them');
    await byId('send').click();
    assert.deepEqual((await panel().postedOf('send'))[0]!.images, [picture]);
    await panel().reports('draft', ({ images }) => images?.length === 0);
    await panel().send({ ...shown('s2'), pictures: [picture] } as never);
    assert.equal(await pictures().count(), 0, 'what was sent does not come back');
  });

  it('keeps the pictures of a draft separate while a message is edited', async () => {
    const short = page(log(task('Look.'), reply('Seen.', [])), { status: 'idle' });
    await panel().send(short);
    await pastePicture();
    await pictures().first().waitFor();
    await byId('edit-message').first().click();
    await byId('cancel-edit').waitFor();
    await panel().send();
    assert.deepEqual((await panel().postedOf('draft')).at(-1)!.images, undefined);
    await again();
    await panel().send({ ...short, pictures: [picture] } as never);
    await byId('cancel-edit').waitFor();
    assert.equal(await pictures().count(), 0);
    await byId('cancel-edit').click();
    await pictures().first().waitFor();
  });
});
