import assert from 'node:assert/strict';
import { projection, warmProjections, type History } from '../../../src/core/log/projection';

describe('reading a long log ahead', () => {
  const log: History = Array.from({ length: 1234 }, (_, seq) => ({ seq, at: seq, type: 'resumed' }));

  it('reads it in pieces, so that a later query reads nothing', () => {
    let read = 0;
    const count = projection<{ events: number }>(
      () => ({ events: 0 }),
      (state) => {
        state.events++;
        read++;
      },
    );
    const pieces: number[] = [];
    for (const _ of warmProjections(log, [count])) pieces.push(read);
    assert.equal(read, log.length);
    assert.ok(pieces.length > 2 && pieces[0]! < log.length / 2, String(pieces));
    assert.equal(count(log).events, log.length);
    assert.equal(read, log.length);
  });

  it('gives a query in the middle the complete answer', () => {
    const last = projection<number>(
      () => -1,
      (_state, { seq }) => seq,
    );
    const reading = warmProjections(log, [last]);
    reading.next();
    assert.equal(last(log), 1233);
    reading.next();
    assert.equal(last(log), 1233);
  });
});
