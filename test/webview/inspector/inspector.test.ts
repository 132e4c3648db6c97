import assert from 'node:assert/strict';
import { writeAtOnce, readProblemLine } from '../../../src/core/trajectory/format';
import { formatNamed } from '../../../src/core/trajectory/formats/formats';
import { fullRun, longRun, otherRun } from '../../support/trajectory';
import { action, log, reply } from '../support/events';
import { openInspector, runOf, type InspectorPage } from '../support/inspectorSite';
import { axeViolations, startPanelSite, type PanelSite } from '../support/panelSite';

describe('the inspector', function () {
  this.timeout(60_000);
  let site: PanelSite;
  let inspector: InspectorPage;
  const open = async (
    ...given: Parameters<typeof openInspector> extends [unknown, ...infer Rest] ? Rest : never
  ): Promise<InspectorPage> => (inspector = await openInspector(site, ...given));
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) {
      await inspector.page.keyboard.press(key);
      await inspector.settle();
    }
  };
  const current = (): Promise<string> =>
    inspector.page.evaluate('document.activeElement.textContent.replace(/\\s+/g, " ")');
  const openSeqs = (): Promise<number[]> =>
    inspector.page.evaluate(
      '[...document.querySelectorAll(".row-line[aria-expanded=true]")].map(one => Number(one.dataset.seq))',
    );

  before(async () => {
    site = await startPanelSite();
  });
  after(() => site.close());
  afterEach(async () => {
    assert.deepEqual(
      [
        ...inspector.problems,
        ...((await inspector.page.evaluate('window.cspProblems')) as string[]),
        ...site.strangers,
      ],
      [],
    );
    await inspector.page.close();
  });

  it('lists every step of a run, and opens a step in place with its risk and decision', async () => {
    await open([runOf(fullRun())]);
    const rows = await inspector.page.getByTestId('row').allTextContents();
    assert.equal(rows.length, 14);
    assert.match(rows[0]!, /Task.*The test in test\/add\.test\.ts fails/);
    await inspector.page.getByTestId('row').nth(3).click();
    await inspector.settle();
    const view = inspector.page.getByTestId('step-view');
    assert.match(
      await view.innerText(),
      /High risk[\s\S]*Deletes files outside the workspace[\s\S]*Refused by a person: Leave the cache alone/i,
    );
  });

  it('leaves out what a provider did not report, in a step and among the charts', async () => {
    const usage = { inputTokens: null, outputTokens: null, cachedTokens: null, cost: null };
    const events = fullRun().map((event) => (event.type === 'agent_response' ? { ...event, usage } : event));
    await open([runOf(events)]);
    await inspector.page.getByTestId('row').nth(3).click();
    await inspector.settle();
    const facts = await inspector.page.locator('.call-facts').innerText();
    assert.match(facts, /Model/);
    assert.doesNotMatch(facts, /unknown|Cost|Tokens/i);
    await press('v');
    await inspector.page.getByTestId('charts').waitFor();
    const titles = await inspector.page.getByTestId('chart').locator('h2').allInnerTexts();
    assert.deepEqual(titles, ['Time', 'Context used']);
    assert.doesNotMatch(await inspector.page.getByTestId('charts').innerText(), /unknown/i);
  });

  it('names the number of actions of a step to a screen reader', async () => {
    const [first] = fullRun();
    const actions = ['a', 'b'].map((id) => action(id, 'read_file', { path: id }, `Read ${id}`));
    await open([runOf(log(first!, reply('', actions)))]);
    await inspector.page
      .getByRole('button', { name: /^Step 1 .*\b2 actions Read a · Read b/ })
      .waitFor({ timeout: 2000 });
  });

  it('says how a reply ended only if it did not end as usual, and in words', async () => {
    const modelOf = async (finishReason: string): Promise<string> => {
      const events = fullRun().map((event) => (event.type === 'agent_response' ? { ...event, finishReason } : event));
      await open([runOf(events)]);
      await inspector.page.getByTestId('row').nth(3).click();
      await inspector.settle();
      const value = await inspector.page.locator('.call-facts dd').first().innerText();
      return value.replace(/^\S+(?: · )?/, '');
    };
    assert.equal(await modelOf('tool_calls'), '');
    assert.equal(await modelOf('length'), 'cut off at the output limit');
    assert.equal(await modelOf('content_filter'), 'stopped by the provider’s content filter');
    assert.equal(await modelOf('exit_cost'), 'ended with “exit_cost”');
  });

  it('draws no costs of a run that cost nothing', async () => {
    const events = fullRun().map((event) =>
      event.type === 'agent_response' ? { ...event, usage: { ...event.usage, cost: 0 } } : event,
    );
    await open([runOf(events)]);
    await press('v');
    await inspector.page.getByTestId('charts').waitFor();
    const titles = await inspector.page.getByTestId('chart').locator('h2').allInnerTexts();
    assert.deepEqual(titles, ['Time', 'Tokens', 'Context used']);
  });

  it('says in which container commands ran, and when that ended', async () => {
    const container = { engine: 'docker', image: 'python:3.12' };
    const events = fullRun().map((event) => (event.type === 'task_started' ? { ...event, container } : event));
    const { seq, at } = events.at(-1)!;
    await open([runOf([...events, { type: 'settings_changed', seq: seq + 1, at, container: null }])]);
    await inspector.page.getByTestId('row').first().click();
    await inspector.settle();
    const facts = (await inspector.page.getByTestId('step-view').innerText()).replace(/\s+/g, ' ');
    assert.match(facts, /Container python:3\.12 \(docker\)/);
    assert.match(await inspector.page.getByTestId('row').last().innerText(), /container: none/);
  });

  it('lists at the end the actions of a run: tool, files and outcome', async () => {
    const results = [
      { id: 'c2', action: 'edit_file', summary: 'Edit the sum', files: ['src/add.ts', 'src/sum.ts'], state: 'ok' },
      { id: 'c3', action: 'run_command', summary: 'Run rm -rf ~/.cache', files: [], state: 'rejected' },
    ] as const;
    const run = fullRun().map((event) =>
      event.type === 'finished'
        ? { ...event, results: results.map((each) => ({ ...each, files: [...each.files] })) }
        : event,
    );
    await open([runOf(run)]);
    await press('$', 'Enter');
    const lines = inspector.page.getByTestId('results').locator('li');
    assert.deepEqual(
      (await lines.allInnerTexts()).map((line) => line.replace(/\s+/g, ' ').trim()),
      ['Edit the sum edit_file, src/add.ts, src/sum.ts done', 'Run rm -rf ~/.cache run_command refused'],
    );
  });

  it('puts each heading of a column above its figures', async () => {
    await open([runOf(fullRun())]);
    const ends = (part: string): Promise<number[]> =>
      inspector.page
        .locator(`${part} .row-figure`)
        .evaluateAll((all) => all.slice(0, 3).map((one) => Math.round(one.getBoundingClientRect().right)));
    assert.deepEqual(await ends('.columns'), await ends('.row-line'));
    const edges = await inspector.page
      .locator('.row-counts:not(:has(+ .row-result)), .row-result')
      .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().right)));
    assert.deepEqual([edges.length > 1, new Set(edges).size], [true, 1]);
  });

  it('supports the keys of mini-swe-agent’s inspector', async () => {
    await open([runOf(fullRun())]);
    await press('0');
    assert.match(await current(), /^Task/);
    await press('l', 'l');
    assert.match(await current(), /^Step 2\s*Edit src\/add\.ts/);
    await press('h');
    assert.match(await current(), /^Step 1/);
    await press('Enter', 'l');
    assert.deepEqual(await openSeqs(), [6]);
    await press('$');
    assert.match(await current(), /^End/);
    await press('L', 'H', 'e', 'E', 'R');
    assert.deepEqual(
      inspector.asked.map(({ type }) => type),
      ['neighbour', 'neighbour', 'open_text', 'open_text'],
    );
    assert.match(await current(), /^End/);
    await press('0', 'l', 'r');
    assert.match(await inspector.page.getByTestId('step-view').innerText(), /Both files can be read at once/);
    await press('?');
    assert.ok(await inspector.page.getByTestId('help').isVisible());
    await press('Escape');
    assert.equal(await inspector.page.getByTestId('help').count(), 0);
  });

  it('offers to fork only sessions of the window', async () => {
    for (const [more, offers] of [
      [{ session: true }, 1],
      [{}, 0],
    ] as const) {
      if (offers === 0) await inspector.page.close();
      await open([runOf(fullRun(), more)]);
      await press('0', 'l', 'Enter');
      await inspector.page.getByTestId('step-view').waitFor();
      assert.equal(await inspector.page.getByTestId('fork').count(), offers);
    }
  });

  it('shows the exact request of a step and where it differs from the previous one', async () => {
    await open([runOf(fullRun())]);
    await press('0', 'l', 'l', 'Enter');
    await inspector.page.getByTestId('call-request').click();
    await inspector.settle();
    assert.match(
      await inspector.page.getByTestId('continues').innerText(),
      /Continues the request of step 1; its 2 messages/,
    );
    await inspector.page.getByTestId('request-message').last().click();
    await inspector.settle();
    assert.match(await inspector.page.getByTestId('request').innerText(), /AssertionError/);
    const last = fullRun().findLast((event) => event.type === 'agent_response')!;
    inspector.channel.show(last.seq);
    await inspector.settle();
    await inspector.page.locator(`.step:has([data-seq="${last.seq}"])`).getByTestId('call-request').click();
    await inspector.settle();
    assert.match(
      await inspector.page.getByTestId('cache-break').innerText(),
      /the provider’s cache can serve .* nothing from message 2 on/,
    );
  });

  it('shows a run of another program as its file describes it, including unknown fields, and adds nothing', async () => {
    const [file] = writeAtOnce(formatNamed('mini'), fullRun(), { version: '1', session: 's' });
    const document = JSON.parse(file!.text) as { info: object; messages: { role: string; extra?: object }[] };
    Object.assign(document.info, {
      config: { agent: { step_limit: 7, cost_limit: 2, whitelist_actions: ['^ls'] }, model: { model_name: 'm-1' } },
    });
    document.messages.find(({ role }) => role === 'assistant')!.extra = { container: 'sweb.eval' };
    const { events, problems } = formatNamed('mini').reader!.read([
      { path: 'a.traj.json', text: JSON.stringify(document) },
    ]);
    await open([runOf(events, { format: 'mini-swe-agent', problems: problems.map(readProblemLine) })]);
    assert.doesNotMatch(await inspector.page.locator('.run-head').innerText(), /profile|waymark/i);
    await press('0', 'Enter');
    const begun = inspector.page.getByTestId('step-view');
    assert.match(await begun.innerText(), /Model\s+m-1\s+Limits\s+7 steps · \$2\.00/);
    assert.doesNotMatch(await begun.innerText(), /Profile|Mode\n/);
    await begun.getByTestId('foreign').filter({ hasText: 'info.config' }).locator('summary').click();
    assert.match(
      await begun.getByTestId('foreign').innerText(),
      /info\.config\.agent\.whitelist_actions: \[\s+"\^ls"\s+\]/,
    );
    await press('l');
    const step = inspector.page.getByTestId('step-view');
    await step.getByTestId('foreign').filter({ hasText: 'extra.container' }).locator('summary').click();
    assert.match(await step.innerText(), /extra\.container: "sweb\.eval"/);
    assert.doesNotMatch(await step.innerText(), /Risk|Fork|Ended with|1970/);
  });

  it('shows the pictures of a message, and its mentions as the model read them', async () => {
    const image = {
      mediaType: 'image/png',
      data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
    };
    const context = [
      {
        kind: 'file',
        label: '@src/add.ts',
        text: 'export const pointed = true;',
        tokens: 12,
        source: 'src/add.ts',
        trust: 'project' as const,
      },
    ];
    await open([
      runOf(
        fullRun().map((event) =>
          event.type === 'user_message' || event.type === 'task_started'
            ? { ...event, images: [image], context }
            : event,
        ),
      ),
    ]);
    await press('0', 'Enter');
    await inspector.page.getByTestId('context').locator('summary').click();
    assert.match(
      await inspector.page.getByTestId('step-view').innerText(),
      /@src\/add\.ts · 12 tokens\s+export const pointed = true;/,
    );
    assert.equal(
      await inspector.page
        .getByTestId('seen-pictures')
        .locator('img')
        .evaluate((picture) => (picture as HTMLImageElement).naturalWidth),
      1,
    );
    await inspector.page.locator('.row-line.message').click();
    await inspector.settle();
    assert.equal(await inspector.page.getByTestId('seen-pictures').count(), 2);
  });

  it('searches arguments, output and reasoning, and filters by kind of step', async () => {
    await open([runOf(fullRun())]);
    await press('/');
    await inspector.page.keyboard.type('assertionerror');
    await inspector.page.waitForFunction(() => document.querySelectorAll('[data-testid=row]').length === 1);
    assert.deepEqual(
      await inspector.page
        .getByTestId('row')
        .evaluateAll((rows) => rows.map((row) => (row as HTMLElement).dataset['seq'])),
      ['1'],
    );
    await press('Escape', 'Escape');
    await inspector.page.getByTestId('filter-edit').click();
    await inspector.settle();
    assert.equal(await inspector.page.getByTestId('row').count(), 1);
  });

  it('keeps few nodes for 17,000 steps, and reaches the last one with one key', async () => {
    await open([runOf(longRun(17_000))]);
    assert.ok(((await inspector.page.evaluate('document.querySelectorAll("*").length')) as number) < 1500);
    await press('0', '$');
    assert.match(await current(), /^Step 17000\s*Run echo step-16999/);
  });

  it('updates during a run, including open steps', async () => {
    const whole = fullRun();
    const log = whole.slice(0, 7);
    await open([runOf(log)]);
    await press('$', 'Enter');
    assert.match(await inspector.page.getByTestId('step-view').innerText(), /waiting/);
    assert.equal(await inspector.page.locator('.step-view .diff').count(), 0);
    log.push(...whole.slice(7, 12));
    inspector.channel.appended();
    await inspector.page.locator('.step-view .diff').waitFor();
    await inspector.settle();
    assert.deepEqual([await inspector.page.getByTestId('row').count(), await openSeqs()], [4, [6]]);
    assert.match(await current(), /^Step 2/);
  });

  it('says that its file has changed, and reloads it in the same place', async () => {
    let log = fullRun().slice(0, 9);
    await open(() => [runOf(log)]);
    await press('0', 'l', 'Enter');
    log = fullRun();
    inspector.channel.grown();
    await inspector.settle();
    await inspector.page.getByTestId('reload').click();
    await inspector.page.getByTestId('row').nth(13).waitFor();
    await inspector.settle();
    assert.deepEqual(
      [
        await inspector.page.getByTestId('row').count(),
        await openSeqs(),
        await inspector.page.getByTestId('reload').count(),
      ],
      [14, [1], 0],
    );
  });

  it('draws time, tokens, cost and context, each with an equivalent table, and the graph of sessions', async () => {
    await open([runOf(fullRun())]);
    await press('v');
    const charts = inspector.page.getByTestId('chart');
    assert.deepEqual(await charts.locator('h2').allInnerTexts(), ['Time', 'Tokens', 'Cost', 'Context used']);
    assert.equal(await charts.nth(1).locator('rect:not(.bar-ground)').count(), 24);
    await charts.nth(1).locator('summary').click();
    assert.deepEqual(await charts.nth(1).locator('tbody tr').first().locator('th, td').allInnerTexts(), [
      'Step 1',
      '1.8k',
      '2.4k',
      '560',
    ]);
    await inspector.page.getByTestId('run-graph').locator('svg').waitFor();
    await inspector.page.getByTestId('run-graph').locator('summary').click();
    assert.deepEqual(
      await inspector.page.getByTestId('run-graph').locator('tbody tr').last().locator('th, td').allInnerTexts(),
      ['Look at the tests', 'Failed', 'Delegate 2 tasks'],
    );
    assert.deepEqual(
      (await axeViolations(inspector.page)).map(({ id, nodes }) => [id, nodes[0]?.html]),
      [],
    );
    await inspector.page.getByRole('button', { name: 'Look at the tests' }).click();
    await inspector.settle();
    assert.deepEqual(inspector.asked, [{ type: 'open_session', id: 'child-b' }]);
    await charts.nth(1).locator('tbody button').nth(2).click();
    await inspector.settle();
    assert.match(await current(), /^Step 3/);
    assert.deepEqual(await openSeqs(), [9]);
  });

  it('shows two runs side by side, aligned by their actions, and opens both steps at once', async () => {
    await open([runOf(fullRun()), runOf(otherRun())], { width: 1200 });
    assert.match(await inspector.page.getByTestId('compare-line').innerText(), /^9 of 14 lines differ/);
    const sides = (pair: number) =>
      inspector.page
        .getByTestId('pair')
        .nth(pair)
        .locator('.side')
        .evaluateAll((all) => all.map((side) => side.querySelector('.row-text')?.textContent ?? ''));
    assert.deepEqual(await sides(9), ['Run npm test', 'Run npm test']);
    assert.deepEqual(await sides(3), ['Run rm -rf dist ../shared-cache && npm run build', '']);
    await press('0', 'd');
    assert.match(await current(), /^Step 3/);
    await press('0', 'l', 'Enter');
    assert.equal(await inspector.page.getByTestId('step-view').count(), 2);
    await inspector.page.getByTestId('step-view').nth(1).locator('.link', { hasText: 'Open file' }).first().click();
    await inspector.settle();
    assert.deepEqual(inspector.asked, [{ type: 'open_file', run: 1, path: 'test/add.test.ts', line: 1 }]);
    assert.deepEqual(
      (await axeViolations(inspector.page)).map(({ id, nodes }) => [id, nodes[0]?.html]),
      [],
    );
  });

  it('displays hidden characters and markup of a log as text', async () => {
    const hostile = '<img src=x onerror=alert(1)><script>alert(2)</script> [x](javascript:alert(3))';
    const log = fullRun().map((event) => {
      if (event.type === 'task_started') return { ...event, title: hostile, task: hostile };
      return event.type === 'agent_response' ? { ...event, text: hostile } : event;
    });
    await open([runOf(log)]);
    await press('0', 'Enter', 'l');
    assert.equal(await inspector.page.locator('#root img, #root script, #root a[href]').count(), 0);
    assert.ok((await inspector.page.locator('h1').innerText()).includes('<img src=x'));
  });

  for (const width of [280, 420]) {
    it(`fits into ${width} px without horizontal scrolling`, async () => {
      await open([runOf(fullRun())], { width });
      for (const keys of [['0', 'l', 'Enter'], ['v']]) {
        await press(...keys);
        assert.deepEqual(
          await inspector.page.evaluate(
            '[...document.querySelectorAll("html, body, .steps, .step, .run-head, .toolbar, .charts")].filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.className)',
          ),
          [],
        );
      }
    });
  }

  for (const theme of ['dark', 'light', 'hc-dark', 'hc-light'] as const) {
    it(`passes axe: ${theme}`, async () => {
      await open([runOf(fullRun(), { problems: ['The log is damaged at event 40; what comes before is shown.'] })], {
        theme,
      });
      await press('0', 'l', 'Enter');
      assert.deepEqual(
        (await axeViolations(inspector.page)).map(({ id, nodes }) => [id, nodes[0]?.html]),
        [],
      );
    });
  }
});
