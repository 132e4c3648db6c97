import { strict as assert } from 'node:assert';
import { whileSlow } from '../../../src/extension/common/whileSlow';

describe('slow work', () => {
  it('is announced until it ends, and its answer is passed on', async () => {
    const said: boolean[] = [];
    let end = (_answer: string): void => undefined;
    const work = new Promise<string>((resolve) => (end = resolve));
    const answer = whileSlow(work, (isSlow) => {
      said.push(isSlow);
      if (isSlow) end('done');
    });
    assert.equal(await answer, 'done');
    assert.deepEqual(said, [true, false]);
  });

  it('is not announced if it ends at once', async () => {
    const said: boolean[] = [];
    assert.equal(await whileSlow(Promise.resolve(1), (isSlow) => said.push(isSlow)), 1);
    await assert.rejects(whileSlow(Promise.reject(new Error('no')), (isSlow) => said.push(isSlow)));
    assert.deepEqual(said, []);
  });
});
