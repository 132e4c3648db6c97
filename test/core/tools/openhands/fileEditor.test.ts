import assert from 'node:assert/strict';
import { fileEditor } from '../../../../src/core/tools/openhands/fileEditor';
import { toolBench, type ToolBench } from '../../../support/toolBench';

describe('file_editor', () => {
  let bench: ToolBench;
  beforeEach(() => {
    bench = toolBench();
  });
  afterEach(() => bench.stop());
  const use = (command: string, path: string, more: object = {}) => bench.use(fileEditor, { command, path, ...more });

  it('views a file, a range of it, and a folder', async () => {
    bench.place('src/a', 'one\ntwo\nthree\n');
    assert.equal((await use('view', 'src/a')).content, '    1\tone\n    2\ttwo\n    3\tthree');
    assert.match((await use('view', 'src/a', { view_range: [2, 2] })).content, /^ {4}2\ttwo\n/);
    assert.equal((await use('view', 'src/a', { view_range: [2, -1] })).content, '    2\ttwo\n    3\tthree');
    assert.equal((await use('view', 'src')).content, 'src/a');
    await assert.rejects(use('view', 'gone'), /There is no file gone/);
  });

  it('creates a file, and replaces none that was not read', async () => {
    await use('create', 'new/a', { file_text: 'x\n' });
    assert.equal(bench.text('new/a'), 'x\n');
    bench.place('b', 'mine\n');
    assert.equal((await use('create', 'b', { file_text: 'x' })).failed, true);
    assert.equal(bench.text('b'), 'mine\n');
  });

  it('replaces a text that is there once', async () => {
    bench.place('a', 'one\ntwo\ntwo\n');
    assert.equal(
      (await use('str_replace', 'a', { old_str: 'one', new_str: '1' })).content,
      'Edited a: +1 −1 (lines 1-1)',
    );
    assert.equal(
      (await use('str_replace', 'a', { old_str: '1\n' })).failed,
      undefined,
      'without new_str it is taken away',
    );
    const twice = await use('str_replace', 'a', { old_str: 'two', new_str: '2' });
    assert.match(
      twice.content,
      /old_str occurs 2 times, at lines 1, 2\. Quote more of the lines around the one you mean\.$/,
    );
    assert.match(
      (await use('str_replace', 'a', { old_str: 'nothing', new_str: '2' })).content,
      /old_str was not found/,
    );
    assert.equal(bench.text('a'), 'two\ntwo\n');
  });

  const inserts: readonly (readonly [string, number, string, string])[] = [
    ['b\n', 0, 'a', 'a\nb\n'],
    ['a\nc\n', 1, 'b', 'a\nb\nc\n'],
    ['a\n', 1, 'b\nc\n', 'a\nb\nc\n'],
    ['a', 1, 'b', 'a\nb'],
    ['', 0, 'a', 'a\n'],
    ['a\n\n', 2, 'b', 'a\n\nb\n'],
  ];
  for (const [before, line, text, after] of inserts) {
    it(`inserts ${JSON.stringify(text)} after line ${line} of ${JSON.stringify(before)}`, async () => {
      bench.place('a', before);
      await use('insert', 'a', { insert_line: line, new_str: text });
      assert.equal(bench.text('a'), after);
    });
  }

  it('inserts nothing beyond the end', async () => {
    bench.place('a', 'one\n');
    assert.match(
      (await use('insert', 'a', { insert_line: 2, new_str: 'x' })).content,
      /has 1 lines; there is no line 2/,
    );
  });

  it('undoes its edits one by one, the last one first', async () => {
    const texts = ['one\ntwo\nthree\n', '1\ntwo\nthree\n', '1\ntwo\n2.5\nthree\n', '1\n2.5\nthree\n'];
    bench.place('a', texts[0]!);
    await use('str_replace', 'a', { old_str: 'one', new_str: '1' });
    await use('insert', 'a', { insert_line: 2, new_str: '2.5' });
    await use('str_replace', 'a', { old_str: 'two\n', new_str: '' });
    for (const text of [3, 2, 1].map((at) => texts[at])) {
      assert.equal(bench.text('a'), text);
      assert.equal((await use('undo_edit', 'a')).failed, undefined);
    }
    assert.equal(bench.text('a'), texts[0]);
    assert.match((await use('undo_edit', 'a')).content, /nothing to undo/);
  });

  it('undoes nothing that it did not edit, that it created, or that changed since', async () => {
    bench.place('a', 'one\n');
    assert.match((await use('undo_edit', 'a')).content, /nothing to undo/);
    await use('create', 'b', { file_text: 'x\n' });
    assert.match((await use('undo_edit', 'b')).content, /created it/);
    await use('str_replace', 'a', { old_str: 'one', new_str: '1' });
    bench.place('a', 'other\n');
    assert.match((await use('undo_edit', 'a')).content, /has changed since/);
    assert.equal(bench.text('a'), 'other\n');
  });

  it('tells apart what it reads and what it writes', () => {
    assert.deepEqual(fileEditor.bind({ command: 'view', path: 'a' }).touches, { reads: ['a'] });
    assert.deepEqual(fileEditor.bind({ command: 'undo_edit', path: 'a' }).touches.writes, ['a']);
    assert.notEqual(
      fileEditor.bind({ command: 'view', path: 'a' }).allowKey,
      fileEditor.bind({ command: 'undo_edit', path: 'a' }).allowKey,
    );
  });

  it('names what a command lacks', () => {
    assert.throws(() => fileEditor.bind({ command: 'create', path: 'a' }), /create needs file_text/);
    assert.throws(() => fileEditor.bind({ command: 'insert', path: 'a', new_str: 'x' }), /insert needs insert_line/);
    assert.throws(() => fileEditor.bind({ command: 'str_replace', path: 'a' }), /needs old_str/);
  });
});
