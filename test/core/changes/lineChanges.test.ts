import { strict as assert } from 'node:assert';
import { carriedOver, changedBlocks, withBlocks, withoutBlocks } from '../../../src/core/changes/lineChanges';

const many = (line: string): string[] => Array<string>(400_000).fill(line);

describe('changes of lines', () => {
  it('are made, taken back and carried over where they are more lines than a call can take arguments', async () => {
    const old = ['first\n', ...many('a\n'), 'middle\n', 'last\n'];
    const now = ['first\n', ...many('b\n'), 'middle\n', 'last\n'];
    const blocks = await changedBlocks(old, now);
    assert.deepEqual(withBlocks(old, now, blocks), now);
    assert.deepEqual(withoutBlocks(old, now, blocks), old);
    const others = [...old.slice(0, -1), 'another end\n'];
    const { lines, left } = await carriedOver(others, old, now);
    assert.deepEqual([lines.length, lines[1], lines.at(-1), left], [now.length, 'b\n', 'another end\n', []]);
  });
});
