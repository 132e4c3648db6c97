import assert from 'node:assert/strict';
import { fullRun } from '../support/trajectory';
import { formatNamed } from '../../src/core/trajectory/formats/formats';
import { scenes } from './gallery/scenes';
import { axeViolations } from './support/panelSite';
import { themes, type Theme } from './support/themes';
import { usePanel } from './support/usePanel';

const looks = Object.keys(themes) as Theme[];

/** States in which a person reads or decides. The gallery looks at all of them, but not from right to left. */
const narrowed = ['paused', 'stopped', 'plan-mode', 'circles', 'finished', 'limit-reached', 'card-fetch', 'markdown'];

describe('for everybody', function () {
  const { site } = usePanel(this);

  for (const [index, name] of narrowed.entries())
    it(`${name}: axe finds nothing and nothing scrolls sideways, narrow, from right to left, at 200 %`, async () => {
      const panel = await site().open({ width: 300, fontSize: 26, theme: looks[index % looks.length]! });
      await panel.page.evaluate('document.documentElement.dir = "rtl"');
      await panel.send(...scenes[name]!.messages);
      const wide = await panel.page.evaluate(
        '[...document.querySelectorAll("html, body, .feed, .header, .composer, .card, .overlay, .welcome")].filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.className || one.tagName)',
      );
      const found = (await axeViolations(panel.page)).map(({ id, nodes }) => [id, nodes[0]?.html.slice(0, 200)]);
      const motion = await panel.page.evaluate(
        'document.getAnimations().filter(one => (one.effect.getComputedTiming().duration ?? 0) > 1 && one.playState === "running").length',
      );
      await panel.page.close();
      assert.deepEqual(
        { wide, found, motion, problems: panel.problems },
        { wide: [], found: [], motion: 0, problems: [] },
      );
    });

  for (const colorScheme of ['light', 'dark'] as const)
    it(`the report of a session has nothing for axe to find, ${colorScheme}`, async () => {
      const text = formatNamed('html').write!(fullRun(), { version: '1.2.3', session: 'session' })[0]!.text;
      const page = await site().browser.newPage({ viewport: { width: 300, height: 800 }, colorScheme });
      await page.setContent(text);
      const found = (await axeViolations(page)).map(({ id, nodes }) => [id, nodes[0]?.html.slice(0, 200)]);
      await page.close();
      assert.deepEqual(found, []);
    });
});
