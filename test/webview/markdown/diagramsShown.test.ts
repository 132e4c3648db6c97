import assert from 'node:assert/strict';
import { log, page, reply, task } from '../support/events';
import { axeViolations } from '../support/panelSite';
import { usePanel } from '../support/usePanel';

const fence = (...lines: string[]): string => ['```mermaid', ...lines, '```'].join('\n');
const simple = fence('flowchart LR', '  a[First] -->|then| b[Second]');
const said = (words: string) => page(log(task('Draw it.'), reply(words, [])));

describe('diagrams in the panel', function () {
  const { panel, byId } = usePanel(this);
  const picture = () => panel().page.locator('.diagram svg');
  const scripts = () => panel().page.locator('script[src*="layout"]').count();

  it('are drawn under the policy of the view, with a name, and show their source on a click', async () => {
    await panel().send(said(`So it goes:\n\n${simple}`));
    await picture().waitFor();
    assert.equal(await picture().getAttribute('aria-label'), 'Flowchart: First, Second');
    assert.deepEqual(await picture().locator('text').allTextContents(), ['First', 'Second', 'then']);
    await byId('diagram-source').click();
    await picture().waitFor({ state: 'hidden' });
    assert.match(await panel().page.locator('.code pre').innerText(), /a\[First\] -->\|then\| b\[Second\]/);
    assert.equal(await byId('diagram-source').innerText(), 'Show diagram');
    await panel().page.keyboard.press('Enter');
    await picture().waitFor();
    assert.ok(await panel().page.locator('.code pre').isHidden());
    assert.deepEqual(await axeViolations(panel().page), []);
  });

  it('copy their source, even while the picture is shown', async () => {
    await panel().send(said(simple));
    await picture().waitFor();
    await panel().page.locator('.code [data-copy]').click();
    assert.deepEqual(await panel().postedOf('copy'), [
      { type: 'copy', text: 'flowchart LR\n  a[First] -->|then| b[Second]' },
    ]);
  });

  it('load their code only after the first one is complete', async () => {
    await panel().send(page(log(task('Draw it.')), { running: true, status: 'ready' }));
    const stream = (text: string) => panel().send({ type: 'deltas', deltas: [{ kind: 'text', text }] });
    await stream('Words and `code`.\n\n```ts\nconst a = 1;\n```\n\n');
    assert.equal(await scripts(), 0);
    await stream('```mermaid\nflowchart LR\n  a --> b\n');
    await panel().page.waitForTimeout(100);
    assert.equal(await scripts(), 0);
    assert.equal(await picture().count(), 0);
    await stream('  b --> c\n```\n\nThat was it.\n\nMore.');
    await picture().waitFor();
    assert.equal(await scripts(), 1);
    assert.deepEqual(await picture().locator('text').allTextContents(), ['a', 'b', 'c']);
  });

  it('stay code with a one-line reason if they cannot be drawn', async () => {
    const why = async (...lines: string[]): Promise<string> => {
      await panel().send(said(fence(...lines)));
      const line = panel().page.locator('.diagram-not');
      await line.waitFor();
      assert.ok(await panel().page.locator('.code pre').isVisible());
      assert.equal(await picture().count(), 0);
      const words = await line.innerText();
      await panel().send(said('Nothing.'));
      await line.waitFor({ state: 'detached' });
      return words;
    };
    assert.equal(await why('flowchart TD', '  a --> b', '  b => c'), 'Not drawn: line 3 is invalid or not supported.');
    assert.equal(await why('pie', '  "a": 1'), 'Not drawn: this kind of diagram is not supported.');
    const crowd = Array.from({ length: 400 }, (_, node) => `  n${node} --> n${node + 1}`);
    assert.equal(await why('flowchart TD', ...crowd), 'Not drawn: the diagram is too large.');
  });

  it('create nothing active from hostile text', async () => {
    const texts = [
      fence('flowchart TD', '  a["<img src=x onerror=window.hacked=1>"] --> b["<svg onload=window.hacked=1>"]'),
      fence(
        'flowchart TD',
        '  a --> b',
        '  click a "javascript:window.hacked=1"',
        '  click b href "https://evil.example"',
      ),
      fence(
        '%%{init: {"securityLevel": "loose", "themeCSS": "@import url(https://evil.example)"}}%%',
        'graph TD; a-->b',
      ),
      fence('flowchart TD', '  a:::x --> b', '  classDef x fill:url(https://evil.example/p.png)'),
      fence('flowchart TD', '  a@{ img: "https://evil.example/p.png", label: "x" } --> b'),
      fence(
        'sequenceDiagram',
        '  A->>B: </text><script>window.hacked=1</script>',
        '  links A: {"x": "https://evil.example"}',
      ),
      fence('classDiagram', '  class A["<iframe src=https://evil.example>"]', '  link A "https://evil.example"'),
      fence('stateDiagram-v2', '  a : <a href="javascript:window.hacked=1">x</a>'),
      fence('erDiagram', '  A ||--o{ B : "<style>*{display:none}</style>"'),
      fence(
        'flowchart TD',
        '  __proto__ --> constructor',
        '  toString --> __proto__',
        '  a[hasOwnProperty] --> valueOf',
      ),
      fence('sequenceDiagram', '  participant __proto__', '  __proto__->>constructor: x'),
    ];
    await panel().send(said(texts.join('\n\n')));
    await panel().page.waitForFunction(
      (count) => document.querySelectorAll('.diagram svg, .diagram-not').length === count,
      texts.length,
    );
    const live = await panel().page.evaluate(`(() => {
      const tags = ['svg', 'path', 'text', 'tspan'];
      const names = [
        'class', 'd', 'x', 'y', 'dy', 'width', 'height', 'viewBox', 'role', 'aria-label', 'text-anchor',
      ];
      const isLive = element =>
        !tags.includes(element.tagName) || [...element.attributes].some(({ name }) => !names.includes(name));
      return [...document.querySelectorAll('.diagram *')].filter(isLive).map(one => one.outerHTML.slice(0, 200));
    })()`);
    assert.deepEqual(live, []);
    assert.equal(await panel().page.evaluate('window.hacked'), undefined);
  });

  it('scroll inside their own box if the panel is narrow', async () => {
    await panel().page.setViewportSize({ width: 300, height: 700 });
    const chain = Array.from(
      { length: 12 },
      (_, node) => `  n${node}[Something long] --> n${node + 1}[Something long]`,
    );
    await panel().send(said(fence('flowchart LR', ...chain)));
    await picture().waitFor();
    assert.ok(
      await panel()
        .page.locator('.diagram')
        .evaluate((one) => one.scrollWidth > one.clientWidth),
    );
    assert.ok(
      await panel().page.evaluate(
        'document.querySelector(".feed").scrollWidth <= document.querySelector(".feed").clientWidth + 1',
      ),
    );
    // Also by keyboard.
    await panel().page.locator('.diagram').focus();
    await panel().page.keyboard.press('ArrowRight');
    await panel().page.waitForFunction(() => document.querySelector('.diagram')!.scrollLeft > 0);
  });
});
