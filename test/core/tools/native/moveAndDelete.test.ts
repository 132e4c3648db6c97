import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { diskScripts } from '../../../../src/adapters/scripts/diskScripts';
import type { Tool } from '../../../../src/core/ports/tool';
import { analyzers, assessWith } from '../../../../src/core/security/analyzers';
import { deleteFile, moveFile } from '../../../../src/core/tools/native/moveAndDelete';
import { readFile } from '../../../../src/core/tools/native/readFile';
import { runCommand } from '../../../../src/core/tools/native/runCommand';
import { editPreview } from '../../../../src/core/tools/files/editPreview';
import { toolBench, type ToolBench } from '../../../support/toolBench';

const binary = Buffer.from([0, 1, 2, 255]);

describe('move_file and delete_file', () => {
  let bench: ToolBench;
  beforeEach(() => {
    bench = toolBench();
  });
  afterEach(() => bench.stop());
  const fails = async (tool: Tool, input: unknown, says: RegExp): Promise<void> => {
    const before = bench.names();
    await assert.rejects(bench.use(tool, input), says);
    assert.deepEqual(bench.names(), before);
  };

  it('move a file of any content with its mode, and make the folders it needs', async () => {
    bench.place('a.bin', binary);
    fs.chmodSync(bench.at('a.bin'), 0o755);
    const { content, details } = await bench.use(moveFile, { from: 'a.bin', to: 'new/deep/b.bin' });
    assert.equal(content, 'Moved: a.bin is now new/deep/b.bin');
    assert.deepEqual(bench.names(), ['new', 'new/deep', 'new/deep/b.bin']);
    assert.deepEqual(bench.bytes('new/deep/b.bin'), binary);
    assert.equal(fs.statSync(bench.at('new/deep/b.bin')).mode & 0o777, 0o755);
    assert.ok(details?.kind === 'edit');
    assert.deepEqual([details.changes[0]!.path, details.changes[0]!.from], ['new/deep/b.bin', 'a.bin']);
  });

  it('keep what the model knows of a moved file, and of nothing that it never read', async () => {
    bench.place('read.txt', 'one\n');
    bench.place('unread.txt', 'two\n');
    await bench.use(readFile, { path: 'read.txt' });
    await bench.use(moveFile, { from: 'read.txt', to: 'known.txt' });
    await bench.use(moveFile, { from: 'unread.txt', to: 'unknown.txt' });
    const { versionSeen } = bench.context();
    assert.notEqual(versionSeen('known.txt'), undefined);
    assert.deepEqual([versionSeen('read.txt'), versionSeen('unknown.txt')], [undefined, undefined]);
  });

  it('overwrite nothing', async () => {
    bench.place('a', 'one\n');
    bench.place('b', 'two\n');
    await fails(moveFile, { from: 'a', to: 'b' }, /b already exists/);
    assert.equal(bench.text('b'), 'two\n');
  });

  it('delete one file of any content', async () => {
    bench.place('a.bin', binary);
    bench.place('b.txt', 'one\ntwo\n');
    await bench.use(deleteFile, { path: 'a.bin' });
    const { details } = await bench.use(deleteFile, { path: 'b.txt' });
    assert.deepEqual(bench.names(), []);
    assert.ok(details?.kind === 'edit');
    assert.deepEqual([details.changes[0]!.kind, details.changes[0]!.removed], ['deleted', 2]);
  });

  it('leave folders, links, what is missing and what is outside', async () => {
    bench.place('folder/a', 'one\n');
    fs.symlinkSync('folder/a', bench.at('link'));
    for (const [path, says] of [
      ['folder', /is a folder/],
      ['link', /is a link to folder\/a/],
      ['folder/b', /There is no file/],
      ['../other', /outside the workspace/],
    ] as const) {
      await fails(deleteFile, { path }, says);
      await fails(moveFile, { from: path, to: 'there' }, says);
    }
    await fails(moveFile, { from: 'folder/a', to: '../there' }, /outside the workspace/);
  });

  it('leave a file that changed since it was read', async () => {
    bench.place('a', 'one\n');
    await bench.use(readFile, { path: 'a' });
    bench.place('a', 'mine\n');
    for (const [tool, input] of [
      [deleteFile, { path: 'a' }],
      [moveFile, { from: 'a', to: 'b' }],
    ] as const) {
      const { failed, content } = await bench.use(tool, input);
      assert.deepEqual([failed, /has changed since/.test(content)], [true, true]);
    }
    assert.equal(bench.text('a'), 'mine\n');
  });

  it('can be looked at before they are done', async () => {
    bench.place('a', 'one\n');
    const look = async (tool: Tool, input: unknown) => {
      const { environment, ...context } = bench.context();
      const preview = await editPreview(tool, tool.bind(input), environment, context);
      assert.ok(preview && 'changes' in preview);
      return preview.written.map(({ path, before, after }) => [path, before, after]);
    };
    assert.deepEqual(await look(deleteFile, { path: 'a' }), [['a', 'one\n', null]]);
    assert.deepEqual(await look(moveFile, { from: 'a', to: 'b' }), [
      ['a', 'one\n', null],
      ['b', null, 'one\n'],
    ]);
    assert.deepEqual(bench.names(), ['a']);
  });
});

describe('move_file and delete_file are judged', () => {
  let bench: ToolBench;
  before(function () {
    bench = toolBench();
    const git = (...args: string[]) =>
      spawnSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: bench.root });
    if (git('init', '-q').status !== 0) return this.skip();
    bench.place('.gitignore', 'ignored.txt\n');
    bench.place('committed.txt', 'one\n');
    bench.place('changed.txt', 'one\n');
    bench.place('.github/workflows/ci.yml', 'on: push\n');
    bench.place("it's here.txt", 'one\n');
    git('add', '-A');
    git('commit', '-qm', 'first');
    bench.place('changed.txt', 'two\n');
    bench.place('untracked.txt', 'mine\n');
    bench.place('ignored.txt', 'made\n');
    bench.place('.env', 'KEY=value\n');
  });
  after(() => bench.stop());

  const judged = (tool: Tool, input: unknown) => {
    const { environment } = bench.context();
    const place = { ...environment, scripts: diskScripts(bench.root) };
    return assessWith(analyzers, { tool, call: tool.bind(input), environment: place, history: [] });
  };
  const files = [
    'committed.txt',
    'changed.txt',
    'untracked.txt',
    'ignored.txt',
    '.env',
    '.github/workflows/ci.yml',
    "it's here.txt",
    '.git/config',
  ];
  for (const file of files)
    it(`never below the shell command: ${file}`, async () => {
      const word = `'${file.replace("'", `'\\''`)}'`;
      const order = ['low', 'medium', 'high', 'unknown'];
      for (const [tool, input, command] of [
        [deleteFile, { path: file }, `rm ${word}`],
        [moveFile, { from: file, to: 'there.txt' }, `mv ${word} there.txt`],
        [moveFile, { from: 'committed.txt', to: file.replace('.txt', '2.txt') }, undefined],
      ] as const) {
        const own = await judged(tool, input);
        if (command === undefined) continue;
        const asCommand = await judged(runCommand, { command });
        assert.ok(
          order.indexOf(own.level) >= order.indexOf(asCommand.level),
          `${command}: ${own.level} (${own.reasons.join(' ')}) below ${asCommand.level} (${asCommand.reasons.join(' ')})`,
        );
      }
    });

  it('by what would be lost', async () => {
    const untracked = await judged(deleteFile, { path: 'untracked.txt' });
    const ignored = await judged(deleteFile, { path: 'ignored.txt' });
    assert.equal(untracked.level, 'high');
    assert.match(untracked.reasons[0]!, /untracked\.txt/);
    assert.match(ignored.reasons[0]!, /ignored\.txt, which Git ignores/);
  });
});
