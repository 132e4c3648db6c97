import assert from 'node:assert/strict';
import { applyPatch, patchPaths } from '../../../../src/core/tools/native/applyPatch';
import { readFile } from '../../../../src/core/tools/native/readFile';
import { toolBench, type ToolBench } from '../../../support/toolBench';

describe('apply_patch', () => {
  let bench: ToolBench;
  beforeEach(() => {
    bench = toolBench();
    bench.place('src/a.ts', 'one\ntwo\nthree\nfour\nfive\n');
    bench.place('b.ts', 'alpha\nbeta\n');
  });
  afterEach(() => bench.stop());
  const patch = (...lines: string[]) => bench.use(applyPatch, { patch: `${lines.join('\n')}\n` });
  const fails = async (result: ReturnType<typeof patch>, says: RegExp): Promise<void> => {
    const names = bench.names();
    const { failed, content } = await result;
    assert.equal(failed, true, content);
    assert.match(content, says);
    assert.deepEqual(bench.names(), names);
    assert.equal(bench.text('src/a.ts'), 'one\ntwo\nthree\nfour\nfive\n');
    assert.equal(bench.text('b.ts'), 'alpha\nbeta\n');
  };

  it('edits, creates, deletes and renames in one call', async () => {
    bench.place('old.ts', 'keep\nchange\n');
    const { content, failed, details } = await patch(
      'diff --git a/src/a.ts b/src/a.ts',
      '--- a/src/a.ts',
      '+++ b/src/a.ts',
      '@@ -1,3 +1,3 @@',
      ' one',
      '-two',
      '+2',
      ' three',
      '--- /dev/null',
      '+++ b/new/c.ts',
      '@@ -0,0 +1,2 @@',
      '+first',
      '+second',
      '--- a/b.ts',
      '+++ /dev/null',
      '@@ -1,2 +0,0 @@',
      '-alpha',
      '-beta',
      'diff --git a/old.ts b/moved.ts',
      'similarity index 50%',
      'rename from old.ts',
      'rename to moved.ts',
      '--- a/old.ts',
      '+++ b/moved.ts',
      '@@ -1,2 +1,2 @@',
      ' keep',
      '-change',
      '+changed',
    );
    assert.equal(failed, undefined, content);
    assert.deepEqual(bench.names(), ['moved.ts', 'new', 'new/c.ts', 'src', 'src/a.ts']);
    assert.equal(bench.text('src/a.ts'), 'one\n2\nthree\nfour\nfive\n');
    assert.equal(bench.text('new/c.ts'), 'first\nsecond\n');
    assert.equal(bench.text('moved.ts'), 'keep\nchanged\n');
    assert.ok(details?.kind === 'edit');
    assert.deepEqual(
      details.changes.map(({ path, kind }) => [path, kind]),
      [
        ['src/a.ts', 'modified'],
        ['new/c.ts', 'created'],
        ['b.ts', 'deleted'],
        ['old.ts', 'deleted'],
        ['moved.ts', 'created'],
      ],
    );
    assert.match(content, /^Patched src\/a\.ts: \+1 −1 \(lines 2-2\)\nnew\/c\.ts: created, 2 lines\n/);
  });

  it('applies where the lines have moved and the counts are wrong', async () => {
    await patch('--- a/src/a.ts', '+++ b/src/a.ts', '@@ -90,9 +90,7 @@ function', ' three', '-four', '+4');
    assert.equal(bench.text('src/a.ts'), 'one\ntwo\nthree\n4\nfive\n');
  });

  it('applies several hunks, also ones without line numbers', async () => {
    await patch('--- src/a.ts', '+++ src/a.ts', '@@ @@', '+zero', ' one', '@@', '-five', '+5', '+6');
    assert.equal(bench.text('src/a.ts'), 'zero\none\ntwo\nthree\nfour\n5\n6\n');
  });

  it('refuses a hunk without line numbers that fits twice', async () => {
    bench.place('twice', 'x\ny\nx\ny\n');
    await fails(patch('--- a/twice', '+++ b/twice', '@@ @@', '-x', '+z'), /fits in several places/);
    assert.equal(bench.text('twice'), 'x\ny\nx\ny\n');
  });

  it('keeps CRLF line ends and a missing final line end', async () => {
    bench.place('crlf', 'one\r\ntwo\r\nthree');
    await patch('--- a/crlf', '+++ b/crlf', '@@ -1,2 +1,2 @@', ' one', '-two', '+2');
    assert.equal(bench.text('crlf'), 'one\r\n2\r\nthree');
  });

  it('adds and takes away a final line end when told', async () => {
    bench.place('end', 'one\ntwo');
    await patch('--- a/end', '+++ b/end', '@@ -1,2 +1,2 @@', ' one', '-two', '\\ No newline at end of file', '+two');
    assert.equal(bench.text('end'), 'one\ntwo\n');
    await patch('--- a/end', '+++ b/end', '@@ -1,2 +1,2 @@', ' one', '-two', '+two', '\\ No newline at end of file');
    assert.equal(bench.text('end'), 'one\ntwo');
  });

  it('changes nothing at all when one hunk does not fit, and shows the closest place', () =>
    fails(
      patch(
        '--- a/b.ts',
        '+++ b/b.ts',
        '@@ -1,1 +1,1 @@',
        '-alpha',
        '+ALPHA',
        '--- a/src/a.ts',
        '+++ b/src/a.ts',
        '@@ -2,2 +2,2 @@',
        '   two',
        '-three',
        '+3',
      ),
      /Nothing was changed\. The hunk for src\/a\.ts does not fit\. Its text was not found, but only the indentation differs.*\n {4}2\ttwo/,
    ));

  it('refuses what is no unified diff', () => fails(patch('<<<<<<< SEARCH', '-alpha'), /not a unified diff/));
  it('refuses a file that is not there', () =>
    fails(patch('--- a/gone.ts', '+++ b/gone.ts', '@@ -1 +1 @@', '-a', '+b'), /There is no file gone\.ts/));
  it('refuses to create over a file', () =>
    fails(patch('--- /dev/null', '+++ b/b.ts', '@@ -0,0 +1 @@', '+x'), /b\.ts exists already/));
  it('refuses to delete a file of which lines are left', () =>
    fails(patch('--- a/b.ts', '+++ /dev/null', '@@ -1 +0,0 @@', '-alpha'), /leaves lines in it/));
  it('refuses to delete unseen', () =>
    fails(patch('diff --git a/b.ts b/b.ts', 'deleted file mode 100644'), /was not read yet/));
  it('refuses to add lines at no known place', () =>
    fails(patch('--- a/b.ts', '+++ b/b.ts', '@@ -1,0 +1,1 @@', '+x'), /no line of the file/));
  it('refuses binary changes', () =>
    fails(
      patch('diff --git a/x.png b/x.png', 'index 1..2', 'Binary files a/x.png and b/x.png differ'),
      /binary change/,
    ));
  it('refuses two names without a rename', () =>
    fails(patch('--- a/b.ts', '+++ b/other.ts', '@@ -1 +1 @@', '-alpha', '+x'), /names two files/));
  it('refuses a path outside', async () => {
    await assert.rejects(patch('--- /dev/null', '+++ b/../../evil.ts', '@@ -0,0 +1 @@', '+x'), /outside the workspace/);
  });

  it('refuses a file that changed since it was read', async () => {
    await bench.use(readFile, { path: 'b.ts' });
    bench.place('b.ts', 'alpha\nbeta\ngamma\n');
    const { failed, content } = await patch('--- a/b.ts', '+++ b/b.ts', '@@ -1 +1 @@', '-alpha', '+x');
    assert.equal(failed, true);
    assert.match(content, /has changed since/);
  });

  it('takes the old name for a label where only the new one is there', async () => {
    await patch('--- b.ts.orig\t2026-01-01', '+++ b.ts\t2026-01-02', '@@ -1,2 +1,2 @@', '-alpha', '+x', ' beta');
    assert.equal(bench.text('b.ts'), 'x\nbeta\n');
  });

  it('tells every path it will touch before it runs', () => {
    const text =
      '--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-a\n+b\n--- /dev/null\n+++ b/n.ts\n@@ -0,0 +1 @@\n+--- a/not-a-header\ndiff --git a/o b/p\nrename from o\nrename to "p\\303\\266"\n';
    assert.deepEqual(patchPaths(text), ['src/a.ts', 'n.ts', 'o', 'pö']);
    assert.deepEqual(applyPatch.bind({ patch: text }).touches.writes, ['src/a.ts', 'n.ts', 'o', 'pö']);
    assert.equal(applyPatch.bind({ patch: 'nonsense' }).allowKey, undefined);
  });
});
