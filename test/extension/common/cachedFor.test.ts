import { strict as assert } from 'node:assert';
import { cachedFor, derived } from '../../../src/extension/common/cachedFor';

/** A source whose answers are given one by one. */
function source() {
  const waiting: ((answer: string) => void)[] = [];
  return {
    load: () => new Promise<string>((resolve) => void waiting.push(resolve)),
    answer: (text: string) => waiting.shift()!(text),
    get requests() {
      return waiting.length;
    },
  };
}

describe('a cached answer', () => {
  it('is loaded once for all who wait for the first one', async () => {
    const { load, answer } = source();
    const cached = cachedFor(60_000, load);
    const both = Promise.all([cached(), cached()]);
    answer('first');
    assert.deepEqual(await both, ['first', 'first']);
    assert.equal(await cached(), 'first');
  });

  it('is used while a new one takes long, by all who ask in the meantime, and replaced when the new one is there', async () => {
    const slow = source();
    const cached = cachedFor(0, slow.load);
    const first = cached();
    slow.answer('old');
    await first;
    assert.deepEqual(await Promise.all([cached(), cached()]), ['old', 'old']);
    assert.equal(await cached(), 'old');
    assert.equal(slow.requests, 1);
    const next = cached();
    slow.answer('new');
    assert.equal(await next, 'new');
  });

  it('is the last that could be loaded, also after a failure', async () => {
    let count = 0;
    const cached = cachedFor(0, () => {
      if (++count === 2) return Promise.reject(new Error('no'));
      return count === 1 ? Promise.resolve('old') : new Promise<string>(() => undefined);
    });
    assert.equal(await cached(), 'old');
    const pause = () => new Promise((resolve) => setTimeout(resolve, 2));
    await pause();
    await assert.rejects(cached(), /no/);
    await pause();
    assert.equal(await cached(), 'old');
  });

  it('that could not be loaded is loaded again later', async () => {
    let count = 0;
    const cached = cachedFor(0, () => (count++ === 0 ? Promise.reject(new Error('no')) : Promise.resolve('there')));
    await assert.rejects(cached(), /no/);
    await new Promise((resolve) => setTimeout(resolve, 2));
    assert.equal(await cached(), 'there');
  });
});

it('A value derived from a cached answer is computed once for each answer', async () => {
  let answer: readonly number[] = [1];
  let computed = 0;
  const value = derived(
    () => Promise.resolve(answer),
    (numbers) => Promise.resolve(++computed + numbers.length),
  );
  assert.deepEqual([await value(), await value()], [2, 2]);
  answer = [1, 2];
  assert.equal(await value(), 4);
});
