import assert from 'node:assert/strict';
import { readFileByOffset } from '../../../../src/core/tools/hermes/readFile';
import { searchFiles } from '../../../../src/core/tools/hermes/searchFiles';
import { toolBench, type ToolBench } from '../../../support/toolBench';

describe('read_file by offset', () => {
  it('shows so many lines from an offset, and how to go on', async () => {
    const bench = toolBench();
    bench.place('a', Array.from({ length: 1200 }, (_, at) => `line ${at + 1}`).join('\n'));
    assert.match(
      (await bench.use(readFileByOffset, { path: 'a' })).content,
      /\n {2}500\tline 500\n\[Lines 1-500 of 1200\.\]$/,
    );
    assert.equal(
      (await bench.use(readFileByOffset, { path: 'a', offset: 7, limit: 2 })).content,
      '    7\tline 7\n    8\tline 8\n[Lines 7-8 of 1200.]',
    );
    assert.throws(() => readFileByOffset.bind({ path: 'a', limit: 2001 }), /Invalid input/);
    assert.deepEqual(readFileByOffset.bind({ path: 'a' }).touches, { reads: ['a'] });
    bench.stop();
  });
});

describe('search_files', () => {
  let bench: ToolBench;
  before(() => {
    bench = toolBench();
    bench.place('src/a.ts', 'one\ntwo\nthree\nfour\nfive\nsix\ntwo again\n');
    bench.place('src/b.ts', 'two\n');
    bench.place('src/deep/a.test.ts', 'two\n');
    bench.place('readme.md', 'two\n');
  });
  after(() => bench.stop());
  const find = async (input: object) => (await bench.use(searchFiles, input)).content;

  it('lists matches, page by page', async () => {
    assert.equal(await find({ pattern: 'tw.', path: 'src/a.ts' }), 'src/a.ts:2: two\nsrc/a.ts:7: two again');
    assert.equal(
      await find({ pattern: 'two', path: 'src/a.ts', limit: 1 }),
      'src/a.ts:2: two\n[More results. Continue with offset 1, or search for something rarer.]',
    );
    assert.equal(await find({ pattern: 'two', path: 'src/a.ts', limit: 1, offset: 1 }), 'src/a.ts:7: two again');
    assert.equal(await find({ pattern: 'two', path: 'src/a.ts', offset: 5 }), 'There are only 2 results.');
    assert.equal(await find({ pattern: 'nowhere' }), 'No match.');
  });

  it('lists files only, or counts', async () => {
    assert.deepEqual(
      (await find({ pattern: 'two', file_glob: '*.ts', output_mode: 'files_only' })).split('\n').sort(),
      ['src/a.ts', 'src/b.ts', 'src/deep/a.test.ts'],
    );
    assert.equal(await find({ pattern: 'two', path: 'src/a.ts', output_mode: 'count' }), 'src/a.ts: 2');
  });

  it('shows the lines around a match', async () => {
    assert.equal(
      await find({ pattern: 'two', path: 'src/a.ts', context: 1 }),
      'src/a.ts\n    1-\tone\n    2:\ttwo\n    3-\tthree\n--\n    6-\tsix\n    7:\ttwo again',
    );
  });

  it('finds files by name, anywhere or by path', async () => {
    assert.deepEqual((await find({ pattern: '*.ts', target: 'files' })).split('\n').sort(), [
      'src/a.ts',
      'src/b.ts',
      'src/deep/a.test.ts',
    ]);
    assert.equal(
      await find({ pattern: 'src/*.ts', target: 'files', limit: 1 }),
      'src/a.ts\n[More results. Continue with offset 1, or search for something rarer.]',
    );
    assert.equal(await find({ pattern: '*.md', target: 'files', path: 'src' }), 'No match.');
  });
});
