import assert from 'node:assert/strict';
import { scenes } from '../gallery/scenes';
import { log, page, reply, task } from '../support/events';
import type { PanelPage } from '../support/panelSite';
import { themes, type Theme } from '../support/themes';
import { useSite } from '../support/usePanel';

/** Contrast of the color of the first match with the background of the page. */
const contrastOf = (panel: PanelPage, part: string): Promise<number> =>
  panel.page
    .locator(part)
    .first()
    .evaluate((one) => {
      const canvas = document.createElement('canvas').getContext('2d')!;
      const ground = getComputedStyle(document.body).backgroundColor;
      const light = (color: string): number => {
        for (const paint of [ground, color]) {
          canvas.fillStyle = paint;
          canvas.fillRect(0, 0, 1, 1);
        }
        const [red, green, blue] = [...canvas.getImageData(0, 0, 1, 1).data].map((value) => {
          const share = value / 255;
          return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue! + 0.05;
      };
      const [a, b] = [light(getComputedStyle(one).color), light(ground)];
      return Math.max(a, b) / Math.min(a, b);
    });

describe('the look of the panel', function () {
  const site = useSite(this);

  it('writes each text in the direction of its script, and code always from left to right', async () => {
    const panel = await site().open({ width: 400 });
    const words = 'هذا نص عربي مع `npm test` في الوسط.\n\n- نقطة\n\nPlain English.\n\n```sh\nls\n```';
    await panel.send(page(log(task('اكتب ملفًا باسم hello.txt.'), reply(words, [])), { status: 'idle' }));
    const direction = (part: string) =>
      panel.page
        .locator(part)
        .first()
        .evaluate((one) => getComputedStyle(one).direction);
    assert.equal(await direction('.markdown p'), 'rtl');
    assert.equal(await direction('.markdown p code'), 'ltr');
    assert.equal(await direction('.markdown ul'), 'rtl');
    assert.equal(await direction('.markdown p:text("Plain English.")'), 'ltr');
    assert.equal(await direction('.markdown pre'), 'ltr');
    /** Distance of the text from the left edge of its box, in pixels. */
    const gapOf = (part: string) =>
      panel.page
        .locator(part)
        .first()
        .evaluate((one) => {
          const range = document.createRange();
          range.selectNodeContents(one);
          return range.getBoundingClientRect().left - one.getBoundingClientRect().left;
        });
    assert.ok((await gapOf('.message .plain')) > 40, 'the message begins at the right edge');
    await panel.close();
  });

  it('cuts no number of the header in a narrow view, in whichever mode, theme and language', async () => {
    const cut: string[] = [];
    for (const language of ['en', 'de'])
      for (const theme of Object.keys(themes) as Theme[]) {
        const panel = await site().open({ theme, width: 280, language });
        for (const name of ['human', 'plan-mode', 'structured', 'context', 'card-inline-unconfined', 'failed']) {
          await panel.send(...scenes[name]!.messages);
          const found = await panel.page.getByTestId('usage').evaluate((usage) => {
            const words = usage.querySelector(':scope > span:last-child')!;
            const header = usage.closest('.header')!;
            return { cut: words.scrollWidth > words.clientWidth, over: header.scrollWidth > header.clientWidth };
          });
          if (found.cut || found.over) cut.push(`${name} ${theme} ${language} ${JSON.stringify(found)}`);
        }
        await panel.close();
      }
    assert.deepEqual(cut, []);
  });

  it('shortens the name of the model before the mode', async () => {
    const panel = await site().open({ width: 280 });
    for (const name of ['plan-mode', 'card-inline-unconfined']) {
      await panel.send(...scenes[name]!.messages);
      const missing = await panel.page.getByTestId('mode').evaluate((mode) => {
        const line = mode.closest<HTMLElement>('.header-line')!;
        const shown = mode.getBoundingClientRect().width;
        line.style.flexWrap = 'wrap';
        const whole = mode.getBoundingClientRect().width;
        line.style.flexWrap = '';
        return whole - shown;
      });
      assert.equal(missing, 0, name);
    }
    await panel.close();
  });

  it('reserves the color of the focus for the focus in high contrast', async () => {
    const panel = await site().open({ theme: 'hc-dark', width: 600 });
    await panel.send(...scenes['card-new-file']!.messages);
    const [border, focus] = await panel.page.locator('.approval.calm > div').evaluate((card) => {
      const probe = document.body.appendChild(document.createElement('i'));
      probe.style.color = 'var(--vscode-focusBorder)';
      return [getComputedStyle(card).borderTopColor, getComputedStyle(probe).color];
    });
    assert.notEqual(border, focus);
    await panel.close();
  });

  it('has marks of success that stand out in every theme', async () => {
    for (const theme of Object.keys(themes) as Theme[]) {
      const panel = await site().open({ theme, width: 600 });
      await panel.send(...scenes['finished']!.messages);
      for (const part of ['.finished-head .codicon', '.plain-list .codicon-check']) {
        const contrast = await contrastOf(panel, part);
        assert.ok(contrast >= 3, `${part} in ${theme}: ${contrast.toFixed(2)}`);
      }
      await panel.close();
    }
  });

  it('draws the frames of diagrams and plans visibly in every theme', async () => {
    for (const theme of Object.keys(themes) as Theme[]) {
      const panel = await site().open({ theme, width: 600 });
      for (const [name, part] of [
        ['diagrams', '.diagram-group'],
        ['plan', '.plan-node:not(.is-good, .is-warn, .is-running) rect'],
      ] as const) {
        await panel.send(...scenes[name]!.messages);
        const frame = panel.page.locator(part).first();
        await frame.waitFor({ state: 'attached' });
        await frame.evaluate((one: SVGElement) => (one.style.color = getComputedStyle(one).stroke));
        const contrast = await contrastOf(panel, part);
        assert.ok(contrast >= 3, `${name} in ${theme}: ${contrast.toFixed(2)}`);
      }
      await panel.close();
    }
  });

  it('marks a command that failed in red where a run ends, as in its step', async () => {
    const panel = await site().open({ width: 600 });
    await panel.send(...scenes['stopped']!.messages);
    const color = (part: string) =>
      panel.page
        .locator(part)
        .first()
        .evaluate((one) => getComputedStyle(one).color);
    assert.equal(await color('.plain-list .codicon-error'), await color('.step-row.bad > .meta'));
    await panel.close();
  });

  it('ends a line of facts only between two of them', async () => {
    const panel = await site().open({ width: 280 });
    await panel.send(...scenes['starters']!.messages);
    const detail = panel.page.getByTestId('recent').first().locator('.dim');
    assert.match((await detail.textContent())!, /^Finished · .+ · 6 steps · 1 file · \$0\.04$/);
    const tops = await detail.evaluate((one) => {
      const words = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
      const found: number[][] = [];
      while (words.nextNode()) {
        const range = document.createRange();
        range.selectNodeContents(words.currentNode);
        found.push([...range.getClientRects()].map(({ top }) => top));
      }
      return found;
    });
    assert.deepEqual([tops.some((each) => each.length > 1), new Set(tops.flat()).size], [false, 2]);
    await panel.close();
  });

  it('shows both counts of changed lines before an edit is applied, as after it', async () => {
    const panel = await site().open({ width: 600 });
    await panel.send(...scenes['card-new-file']!.messages);
    assert.equal(await panel.page.locator('.edited-name .counts').innerText(), '+4 −0');
    await panel.close();
  });

  it('sets the lines below a message in one size and at one distance', async () => {
    const panel = await site().open({ width: 600 });
    await panel.send(...scenes['steered']!.messages);
    const below = await panel.page.locator('.message > .message-actions, .message > .dim').evaluateAll((all) =>
      all.map((one) => {
        const { fontSize, marginTop } = getComputedStyle(one);
        return `${fontSize} ${marginTop} ${getComputedStyle(one.querySelector('button') ?? one).fontSize}`;
      }),
    );
    assert.deepEqual([below.length > 2, new Set(below).size], [true, 1]);
    await panel.close();
  });

  it('draws the outline of a focused link around its letters', async () => {
    const panel = await site().open({ width: 600 });
    await panel.send(...scenes['running-command']!.messages);
    const link = panel.page.locator('.link').first();
    await link.focus();
    await panel.page.keyboard.press('Shift+Tab');
    await panel.page.keyboard.press('Tab');
    assert.equal(await panel.page.evaluate('getComputedStyle(document.activeElement).outlineOffset'), '1px');
    await panel.close();
  });
});
