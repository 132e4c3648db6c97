import { strict as assert } from 'node:assert';
import { changesIn } from '../../../src/core/changes/changesOf';
import { newReview, reviewAfter, type Author } from '../../../src/core/changes/fileReview';
import { textSnapshot } from '../../../src/core/changes/snapshot';
import { undoPlan, withoutProblems } from '../../../src/core/changes/undoPlan';

const plain = Array.from({ length: 30 }, (_, at) => `line ${at + 1}\n`).join('');
const byAgent = plain.replace('line 5\n', 'LINE 5\n').replace('line 25\n', 'LINE 25\n');
const byBoth = byAgent.replace('LINE 25\n', 'LINE 25 by hand\n');

/** The review of a file with these contents, one after the other. */
async function reviewed(path: string, ...edits: readonly (readonly [Author, string])[]) {
  let review = newReview(path, textSnapshot(plain, 0o644));
  for (const [author, text] of edits)
    review = await reviewAfter(review, author, review.current, textSnapshot(text, 0o644));
  return review;
}

describe('an undo of lines that a person changed since', () => {
  it('leaves out those lines and still covers all others', async () => {
    const agent = { action: 'a' };
    const changes = await changesIn([
      await reviewed('/w/both.txt', [agent, byAgent], ['person', byBoth]),
      await reviewed('/w/other.txt', [agent, byAgent]),
    ]);
    const { problems } = undoPlan(changes);
    assert.deepEqual(
      problems.map(({ path, kind }) => [path, kind]),
      [['/w/both.txt', 'conflict']],
    );
    const others = withoutProblems(changes, {}, problems);
    assert.ok(others);
    const plan = undoPlan(changes, others);
    assert.deepEqual(plan.problems, []);
    assert.deepEqual(
      plan.restores.map(({ path, after }) => [path, after.text]),
      [
        ['/w/both.txt', byBoth.replace('LINE 5\n', 'line 5\n')],
        ['/w/other.txt', plain],
      ],
    );
    assert.equal(withoutProblems(changes, { hunks: [problems[0]!.hunk!] }, problems), undefined);
  });
});
