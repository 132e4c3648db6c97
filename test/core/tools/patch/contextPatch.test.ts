import assert from 'node:assert/strict';
import { applyPatch } from '../../../../src/core/tools/native/applyPatch';
import { readFile } from '../../../../src/core/tools/native/readFile';
import type { ToolResult } from '../../../../src/core/ports/tool';
import { toolBench, type ToolBench } from '../../../support/toolBench';

const methods = 'class Ferry:\n  def start():\n    go()\n\nclass Tug:\n  def start():\n    go()\n';

/** A file, the lines below its "*** Update File" line, and the resulting file. */
interface Accepted {
  readonly what: string;
  readonly before: string;
  readonly lines: readonly string[];
  readonly after: string;
}

/** A file, the lines of the patch, and the error message. */
interface Refused {
  readonly what: string;
  readonly before: string;
  readonly lines: readonly string[];
  readonly says: RegExp;
}

/** Accepted and rejected variations of Codex's format beyond the published scenarios. */
describe('a patch that begins with "*** Begin Patch"', () => {
  let bench: ToolBench;
  beforeEach(() => {
    bench = toolBench();
  });
  afterEach(() => bench.stop());
  const wrapped = (...lines: string[]): string => ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n');
  const apply = (...lines: string[]): Promise<ToolResult> => bench.use(applyPatch, { patch: wrapped(...lines) });

  const accepted: readonly Accepted[] = [
    { what: 'a first hunk without "@@"', before: 'one\ntwo\n', lines: [' one', '-two', '+2'], after: 'one\n2\n' },
    {
      what: 'blanks at line ends that differ',
      before: 'one  \ntwo\t\nthree\n',
      lines: ['@@', ' one', '-two', '+2', ' three '],
      after: 'one  \n2\nthree\n',
    },
    {
      what: 'indentation that differs',
      before: '  one\n    two\n',
      lines: ['@@', ' one', '-two', '+    2'],
      after: '  one\n    2\n',
    },
    {
      what: 'typographic dashes and quotes',
      before: 'a – “b”\nc\u00a0d\n',
      lines: ['@@', ' a - "b"', '-c d', '+e'],
      after: 'a – “b”\ne\n',
    },
    {
      what: 'an empty line without a sign',
      before: 'one\n\ntwo\n',
      lines: ['@@', ' one', '', '-two', '+2'],
      after: 'one\n\n2\n',
    },
    {
      what: 'empty lines between hunks',
      before: 'one\ntwo\n',
      lines: ['@@', '-one', '+1', '', '@@', '-two', '+2', ''],
      after: '1\n2\n',
    },
    {
      what: 'a last empty line that stands for the line end',
      before: 'one\ntwo',
      lines: ['@@', ' one', '-two', '+2', ' '],
      after: 'one\n2\n',
    },
    {
      what: 'a header that names the function',
      before: methods,
      lines: ['@@ class Tug:', '   def start():', '-    go()', '+    pull()'],
      after: methods.replace(/go\(\)\n$/, 'pull()\n'),
    },
    {
      what: 'headers below each other',
      before: methods,
      lines: ['@@ class Tug:', '@@   def start():', '-    go()', '+    pull()'],
      after: methods.replace(/go\(\)\n$/, 'pull()\n'),
    },
    {
      what: 'a header that the hunk repeats as its first line',
      before: methods,
      lines: ['@@ class Tug:', ' class Tug:', '   def start():', '-    go()', '+    pull()'],
      after: methods.replace(/go\(\)\n$/, 'pull()\n'),
    },
    {
      what: 'a shortened header',
      before: methods,
      lines: ['@@ class Tug', '   def start():', '-    go()', '+    pull()'],
      after: methods.replace(/go\(\)\n$/, 'pull()\n'),
    },
    {
      what: 'a header above the hunk before it',
      before: 'class A:\n  one\n  two\n',
      lines: ['@@ class A:', '-  one', '+  1', '@@ class A:', '-  two', '+  2'],
      after: 'class A:\n  1\n  2\n',
    },
    {
      what: 'a header that is not in the file, with lines that are there once',
      before: 'one\ntwo\n',
      lines: ['@@ class Gone', '-two', '+2'],
      after: 'one\n2\n',
    },
    {
      what: 'line numbers in place of a header',
      before: 'one\ntwo\n',
      lines: ['@@ -7,2 +7,2 @@ class Gone', ' one', '-two', '+2'],
      after: 'one\n2\n',
    },
    {
      what: 'added lines below a header',
      before: methods,
      lines: ['@@ class Ferry:', '+  name = "Ida"'],
      after: methods.replace('Ferry:\n', 'Ferry:\n  name = "Ida"\n'),
    },
    {
      what: 'added lines at the end and a change above them',
      before: 'one\ntwo\n',
      lines: ['@@', '+three', '@@', '-one', '+1'],
      after: '1\ntwo\nthree\n',
    },
    {
      what: 'letters composed in another way',
      before: 'cafe\u0301\n',
      lines: ['@@', '-café', '+tea'],
      after: 'tea\n',
    },
    { what: 'added lines in an empty file', before: '', lines: ['@@', '+one'], after: 'one\n' },
    {
      what: 'the last of several places with "*** End of File"',
      before: 'end\nbow\nend\n',
      lines: ['@@', '-end', '+END', '*** End of File'],
      after: 'end\nbow\nEND\n',
    },
    {
      what: 'hunks that share a line that stays',
      before: 'one\ntwo\nthree\n',
      lines: ['@@', '-one', '+1', ' two', '@@', ' two', '-three', '+3'],
      after: '1\ntwo\n3\n',
    },
    {
      what: 'hunks in another order, each with one place',
      before: 'one\ntwo\nthree\n',
      lines: ['@@', '-three', '+3', '@@', '-one', '+1'],
      after: '1\ntwo\n3\n',
    },
    {
      what: 'the same change twice, each in its turn',
      before: 'a\nx\nb\nx\n',
      lines: ['@@', ' a', '-x', '+y', '@@', '-x', '+y'],
      after: 'a\ny\nb\ny\n',
    },
    {
      what: 'lines of a file that look like markers',
      before: ' *** End Patch\nold\n',
      lines: ['@@', '  *** End Patch', '-old', '+*** End Patch'],
      after: ' *** End Patch\n*** End Patch\n',
    },
    {
      what: '"\\ No newline at end of file"',
      before: 'one',
      lines: ['@@', '-one', '\\ No newline at end of file', '+1'],
      after: '1\n',
    },
  ];
  for (const { what, before, lines, after } of accepted) {
    it(`takes ${what}`, async () => {
      bench.place('a.txt', before);
      const { content, failed } = await apply('*** Update File: a.txt', ...lines);
      assert.equal(failed, undefined, content);
      assert.equal(bench.text('a.txt'), after);
    });
  }

  const refused: readonly Refused[] = [
    {
      what: 'a line that differs, with what the file has there',
      before: 'one\ntwo\nthree\n',
      lines: ['*** Update File: a.txt', '@@', '-one', '+1', '@@', ' two', '-tree', '+3'],
      says: /Hunk 2 of 2 for a\.txt does not fit\. Line 3 of the file is "three"; the hunk has "tree" there\..*\t/s,
    },
    {
      what: 'a hunk that goes on below the file',
      before: 'one\ntwo\n',
      lines: ['*** Update File: a.txt', '@@', ' two', '-three'],
      says: /The file ends after line 2; the hunk continues with "three"/,
    },
    {
      what: 'a first line that the file does not have, with the closest place',
      before: 'let count = 1;\nend\n',
      lines: ['*** Update File: a.txt', '@@', '-let count = 10;', '+x'],
      says: /number 1 is not a line of the file.*closest place is:\n\s+1\tlet count = 1;/s,
    },
    {
      what: 'a hunk that fits several places',
      before: 'x\ny\nx\n',
      lines: ['*** Update File: a.txt', '@@', '-x', '+z'],
      says: /fits in several places, at lines 1 and 3\. Add lines of the file around it, or name the function/,
    },
    {
      what: 'an unknown header whose lines are there twice',
      before: 'x\ny\nx\n',
      lines: ['*** Update File: a.txt', '@@ def gone():', '-x', '+z'],
      says: /names "def gone\(\):" after "@@", which is not a line of the file/,
    },
    {
      what: 'a wrong method below its class',
      before: 'class A:\n  def one():\n    go()\n',
      lines: ['*** Update File: a.txt', '@@ class A:', '@@   def two():', '-    go()', '+    stop()'],
      says: /names " {2}def two\(\):" after "@@", which is not a line of the file\. Its lines are at line 3\./,
    },
    {
      what: 'added lines below a header that is not there',
      before: 'x\n',
      lines: ['*** Update File: a.txt', '@@ def gone():', '+z'],
      says: /adds lines below "def gone\(\):", which is not a line/,
    },
    {
      what: 'added lines at a line number',
      before: 'x\n',
      lines: ['*** Update File: a.txt', '@@ -1,0 +2,1 @@', '+z'],
      says: /line numbers after "@@" are not used/,
    },
    {
      what: '"*** End of File" above the end',
      before: 'x\ny\n',
      lines: ['*** Update File: a.txt', '@@', '-x', '+z', '*** End of File'],
      says: /at line 1 and the file has 2\. Remove the marker/,
    },
    {
      what: 'two hunks that remove the same line',
      before: 'one\ntwo\n',
      lines: ['*** Update File: a.txt', '@@', '-one', '+1', '@@', '-one', ' two'],
      says: /Hunk 2 of 2 .* that an earlier hunk removes/,
    },
    {
      what: 'a line without a sign',
      before: 'one\n',
      lines: ['*** Update File: a.txt', '@@', 'one', '+two'],
      says: /Line 4 of the patch, "one", is in a hunk for a\.txt\. Lines of a hunk begin/,
    },
    {
      what: 'a hunk without lines',
      before: 'one\n',
      lines: ['*** Update File: a.txt', '@@ one', '*** Delete File: a.txt'],
      says: /The hunk for a\.txt at line 3 of the patch has no lines/,
    },
    {
      what: 'a new file with a line that is not added',
      before: 'one\n',
      lines: ['*** Add File: b.txt', '+a', '', '+b'],
      says: /Line 4 of the patch, "", is in "\*\*\* Add File: b\.txt".*"\+" alone/,
    },
    {
      what: 'a header without a path',
      before: 'one\n',
      lines: ['*** Delete File: '],
      says: /Line 2 of the patch, "\*\*\* Delete File:", names no file/,
    },
  ];
  for (const { what, before, lines, says } of refused) {
    it(`refuses ${what}, in its own words`, async () => {
      bench.place('a.txt', before);
      const { content, failed } = await apply(...lines);
      assert.equal(failed, true, content);
      assert.match(content, says);
      assert.doesNotMatch(content, /line,count|unified|\/dev\/null|old_text/);
      assert.deepEqual([bench.names(), bench.text('a.txt')], [['a.txt'], before]);
    });
  }

  it('refuses one that is cut off or has no first line', async () => {
    bench.place('a.txt', 'one\n');
    const cut = await bench.use(applyPatch, { patch: '*** Begin Patch\n*** Update File: a.txt\n-one\n+two\n' });
    assert.match(cut.content, /no "\*\*\* End Patch" line, so it may be cut off/);
    const headless = await bench.use(applyPatch, { patch: '*** Update File: a.txt\n-one\n+two\n*** End Patch\n' });
    assert.match(headless.content, /no "\*\*\* Begin Patch" line/);
    assert.equal(bench.text('a.txt'), 'one\n');
  });

  it('says what to check where indentation or signs differ', async () => {
    bench.place('a.py', 'def run():\n    go()\n');
    const { content } = await apply('*** Update File: a.py', '@@', '-go()', '+stop()');
    assert.match(content, /^Patched a\.py: \+1 −1 \(lines 2-2\)\n/);
    assert.match(content, /\nThe hunk for a\.py fits at line 2, which differs in indentation\./);
  });

  it('takes several patches in a row, and a file that an earlier section made', async () => {
    const move = ['*** Update File: a.txt', '*** Move to: b.txt', '@@', '-one', '+two'];
    const first = wrapped('*** Add File: a.txt', '+one', '', ...move);
    const second = wrapped('*** Environment ID: here', '*** Add File: c.txt', '+three');
    const { content, failed } = await bench.use(applyPatch, { patch: `${first}\n${second}` });
    assert.equal(failed, undefined, content);
    assert.deepEqual(bench.names(), ['b.txt', 'c.txt']);
    assert.deepEqual([bench.text('b.txt'), bench.text('c.txt')], ['two\n', 'three\n']);
  });

  it('keeps CRLF line ends', async () => {
    bench.place('a.txt', 'one\r\ntwo\r\n');
    const patch = wrapped('*** Update File: a.txt', '@@', ' one', '-two', '+2', '+3').replaceAll('\n', '\r\n');
    await bench.use(applyPatch, { patch });
    assert.equal(bench.text('a.txt'), 'one\r\n2\r\n3\r\n');
  });

  it('shows an overwritten file as a changed one', async () => {
    bench.place('a.txt', 'old\nkept\n');
    const { details } = await apply('*** Add File: a.txt', '+new', '+kept');
    assert.ok(details?.kind === 'edit');
    const [change] = details.changes;
    assert.deepEqual([change?.path, change?.kind], ['a.txt', 'modified']);
    assert.deepEqual(change?.hunks[0]?.lines, ['-old', '+new', ' kept']);
  });

  it('overwrites and deletes a long file only after it was read, since the log keeps so many lines', async () => {
    const long = Array.from({ length: 1500 }, (_, line) => `line ${line}\n`).join('');
    bench.place('a.txt', long);
    const unread = [await apply('*** Add File: a.txt', '+new'), await apply('*** Delete File: a.txt')];
    assert.match(unread[0]!.content, /has 1,500 lines and was not read yet, so it was not overwritten\. Read it/);
    assert.match(unread[1]!.content, /not read yet, so it was not deleted/);
    assert.equal(bench.text('a.txt'), long);
    await bench.use(readFile, { path: 'a.txt' });
    assert.equal((await apply('*** Add File: a.txt', '+new')).failed, undefined);
    assert.equal(bench.text('a.txt'), 'new\n');
  });

  it('refuses to overwrite, move onto or delete a file that changed since it was read', async () => {
    bench.place('a.txt', 'one\n');
    bench.place('b.txt', 'b\n');
    await bench.use(readFile, { path: 'a.txt' });
    bench.place('a.txt', 'one\na person wrote this\n');
    const attempts = [
      ['*** Add File: a.txt', '+new'],
      ['*** Update File: b.txt', '*** Move to: a.txt', '@@', '-b', '+c'],
      ['*** Delete File: a.txt'],
    ];
    for (const lines of attempts) assert.match((await apply(...lines)).content, /a\.txt has changed since/);
    assert.deepEqual([bench.text('a.txt'), bench.text('b.txt')], ['one\na person wrote this\n', 'b\n']);
  });

  it('finds its place among 50,000 lines that are nearly the same', async () => {
    const lines = Array.from({ length: 50_000 }, () => 'wave');
    bench.place('sea.txt', `${lines.join('\n')}\nshore\n`);
    const context = Array.from({ length: 5000 }, () => ' wave');
    const { content, failed } = await apply('*** Update File: sea.txt', '@@', ...context, '-shore', '+beach');
    assert.equal(failed, undefined, content);
    assert.equal(bench.text('sea.txt'), `${lines.join('\n')}\nbeach\n`);
  });
});
