import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { seededRandom } from '../../../src/core/model/sampling/seededRandom';
import { temporaryWorkspace } from '../../support/temporaryWorkspace';
import { transferChanges, changedBlocks, withBlocks, withoutBlocks } from '../../../src/core/changes/lineChanges';

const many = (line: string): string[] => Array<string>(400_000).fill(line);

describe('line changes', () => {
  it('are applied, reverted and carried over for more lines than a call can have arguments', async () => {
    const old = ['first\n', ...many('a\n'), 'middle\n', 'last\n'];
    const now = ['first\n', ...many('b\n'), 'middle\n', 'last\n'];
    const blocks = await changedBlocks(old, now);
    assert.deepEqual(withBlocks(old, now, blocks), now);
    assert.deepEqual(withoutBlocks(old, now, blocks), old);
    const others = [...old.slice(0, -1), 'another end\n'];
    const { lines, untransferred } = await transferChanges(others, old, now);
    assert.deepEqual([lines.length, lines[1], lines.at(-1), untransferred], [now.length, 'b\n', 'another end\n', []]);
  });

  it('are as few as diff(1) finds in texts with repeated lines', async function () {
    if (spawnSync('diff', ['--version']).status !== 0) return this.skip();
    const place = temporaryWorkspace();
    try {
      for (let seed = 1; seed <= 60; seed++) {
        const random = seededRandom(seed);
        const kinds = 2 + Math.floor(random() * 12);
        const line = (): string => `${Math.floor(random() * kinds)}\n`;
        const old = Array.from({ length: 5 + Math.floor(random() * 60) }, line);
        const now = old.filter(() => random() >= 0.2).flatMap((each) => (random() < 0.2 ? [line(), each] : [each]));
        const blocks = await changedBlocks(old, now);
        assert.deepEqual(withBlocks(old, now, blocks), now, `seed ${seed}`);
        assert.deepEqual(withoutBlocks(old, now, blocks), old, `seed ${seed}`);
        place.place('old', old.join(''));
        place.place('now', now.join(''));
        const { stdout } = spawnSync('diff', ['--minimal', place.at('old'), place.at('now')], { encoding: 'utf8' });
        const least = stdout.split('\n').filter((each) => /^[<>] /.test(each)).length;
        const ours = blocks.reduce((sum, block) => sum + block.oldTo - block.oldFrom + block.newTo - block.newFrom, 0);
        assert.equal(ours, least, `seed ${seed}`);
      }
    } finally {
      place.stop();
    }
  });
});
