import { strict as assert } from 'node:assert';
import {
  batchesStayWhole,
  callsKeepTheirResults,
  doubledResultsStayTogether,
  hiddenRepliesKeepTheirFeedback,
  mayCut,
  nextCut,
  thinkingLoopsStayWhole,
  wordsAreReadBeforeTheyAreForgotten,
  type Invariant,
} from '../../../src/core/condense/range';
import type { ReadEvent } from '../../../src/core/condense/readEvents';
import { calls, person, readLog, result, step, task, thinking } from './logs';

const places = (read: readonly ReadEvent[], ...invariants: Invariant[]): number[] => {
  const may = mayCut(read, invariants.length > 0 ? invariants : undefined);
  return [...Array(read.length + 1).keys()].filter(may);
};

describe('a chat may be cut', () => {
  it('anywhere but between a call and its result', () => {
    assert.deepEqual(places(readLog(task, step('a'), step('b')), callsKeepTheirResults), [0, 1, 3, 5]);
  });
  it('nowhere after a call without a result', () => {
    assert.deepEqual(places(readLog(task, step('a'), calls(['b'])), callsKeepTheirResults), [0, 1, 3]);
  });
  it('only outside a batch', () => {
    const read = readLog(task, step('a', 'b', 'c'), step('d'));
    assert.deepEqual(places(read, batchesStayWhole), [0, 1, 2, 5, 6, 7]);
    assert.deepEqual(places(read), [0, 1, 5, 7]);
  });
  it('nowhere inside a tool loop with thinking, and not after it until it ends', () => {
    const read = readLog(
      task,
      step('a'),
      calls(['b'], { reasoning: thinking }),
      result('b'),
      step('c'),
      person('More.'),
      step('d'),
    );
    assert.deepEqual(places(read, thinkingLoopsStayWhole), [0, 1, 2, 3, 7, 8, 9, 10]);
    assert.deepEqual(
      places(readLog(task, calls(['b'], { reasoning: thinking }), result('b'), step('c')), thinkingLoopsStayWhole),
      [0, 1],
    );
  });
  it('inside a tool loop whose reasoning need not be sent back', () => {
    assert.deepEqual(
      places(readLog(task, calls(['b'], { reasoning: { text: 'hm' } }), result('b')), thinkingLoopsStayWhole),
      [0, 1, 2, 3],
    );
  });
  it('not next to a steering message inside the loop', () => {
    const read = readLog(
      task,
      calls(['b'], { reasoning: thinking }),
      person('Left.', { delivery: 'steer' }),
      result('b'),
      calls([]),
    );
    assert.deepEqual(places(read, thinkingLoopsStayWhole), [0, 1, 4, 5]);
  });
  it('before or after two results of one action, not between them', () => {
    assert.deepEqual(
      places(readLog(task, step('a'), step('b'), result('a', 'late')), doubledResultsStayTogether),
      [0, 1, 2, 6],
    );
  });
  it('not between a hidden reply and the feedback that hides it', () => {
    const feedback = { type: 'feedback', cause: 'format_error', text: 'No action.' } as const;
    assert.deepEqual(
      places(readLog(task, calls([]), { ...feedback, hidesReply: true }, calls([])), hiddenRepliesKeepTheirFeedback),
      [0, 1, 3, 4],
    );
    assert.deepEqual(places(readLog(task, calls([]), feedback), hiddenRepliesKeepTheirFeedback), [0, 1, 2, 3]);
  });
  it('after a user message only once a reply has read it', () => {
    assert.deepEqual(
      places(readLog(task, person('Wait.'), calls([], { readUpTo: 1 }), calls([])), wordsAreReadBeforeTheyAreForgotten),
      [0, 1, 4],
    );
    assert.deepEqual(places(readLog(task, calls([]), person('Wait.')), wordsAreReadBeforeTheyAreForgotten), [0, 1, 2]);
  });
  it('after a mode change only once a reply has read it', () => {
    const change = { type: 'feedback', cause: 'mode_changed', text: 'Only look.' } as const;
    assert.deepEqual(places(readLog(task, change, calls([]), change), wordsAreReadBeforeTheyAreForgotten), [0, 1, 3]);
  });
  it('at the next valid place after the requested one, if any', () => {
    const read = readLog(task, step('a', 'b'), calls(['c']));
    const may = mayCut(read);
    assert.deepEqual(
      [0, 1, 2, 3, 4, 5].map((index) => nextCut(read, may, index)),
      [0, 1, 4, 4, 4, undefined],
    );
  });
});
