import assert from 'node:assert/strict';
import { action, command, facts, log, observed, page, reply, started, task } from '../support/events';
import { axeViolations } from '../support/panelSite';
import { usePanel } from '../support/usePanel';
import { play } from '../gallery/play';
import { scenes } from '../gallery/scenes';
import { leastUsage } from '../../support/newEvents';

/** What has the focus, by its place in the page, and whether nothing of it can be clicked. Cards count as visible. */
const covered = `(() => {
  const stop = document.activeElement;
  if (!stop || stop === document.body) return { stop: '', isCovered: false };
  const name = stop.dataset.testid + ' ' + [...document.querySelectorAll('*')].indexOf(stop);
  if (stop.matches('article, .feed, pre')) return { stop: name, isCovered: false };
  const { left, right, top, bottom } = stop.getBoundingClientRect();
  const points = [[left + 3, top + 3], [(left + right) / 2, (top + bottom) / 2], [right - 3, bottom - 3]];
  const hits = points.map(([x, y]) => document.elementFromPoint(x, y));
  return { stop: name, isCovered: !hits.some((hit) => hit && (stop.contains(hit) || hit.contains(stop))) };
})()`;

describe('the panel in narrow, large and long form', function () {
  const { site, panel, byId } = usePanel(this);

  for (const size of [13, 26]) {
    it(`fits into 280 px at ${size} px text without horizontal scrolling`, async () => {
      for (const name of ['approval', 'finished', 'first-start', 'failed', 'queued', 'opened', 'question', 'help']) {
        const narrow = await site().open({ width: 280, fontSize: size });
        await play(narrow, scenes[name]!);
        const wide = await narrow.page.evaluate(
          '[...document.querySelectorAll("html, body, .feed, .header, .composer, .card, .overlay, .welcome")].filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.className)',
        );
        assert.deepEqual(wide, [], name);
        await narrow.close();
      }
    });
  }

  for (const [width, height] of [
    [170, 400],
    [200, 200],
  ] as const)
    it(`shows what has the focus at ${width} × ${height} px: no buttons that stay in view cover it`, async () => {
      let stops = 0;
      for (const name of ['card-patch', 'card-many-reasons', 'card-allow-script', 'condensed', 'held-edits']) {
        const low = await site().open({ width, height });
        await play(low, scenes[name]!);
        await low.page.getByTestId('title').focus();
        const seen = new Set<string>();
        for (;;) {
          await low.page.keyboard.press('Tab');
          await low.rests();
          const { stop, isCovered } = (await low.page.evaluate(covered)) as { stop: string; isCovered: boolean };
          if (stop === '' || seen.has(stop)) break;
          seen.add(stop);
          assert.ok(!isCovered, `${name}: ${stop}`);
        }
        stops += seen.size;
        await low.close();
      }
      assert.ok(stops > 40, `${stops} stops`);
    });

  it('keeps some of the conversation visible at 170 × 400 px if a run was interrupted', async () => {
    const low = await site().open({ width: 170, height: 400 });
    await play(low, scenes['in-worktree']!);
    await low.page.getByTestId('interrupted').waitFor();
    const { height } = (await low.page.locator('.feed').boundingBox())!;
    assert.ok(height >= 80, `${height} px`);
    await low.close();
  });

  it('keeps its header to two lines at 300 px if the cost is unknown, and shows all on hover', async () => {
    const narrow = await site().open({ width: 300 });
    await narrow.send(...scenes['failed']!.messages);
    const lines = await narrow.page
      .locator('header')
      .evaluate((one) =>
        [...one.querySelectorAll('[data-testid=model], [data-testid=mode], [data-testid=usage]')].map((part) =>
          Math.round(part.getBoundingClientRect().top + part.getBoundingClientRect().height / 2),
        ),
      );
    assert.ok(lines.length === 3 && Math.max(...lines) - Math.min(...lines) <= 3, lines.join(' '));
    assert.ok((await narrow.page.getByTestId('usage').boundingBox())!.height < 26);
    assert.match((await narrow.page.getByTestId('usage').getAttribute('title'))!, /^24k in\n/);
    await narrow.close();
  });

  for (const name of ['approval', 'question', 'finished', 'first-start', 'streaming', 'interrupted']) {
    it(`passes axe: ${name}`, async () => {
      await play(panel(), scenes[name]!);
      assert.deepEqual(
        (await axeViolations(panel().page)).map(({ id, nodes }) => [id, nodes[0]?.html]),
        [],
      );
    });
  }

  describe('a long run', () => {
    const long = log(
      task('t'),
      ...Array.from({ length: 1250 }, (_, turn) => [
        reply(turn % 5 ? '' : `Turn ${turn}: **words** and \`code\`.`, [
          action(`a${turn}`, 'run_command', { command: `echo ${turn}` }, `Run echo ${turn}`),
        ]),
        started(`a${turn}`),
        observed(`a${turn}`, `${turn}\n`, command(turn % 7 ? 0 : 1)),
        { type: 'notice' as const, level: 'info' as const, text: `Notice ${turn}` },
      ]).flat(),
    );
    const live = { running: true, status: 'ready' as const };

    it('keeps few nodes, stays at the bottom while text streams, and lets the person scroll away', async () => {
      const took = await panel().page.evaluate(
        `new Promise(done => { window.began = performance.now(); window.postMessage(${JSON.stringify(page(long, live))}, '*'); setTimeout(() => requestAnimationFrame(() => setTimeout(() => done(performance.now() - window.began))), 0); })`,
      );
      await panel().send();
      const nodes = () => panel().page.evaluate('document.querySelectorAll("*").length') as Promise<number>;
      const away = () =>
        panel().page.evaluate(
          '(feed => feed.scrollHeight - feed.clientHeight - feed.scrollTop)(document.querySelector(".feed"))',
        ) as Promise<number>;
      assert.ok((await nodes()) < 1500, `${await nodes()} nodes`);
      await panel().page.evaluate(`new Promise(done => {
        window.slow = []; new PerformanceObserver(list => window.slow.push(...list.getEntries().map(entry => entry.duration))).observe({ type: 'longtask', buffered: true });
        let count = 0;
        const next = () => { window.postMessage({ type: 'deltas', deltas: [{ kind: 'text', text: count % 25 ? 'some more words ' : '\\n\\nA paragraph ' + count + '. ' }] }, '*'); if (++count < 500) requestAnimationFrame(next); else setTimeout(done, 200); };
        next();
      })`);
      assert.ok((await nodes()) < 1500, `${await nodes()} nodes`);
      assert.ok((await away()) < 40, `${await away()} px away from the end`);
      const slow = (await panel().page.evaluate('window.slow')) as number[];
      const last = { seq: 5001, at: 0, type: 'notice', level: 'info', text: 'One more.' };
      const append = await panel().page.evaluate(
        `new Promise(done => { const began = performance.now(); window.addEventListener('message', () => done(performance.now() - began), { once: true }); window.postMessage(${JSON.stringify({ type: 'events', from: 5001, events: [last], facts: facts(live) })}, '*'); })`,
      );
      if (process.env.SHOW_NUMBERS)
        console.log({
          pageOf5001: took,
          append,
          nodes: await nodes(),
          longTasks: slow.length,
          worst: Math.max(0, ...slow),
          sizes: site().sizes,
        });
      await panel().page.mouse.move(200, 300);
      await panel().page.mouse.wheel(0, -2000);
      await byId('jump-latest').waitFor();
      const seen = () =>
        panel().page.evaluate(
          '(feed => { const { top } = feed.getBoundingClientRect(); const first = [...document.querySelectorAll("article")].find(one => one.getBoundingClientRect().bottom > top + 30); return [first.dataset.key, Math.round(first.getBoundingClientRect().top)]; })(document.querySelector(".feed"))',
        );
      await panel().rests();
      const before = await seen();
      await panel().send({ type: 'deltas', deltas: [{ kind: 'text', text: '\n\nmore\n\nand more' }] });
      assert.deepEqual(await seen(), before);
      await byId('jump-latest').click();
      await panel().rests();
      assert.ok((await away()) < 40, `${await away()} px away from the end`);
    });

    it('redraws no card whose row is unchanged, when rows are added or text streams', async () => {
      await panel().send(page(long.slice(0, 1), live));
      const drawn = await panel().page.evaluate(
        `(async () => {
          const [long, facts] = ${JSON.stringify([long.slice(0, 90), facts(live)])};
          // Whoever draws a step asks what its action would do.
          const drawn = [];
          for (const { actions = [] } of long)
            for (const action of actions) {
              const { command } = action.input;
              Object.defineProperty(action.input, 'command', { enumerable: true, get() { drawn.push(action.id); return command; } });
            }
          const tell = data => window.dispatchEvent(new MessageEvent('message', { data }));
          const frames = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 60))));
          const during = async work => {
            await frames();
            const inView = [...document.querySelectorAll('.feed [data-key^=a]')];
            drawn.length = 0;
            work();
            await frames();
            // A card that left the document and came back is another element.
            return inView.filter(card => card.isConnected).map(card => card.dataset.key.slice(1)).filter(id => drawn.includes(id));
          };
          const upTo = count => tell({ type: 'events', from: 1, events: long.slice(1, count), facts: { ...facts } });
          upTo(82);
          const further = [];
          for (let count = 83; count <= 90; count++) further.push(await during(() => upTo(count)));
          const streamed = await during(() => tell({ type: 'deltas', deltas: [{ kind: 'text', text: 'Some words.' }] }));
          return { inView: document.querySelectorAll('.feed [data-key^=a]').length, further, streamed };
        })()`,
      );
      const { inView, further, streamed } = drawn as { inView: number; further: string[][]; streamed: string[] };
      assert.ok(inView > 10, `${inView} steps in view`);
      // By event: step 20 starts and ends, notice, step 21 appears, starts and ends, notice, step 22 appears.
      assert.deepEqual(further, [['a20'], ['a20'], [], [], ['a21'], ['a21'], [], []]);
      assert.deepEqual(streamed, []);
    });

    it('scrolls to an approval out of view before the keyboard can approve it', async () => {
      const asked = [
        ...long.slice(0, -1),
        {
          seq: 5000,
          at: 0,
          type: 'agent_response' as const,
          readUpTo: 1,
          text: '',
          actions: [action('last', 'run_command', { command: 'rm x' }, 'Run rm x')],
          usage: leastUsage,
          model: 'm',
          finishReason: 'tool_calls',
          durationMs: 1,
          firstTokenMs: 1,
        },
        { seq: 5001, at: 0, type: 'confirmation_requested' as const, actionIds: ['last'] },
      ];
      await panel().send(page(asked, { running: true, status: 'waiting_for_confirmation' }));
      await panel().page.mouse.move(200, 300);
      for (let turn = 0; turn < 5; turn++) await panel().page.mouse.wheel(0, -4000);
      await byId('run-once').waitFor({ state: 'detached' });
      await panel().page.keyboard.press('Alt+Enter');
      await byId('run-once').waitFor();
      assert.deepEqual(await panel().postedOf('decide'), []);
      await panel().answersEnabled();
      await panel().page.keyboard.press('Alt+Enter');
      assert.equal((await panel().postedOf('decide')).length, 1);
    });

    it('requests earlier events once at the top, and does not jump when they arrive', async () => {
      await panel().send({
        type: 'page',
        from: 4801,
        total: 5001,
        fresh: true,
        events: long.slice(4801),
        facts: facts(live),
      });
      await panel().page.mouse.move(200, 300);
      for (let turn = 0; turn < 12; turn++) {
        await panel().page.mouse.wheel(0, -2000);
        await panel().send();
      }
      assert.deepEqual(await panel().postedOf('earlier'), [{ type: 'earlier', before: 4801 }]);
      const top = () =>
        panel().page.evaluate(
          '(feed => { const box = feed.getBoundingClientRect(); return [...document.querySelectorAll("article")].find(one => one.getBoundingClientRect().bottom > box.top + 30)?.dataset.key; })(document.querySelector(".feed"))',
        );
      const before = await top();
      await panel().send({
        type: 'page',
        from: 4601,
        total: 5001,
        fresh: false,
        events: long.slice(4601, 4801),
        facts: facts(live),
      });
      await panel().page.waitForTimeout(200); // it does not move late, either
      assert.equal(await top(), before);
    });
  });
});
