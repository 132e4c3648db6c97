import { strict as assert } from 'node:assert';
import type { FileChanges } from '../../../src/core/changes/changesOf';
import { hunksOf, newReview, reviewAfter } from '../../../src/core/changes/fileReview';
import { textSnapshot } from '../../../src/core/changes/snapshot';
import { changesByTurn } from '../../../src/core/changes/changesByTurn';
import type { ActionPlace } from '../../../src/core/changes/stepsOfActions';

const place = (turn: number): ActionPlace => ({ step: turn, turn, seq: turn, summary: '', reason: '' });
const text = (...lines: readonly string[]) => textSnapshot(lines.map((line) => `${line}\n`).join(''), 0o644);

async function changed(): Promise<FileChanges> {
  const texts = [
    text('a', 'b', 'c', 'd', 'e', 'f', 'g'),
    text('A', 'b', 'c', 'd', 'e', 'f', 'g'),
    text('A', 'b', 'c', 'D', 'e', 'f', 'g'),
    text('AA', 'b', 'c', 'D', 'e', 'f', 'G'),
  ];
  let review = newReview('/file', texts[0]!);
  for (const [at, author] of ([{ action: 'one' }, { action: 'two' }, { action: 'three' }] as const).entries())
    review = await reviewAfter(review, author, texts[at]!, texts[at + 1]!);
  const hunks = await hunksOf(review);
  assert.equal(hunks.length, 3);
  return {
    path: '/file',
    kind: 'modified',
    added: 3,
    removed: 3,
    hunks,
    actions: ['one', 'two', 'three'],
    isBetween: false,
    isText: true,
    isFolder: false,
    isImplied: false,
    reviews: [review],
  };
}

describe('changes by turn', () => {
  it('list each hunk once, under the turn that last changed it, newest turn first', async () => {
    const steps = new Map([
      ['one', place(1)],
      ['two', place(1)],
      ['three', place(2)],
    ]);
    const turns = changesByTurn([await changed()], steps);
    assert.deepEqual(
      turns.map(({ turn, files }) => [
        turn,
        files.map(({ hunks, added, removed }) => [hunks.map((hunk) => hunk.added), added, removed]),
      ]),
      [
        [2, [[[['AA'], ['G']], 2, 2]]],
        [1, [[[['D']], 1, 1]]],
      ],
    );
  });

  it('list hunks that belong to no step last', async () => {
    const turns = changesByTurn([await changed()], new Map([['two', place(1)]]));
    assert.deepEqual(
      turns.map(({ turn, files }) => [turn, files[0]!.hunks.length]),
      [
        [1, 1],
        [undefined, 2],
      ],
    );
  });
});
