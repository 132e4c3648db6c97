import { strict as assert } from 'node:assert';
import { inSlices } from '../../../src/core/text/slices';

/** Keeps the thread busy for 1 ms. */
function work(): void {
  const end = performance.now() + 1;
  while (performance.now() < end);
}

describe('work in slices', () => {
  it('does everything in order and lets other work run in between', async () => {
    const done: number[] = [];
    let others = 0;
    const other = setInterval(() => others++, 1);
    await inSlices(Array(200).keys(), (number) => {
      work();
      done.push(number);
    });
    clearInterval(other);
    assert.deepEqual(done, [...Array(200).keys()]);
    assert.ok(others >= 2, `other work ran ${others} times`);
  });

  it('ends when it is aborted', async () => {
    const aborting = new AbortController();
    let count = 0;
    setImmediate(() => aborting.abort());
    await assert.rejects(
      inSlices(
        Array(100_000),
        () => {
          work();
          count++;
        },
        aborting.signal,
      ),
      /abort/i,
    );
    assert.ok(count < 1000, `${count} items`);
  });
});
