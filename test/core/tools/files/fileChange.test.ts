import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { applyPatch } from 'diff';
import fc from 'fast-check';
import { changeInWords, fileChange } from '../../../../src/core/tools/files/fileChange';

const inWords = async (before: string | null, after: string | null): Promise<string> =>
  changeInWords(await fileChange('f', before, after));

describe('a file change', () => {
  it('is told in one line', async () => {
    assert.equal(await inWords('a\nb\nc\n', 'a\nB\nc\n'), 'f: +1 −1 (lines 2-2)');
    assert.equal(await inWords('a\nb\n', 'a\nx\ny\nb\n'), 'f: +2 −0 (lines 2-3)');
    assert.equal(await inWords('a\nb\nc\n', 'a\nc\n'), 'f: +0 −1 (lines 2-2)');
    assert.equal(await inWords(null, 'a\nb'), 'f: created, 2 lines');
    assert.equal(await inWords('a\n', null), 'f: deleted');
    const long = Array.from({ length: 40 }, (_, at) => `${at}`);
    assert.equal(
      await inWords(long.join('\n'), long.with(4, 'x').with(30, 'y').join('\n')),
      'f: +2 −2 (lines 5-5, 31-31)',
    );
  });

  it('joins changes whose context touches and parts others', async () => {
    const lines = Array.from({ length: 60 }, (_, at) => `line ${at}`);
    const { hunks } = await fileChange(
      'f',
      lines.join('\n'),
      lines.with(10, 'x').with(15, 'y').with(40, 'z').join('\n'),
    );
    assert.deepEqual(
      hunks.map(({ oldStart, oldLines, newLines }) => [oldStart, oldLines, newLines]),
      [
        [8, 12, 12],
        [38, 7, 7],
      ],
    );
  });

  it('of more lines than a call can take arguments is told with the first of them', async () => {
    const many = 'a\n'.repeat(400_000);
    const { added, removed, hunks } = await fileChange('f', many, `b\n${'c\n'.repeat(399_998)}b\n`);
    assert.deepEqual([added, removed, hunks.length, hunks[0]!.lines.length], [400_000, 400_000, 1, 1000]);
  });

  it('sees a final line end come and go', async () => {
    assert.deepEqual((await fileChange('f', 'a\nb', 'a\nb\n')).hunks[0]!.lines, [' a', '-b', '+b']);
  });

  it('says what it left out of a very long change by its counts', async () => {
    const { added, hunks } = await fileChange('f', null, 'x\n'.repeat(5000));
    assert.equal(added, 5000);
    assert.equal(
      hunks.reduce((sum, { lines }) => sum + lines.length, 0),
      1000,
    );
  });

  it('counts in a long file of which most was rewritten what Git counts', async function () {
    this.timeout(30_000);
    const lines = Array.from({ length: 6000 }, (_, at) => `line ${at}`);
    const rewritten = lines.map((line, at) => (at % 3 === 0 ? line : `${line}, written anew`));
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-'));
    try {
      for (const [name, text] of Object.entries({ before: lines, after: rewritten }))
        fs.writeFileSync(path.join(folder, name), `${text.join('\n')}\n`);
      const git = spawnSync('git', ['diff', '--no-index', '--numstat', 'before', 'after'], {
        cwd: folder,
        encoding: 'utf8',
      });
      const { added, removed } = await fileChange('f', `${lines.join('\n')}\n`, `${rewritten.join('\n')}\n`);
      assert.equal(git.stdout.split('\t').slice(0, 2).join(), `${added},${removed}`);
      assert.equal(added, 4000);
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });

  it('has hunks that make the new text from the old, whatever the texts are', async () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 40 })
      .map((lines) => lines.map((line) => `${line}\n`).join(''));
    await fc.assert(
      fc.asyncProperty(text, text, async (before, after) => {
        const { hunks, added, removed } = await fileChange('f', before, after);
        const patch = hunks
          .map(
            (hunk) =>
              `@@ -${hunk.oldLines ? hunk.oldStart : hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@\n${hunk.lines.join('\n')}\n`,
          )
          .join('');
        assert.equal(before === after ? after : applyPatch(before, `--- f\n+++ f\n${patch}`), after);
        const all = hunks.flatMap(({ lines }) => lines);
        assert.deepEqual(
          [added, removed],
          [all.filter((line) => line.startsWith('+')).length, all.filter((line) => line.startsWith('-')).length],
        );
      }),
      { numRuns: 500 },
    );
  });
});
