import assert from 'node:assert/strict';
import { patch } from '../../../../src/core/tools/hermes/patch';
import { readFileByOffset } from '../../../../src/core/tools/hermes/readFile';
import { toolBench, type ToolBench } from '../../../support/toolBench';

describe('patch', () => {
  let bench: ToolBench;
  beforeEach(() => {
    bench = toolBench();
  });
  afterEach(() => bench.stop());
  const file = 'class A {\n\trun() {\n\t\tgo();\n\t}\n}\n';

  it('replaces the exact text', async () => {
    bench.place('a.js', file);
    const { content, details } = await bench.use(patch, { path: 'a.js', old_string: 'go();', new_string: 'stop();' });
    assert.equal(content, 'Edited a.js: +1 −1 (lines 3-3)');
    assert.ok(details?.kind === 'edit');
    assert.equal(bench.text('a.js'), file.replace('go', 'stop'));
  });

  it("forgives how the text was quoted, keeps the file's indentation and says so", async () => {
    bench.place('a.js', file);
    const { content } = await bench.use(patch, {
      mode: 'replace',
      path: 'a.js',
      old_string: 'run() {\n  go();\n}',
      new_string: 'run() {\n  go();\n  go();\n}',
    });
    assert.match(content, /old_string does not match exactly: only white space/);
    assert.equal(bench.text('a.js'), 'class A {\n\trun() {\n\t\tgo();\n\t\tgo();\n\t}\n}\n');
  });

  it('refuses an ambiguous text, a missing one, and to replace all unseen', async () => {
    bench.place('a.js', 'x;\nx;\n');
    for (const [input, says] of [
      [{ old_string: 'x;', new_string: 'y;' }, /2 times, at lines 1, 2/],
      [{ old_string: 'nowhere at all', new_string: 'y;' }, /old_string was not found/],
      [{ old_string: 'x;', new_string: 'y;', replace_all: true }, /Read the file before/],
    ] as const) {
      const { failed, content } = await bench.use(patch, { path: 'a.js', ...input });
      assert.equal(failed, true);
      assert.match(content, says);
    }
    await bench.use(readFileByOffset, { path: 'a.js' });
    await bench.use(patch, { path: 'a.js', old_string: 'x;', new_string: 'y;', replace_all: true });
    assert.equal(bench.text('a.js'), 'y;\ny;\n');
  });

  it('does not touch a file that changed since it was read', async () => {
    bench.place('a.js', file);
    await bench.use(readFileByOffset, { path: 'a.js' });
    bench.place('a.js', `${file}more\n`);
    assert.match(
      (await bench.use(patch, { path: 'a.js', old_string: 'go();', new_string: 'stop();' })).content,
      /has changed since/,
    );
  });

  it('takes a whole patch, judged and allowed by the files it names', async () => {
    bench.place('a.js', file);
    const text =
      '*** Begin Patch\n*** Update File: a.js\n-\t\tgo();\n+\t\tstop();\n*** Add File: b.js\n+new\n*** End Patch';
    const call = patch.bind({ mode: 'patch', patch: text });
    assert.deepEqual([call.touches.writes, call.allowKey], [['a.js', 'b.js'], 'a.js\nb.js']);
    const { failed, content } = await bench.use(patch, { mode: 'patch', patch: text });
    assert.equal(failed, undefined, content);
    assert.deepEqual([bench.text('a.js'), bench.text('b.js')], [file.replace('go', 'stop'), 'new\n']);
  });

  it('needs what its mode needs', () => {
    assert.throws(() => patch.bind({ mode: 'patch' }), /needs patch/);
    assert.throws(() => patch.bind({ path: 'a', old_string: 'x' }), /needs path, old_string and new_string/);
  });
});

describe('a patch that places hunks by their lines', () => {
  let bench: ToolBench;
  beforeEach(() => {
    bench = toolBench();
  });
  afterEach(() => bench.stop());
  const use = (...lines: string[]) =>
    bench.use(patch, { mode: 'patch', patch: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') });
  const methods = 'class A:\n  def run():\n    go()\n\nclass B:\n  def run():\n    go()\n  def end():\n    go()\n';

  it('finds a hunk below the lines that its headers name', async () => {
    bench.place('a.py', methods);
    const { failed, content } = await use(
      '*** Update File: a.py',
      '@@ class B:',
      '@@ def end():',
      '-    go()',
      '+    stop()',
      '*** End of File',
    );
    assert.equal(failed, undefined, content);
    assert.equal(bench.text('a.py'), methods.replace(/go\(\)\n$/, 'stop()\n'));
    assert.equal(
      (await use('*** Update File: a.py', '@@ class B:', '   def run():', '-    go()', '+    wait()')).failed,
      undefined,
    );
    assert.equal(
      bench.text('a.py'),
      'class A:\n  def run():\n    go()\n\nclass B:\n  def run():\n    wait()\n  def end():\n    stop()\n',
    );
  });

  it('changes several places of one file', async () => {
    bench.place('a.py', 'one\ntwo\nthree\nfour\n');
    await use('*** Update File: a.py', '@@', '-one', '+1', '+1.5', '@@', ' three', '-four', '+4');
    assert.equal(bench.text('a.py'), '1\n1.5\ntwo\nthree\n4\n');
  });

  it('refuses a hunk that fits several places', async () => {
    bench.place('a.py', methods);
    const { failed, content } = await use('*** Update File: a.py', '-    go()', '+    stop()');
    assert.equal(failed, true);
    assert.match(content, /fits in several places/);
    assert.equal(bench.text('a.py'), methods);
  });

  it('moves and deletes files that were read', async () => {
    bench.place('a.py', 'one\n');
    bench.place('b.py', 'two\n');
    await bench.use(readFileByOffset, { path: 'b.py' });
    const { failed, content } = await use(
      '*** Update File: a.py',
      '*** Move to: lib/c.py',
      '-one',
      '+1',
      '*** Delete File: b.py',
    );
    assert.equal(failed, undefined, content);
    assert.deepEqual(bench.names(), ['lib', 'lib/c.py']);
    assert.equal(bench.text('lib/c.py'), '1\n');
  });

  it('is refused whole where it names no file or one that is there', async () => {
    bench.place('a.py', 'one\n');
    assert.match((await use('-one', '+two')).content, /names no file/);
    assert.match((await use('*** Add File: a.py', '+two')).content, /a\.py exists already/);
    assert.equal(bench.text('a.py'), 'one\n');
  });
});
