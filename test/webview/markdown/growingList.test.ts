import assert from 'node:assert/strict';
import { growBlocks, noBlocks } from '../../../webview-ui/markdown/blocks';
import { log, page, task } from '../support/events';
import { usePanel } from '../support/usePanel';

const lists = {
  'a list': '- one\n- **two** and `three`\n- src/a.ts:3\n- four',
  'a numbered list that starts at 3': '3. one\n4. two\n5. three\n',
  'a list whose entries get space between them': '- one\n- two\n\n- three\n- four\n',
  'a list with a list inside': '- one\n  - inner\n  - second\n\n    text\n- two\n  1. x\n',
  'a list with a table inside': '- one\n\n  | a | b |\n  |---|---|\n  | 1 | 2 |\n- two\n- three',
  'a list of tasks': '- [ ] open\n- [x] done\n- [ ] last',
  'a table': '| a | b |\n|---|:-:|\n| 1 | `2` |\n| 3 | **4** |\n| 5 | 6',
  'two tables and lists with text between':
    'see\n\n| a |\n|---|\n| 1 |\n\nand\n\n- x\n- y\n\n* z\n\nend\n\n| b |\n|---|\n| 2 |',
  'a list that ends as a heading': 'Title\n- \n- one\n---\nafter',
};

describe('a list or table that is streamed', function () {
  const { panel } = usePanel(this);
  const begin = () => panel().send(page(log(task('t')), { running: true, status: 'ready' }));
  const stream = async (text: string): Promise<void> => {
    await panel().send({ type: 'deltas', deltas: [{ kind: 'text', text }] });
    await panel().page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))');
  };
  const shown = (): Promise<string> =>
    panel().page.evaluate(
      `[...document.querySelectorAll('[data-testid=card-stream] .markdown > div')].map((block) => block.innerHTML).join('')`,
    );
  const withoutLines = (html: string): string => html.replace(/\n/g, '');

  for (const [name, source] of Object.entries(lists))
    it(`looks at every moment like one drawn at once: ${name}`, async () => {
      await begin();
      let blocks = noBlocks;
      for (const [at, letter] of [...source].entries()) {
        await stream(letter);
        blocks = growBlocks(blocks, source.slice(0, at + 1), { goesOn: true });
        const expected = [...blocks.closed, blocks.open].join('');
        assert.equal(withoutLines(await shown()), withoutLines(expected), JSON.stringify(source.slice(0, at + 1)));
      }
    });

  for (const [name, source, entry] of [
    ['list', '- one\n- two\n- th', 'li'],
    ['table', '| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n| 5', 'tbody tr'],
  ] as const)
    it(`draws no finished entry of a ${name} again`, async () => {
      const entries = `[...document.querySelectorAll('[data-testid=card-stream] ${entry}')]`;
      await begin();
      await stream(source);
      await panel().page.evaluate(`for (const one of ${entries}) one.drawnBefore = true`);
      await stream(' more |\n');
      assert.deepEqual(await panel().page.evaluate(`${entries}.map((one) => one.drawnBefore === true)`), [
        true,
        true,
        false,
      ]);
    });
});
