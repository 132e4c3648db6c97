import assert from 'node:assert/strict';
import path from 'node:path';
import { fullRun } from '../../support/trajectory';
import { formatNamed } from '../../../src/core/trajectory/formats/formats';
import { play } from '../gallery/play';
import { diagrams } from '../gallery/diagrams';
import { scenes } from '../gallery/scenes';
import { action, command, facts, log, observed, page, reply, started, task } from '../support/events';
import { axeViolations, type PanelPage } from '../support/panelSite';
import { themes, type Theme } from '../support/themes';
import { problemsOf, usePanel, useSite } from '../support/usePanel';
import { writeAtOnce } from '../../../src/core/trajectory/format';

/** Interval over which announcements for screen readers are batched, in ms. */
const batchMs = 700;
const shots = path.join(process.env['REPOSITORY']!, 'out/shots');
const looks = Object.keys(themes) as Theme[];

/** Visible texts of the page, each with whether it is hidden from screen readers. */
const seenTexts = `(() => {
  const texts = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const around = node.parentElement;
    const range = document.createRange();
    range.selectNodeContents(node);
    const { width, height } = range.getBoundingClientRect();
    if (['SCRIPT', 'STYLE'].includes(around.tagName) || width < 2 || height < 2) continue;
    if (around.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
      texts.push({ words: node.data, spared: around.closest('[aria-hidden=true]') !== null });
  }
  return texts;
})()`;

const onlyWords = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, '');

/**
 * Returns visible texts that are missing from the accessibility tree. Line numbers are hidden on purpose: the name of
 * each hunk contains its first line number.
 */
async function unheard({ page }: PanelPage): Promise<string[]> {
  const seen = (await page.evaluate(seenTexts)) as { words: string; spared: boolean }[];
  const tree = onlyWords((await page.locator('body').ariaSnapshot()).replace(/\\(.)/g, '$1'));
  const isLineNumber = ({ words, spared }: (typeof seen)[number]): boolean => spared && /^\s*\d+\s*$/.test(words);
  return seen.filter((text) => !isLineNumber(text) && !tree.includes(onlyWords(text.words))).map(({ words }) => words);
}

/** The panel may draw other rows between the two readings, so what is missed in one of them is read again. */
async function unheardAgain(panel: PanelPage): Promise<string[]> {
  let missed = await unheard(panel);
  for (let reading = 0; missed.length > 0 && reading < 3; reading++) {
    await panel.page.waitForTimeout(200);
    missed = await unheard(panel);
  }
  return missed;
}

/** Records the text of each live region, as a screen reader would announce it. */
const listening = `
  const said = window.said = [];
  const regions = '[role=status], [role=alert], [role=log], [aria-live=polite], [aria-live=assertive]';
  const heard = new WeakMap();
  new MutationObserver((changes) => {
    const changed = new Set(changes.map(({ target }) => (target.closest ? target : target.parentElement)?.closest(regions)));
    for (const region of changed) {
      const words = region?.textContent.trim();
      if (!words || heard.get(region) === words) continue;
      heard.set(region, words);
      said.push(words);
    }
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
`;

const run = log(
  task('Clean up.'),
  reply('I delete what was built.', [
    action('a1', 'run_command', { command: 'rm -rf dist' }, 'Run rm -rf dist', {
      risk: { level: 'high', reasons: ['Deletes a folder'], culprit: 'rm -rf' },
    }),
  ]),
  { type: 'confirmation_requested', actionIds: ['a1'] },
  { type: 'confirmation_resolved', actionIds: ['a1'], approved: true, by: 'person' },
  started('a1'),
  observed('a1', '', command(0)),
  reply('', [action('a2', 'finish', { summary: 'Deleted dist.' }, 'Finish')]),
  { type: 'finished', status: 'submitted', summary: 'Deleted dist.' },
);

describe('announcements for screen readers', function () {
  const { panel, byId } = usePanel(this);

  it('say once that approval is needed and once that the agent is done', async () => {
    await panel().send(page(run.slice(0, 1), { running: true, status: 'ready' }));
    await panel().page.evaluate(listening);
    for (const [index, event] of run.entries()) {
      if (index === 0) continue;
      const status = event.type === 'confirmation_requested' ? 'waiting_for_confirmation' : 'ready';
      const now = facts({
        running: event.type !== 'finished',
        status: event.type === 'finished' ? 'finished' : status,
      });
      await panel().send({ type: 'events', from: index, events: [event], facts: now }, { type: 'facts', facts: now });
      if (event.type === 'confirmation_requested') await byId('approval').waitFor();
      if (event.type === 'confirmation_requested' || event.type === 'finished')
        await panel().page.waitForTimeout(batchMs * 2);
    }
    const said = (await panel().page.evaluate('window.said')) as string[];
    assert.deepEqual(said, ['Approval needed: Run rm -rf dist. Deletes a folder', 'Finished. Deleted dist.']);
  });

  it('say what is needed again if it is needed again', async () => {
    await panel().send(page(run.slice(0, 1), { running: true, status: 'ready' }));
    await panel().page.evaluate(
      `window.changes = []; new MutationObserver(() => changes.push(document.querySelector('[data-testid=announcer]').textContent)).observe(document.querySelector('[data-testid=announcer]'), { subtree: true, childList: true, characterData: true });`,
    );
    const ended = { type: 'finished' as const, status: 'submitted' as const, summary: 'Done.' };
    for (const seq of [1, 2]) {
      await panel().send({ type: 'events', from: seq, events: [{ ...ended, seq, at: 0 }], facts: facts() });
      await panel().page.waitForTimeout(batchMs * 2);
    }
    const said = ((await panel().page.evaluate('changes')) as string[]).filter(Boolean);
    assert.deepEqual(said, ['Finished. Done.', 'Finished. Done.']);
  });

  it('name the sandbox once', async () => {
    await panel().send(page(run.slice(0, 1)));
    const { words } = facts().sandbox!;
    assert.equal(await byId('sandbox').getAttribute('aria-label'), words);
  });
});

describe('accessibility', function () {
  const site = useSite(this);

  for (const [index, [name, scene]] of Object.entries(scenes).entries())
    it(`${name}: everything visible is readable for screen readers, axe passes and nothing scrolls sideways, narrow, from right to left, at 200 %`, async () => {
      const panel = await site().open({ width: 300, fontSize: 26, theme: looks[index % looks.length]!, axe: true });
      await panel.page.evaluate('document.documentElement.dir = "rtl"');
      await play(panel, scene);
      // A running time must not change between two readings.
      await panel.page.evaluate('{ const now = Date.now(); Date.now = () => now; }');
      const wide: unknown[] = [];
      const found: unknown[] = [];
      for (const place of ['side bar', 'tab']) {
        if (place === 'tab') await panel.page.evaluate('document.body.classList.add("tab")');
        const tooWide = (await panel.page.evaluate(
          '[...document.querySelectorAll("html, body, .feed, .header, .composer, .card, .overlay, .welcome")].filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.className || one.tagName)',
        )) as string[];
        wide.push(...tooWide.map((name) => [place, name]));
        found.push(
          ...(await axeViolations(panel.page)).map(({ id, nodes }) => [place, id, nodes[0]?.html.slice(0, 200)]),
        );
      }
      const motion = await panel.page.evaluate(
        'document.getAnimations().filter(one => (one.effect.getComputedTiming().duration ?? 0) > 1 && one.playState === "running").length',
      );
      const missed = await unheardAgain(panel);
      const problems = await problemsOf(panel);
      await panel.close();
      assert.deepEqual(
        { wide, found, motion, missed, problems },
        { wide: [], found: [], motion: 0, missed: [], problems: [] },
      );
    });

  for (const colorScheme of ['light', 'dark'] as const)
    it(`the report of a session passes axe, ${colorScheme}`, async () => {
      const text = writeAtOnce(formatNamed('html'), fullRun(), { version: '1.2.3', session: 'session' })[0]!.text;
      const page = await site().browser.newPage({ viewport: { width: 300, height: 800 }, colorScheme });
      await page.setContent(text);
      const found = (await axeViolations(page)).map(({ id, nodes }) => [id, nodes[0]?.html.slice(0, 200)]);
      await page.close();
      assert.deepEqual(found, []);
    });

  for (const colorScheme of ['light', 'dark'] as const)
    it(`the report draws diagrams under its policy with text that fits, and keeps others as code, ${colorScheme}`, async () => {
      const odd = '```mermaid\nflowchart LR\n  a["<b>\u202eshort\u202c</b>"] --> b["日本語の長い名前"]\n```';
      const gantt = '```mermaid\ngantt\n  title Not drawn\n```';
      const drawn = [diagrams.flowchart, diagrams.sequence, diagrams.others, odd, gantt].join('\n\n');
      const text = writeAtOnce(formatNamed('html'), log(task('Draw.'), reply(drawn, [])), {
        version: '1.2.3',
        session: 's',
      })[0]!.text;
      const page = await site().browser.newPage({ viewport: { width: 300, height: 800 }, colorScheme });
      const problems: string[] = [];
      page.on('console', (message) => problems.push(message.text()));
      await page.setContent(text);
      const found = (await axeViolations(page)).map(({ id, nodes }) => [id, nodes[0]?.html.slice(0, 200)]);
      const pictures = await page.locator('.diagram svg').count();
      const wide = await page.evaluate('document.documentElement.scrollWidth > innerWidth + 1');
      // The text of a node and the box drawn behind it. The text width is an estimate, because a system may have wider
      // fonts.
      const outside = (await page.evaluate(`[...document.querySelectorAll('.diagram svg')].flatMap(svg => {
        const boxes = [...svg.querySelectorAll('.diagram-node')].map(one => one.getBBox());
        return [...svg.querySelectorAll('text')].map(one => ({ words: one.textContent, box: one.getBBox() })).filter(({ box }) => {
          const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
          const around = boxes.find(each => middle.x > each.x && middle.x < each.x + each.width && middle.y > each.y && middle.y < each.y + each.height);
          return around !== undefined && box.width > around.width * 1.1;
        }).map(({ words }) => words);
      })`)) as string[];
      const words = await page.locator('.diagram text').allTextContents();
      await page.screenshot({ path: path.join(shots, `report-diagrams-${colorScheme}.png`), fullPage: true });
      await page.close();
      assert.deepEqual({ found, problems, wide, outside }, { found: [], problems: [], wide: false, outside: [] });
      assert.equal(pictures, 6);
      assert.ok(
        words.some((each) => each.includes('U+202Eshort')),
        words.join(' | '),
      );
      assert.match(text, /<pre>gantt/);
    });
});
