import assert from 'node:assert/strict';
import { log, page, reply, task } from '../support/events';
import { usePanel } from '../support/usePanel';

const answer = (...texts: string[]) => page(log(task('t'), ...texts.map((text) => reply(text, []))));
const first = '```ts\nconst one = 1;\n```';
const second = '```ts\nlet two = 2;\n```';

describe('syntax colors', function () {
  const { panel } = usePanel(this);
  const codes = async (): Promise<string[]> => panel().page.locator('code[data-language="ts"]').allInnerTexts();
  const keywords = async (): Promise<string[]> => panel().page.locator('.hljs-keyword').allInnerTexts();
  /** What waits until the browser has nothing else to do, which it never has before `run` is called. */
  const holdWork = (): Promise<void> =>
    panel().page.evaluate('window.waiting = []; window.requestIdleCallback = (work) => waiting.push(work)');
  const run = (): Promise<number> =>
    panel().page.evaluate('const now = waiting.splice(0); for (const work of now) work(); now.length');

  it('of a new language appear after its first block, and are set up in a separate task', async () => {
    await holdWork();
    await panel().send(answer(first));
    assert.deepEqual([await codes(), await keywords()], [['const one = 1;'], []]);
    assert.equal(await run(), 1);
    assert.deepEqual(await keywords(), []);
    assert.equal(await run(), 1);
    assert.deepEqual(await keywords(), ['const']);
    assert.equal(await run(), 0);
  });

  it('of a language used before appear at once', async () => {
    await panel().send(answer(first));
    await panel().page.locator('.hljs-keyword').waitFor();
    await holdWork();
    await panel().send(answer(second));
    assert.deepEqual([await codes(), await keywords()], [['let two = 2;'], ['let']]);
    assert.equal(await run(), 0);
  });
});
