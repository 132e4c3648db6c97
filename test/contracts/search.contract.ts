import assert from 'node:assert/strict';
import type { Search, SearchQuery } from '../../src/core/ports/search';
import { refused } from './files.contract';

interface SearchUnderTest {
  readonly search: Search;
  place(path: string, bytes: Uint8Array | string): Promise<void>;
  stop(): Promise<void>;
}

/** The contract of every `Search`. */
export function searchContract(name: string, make: () => Promise<SearchUnderTest>): void {
  describe(`search: ${name}`, () => {
    let workspace: SearchUnderTest;
    beforeEach(async () => {
      workspace = await make();
    });
    afterEach(() => workspace.stop());
    const find = async (query: Partial<SearchQuery> & { pattern: string }) =>
      workspace.search.search(
        { literal: false, caseSensitive: true, maxMatches: 100, ...query },
        new AbortController().signal,
      );
    const places = async (query: Partial<SearchQuery> & { pattern: string }) =>
      (await find(query)).matches.map(({ path, line }) => `${path}:${line}`);

    it('finds lines with their path, number and text', async () => {
      await workspace.place('src/a.ts', 'one\nfunction two() {}\r\n');
      assert.deepEqual(await find({ pattern: 'func\\w+' }), {
        matches: [{ path: 'src/a.ts', line: 2, text: 'function two() {}' }],
        truncated: false,
      });
    });

    it('returns no matches without an error', async () => {
      await workspace.place('a.ts', 'one');
      assert.deepEqual(await find({ pattern: 'zzz' }), { matches: [], truncated: false });
    });

    it('matches a literal pattern literally', async () => {
      await workspace.place('a.ts', 'a.b(\naxb(\n');
      assert.deepEqual(await places({ pattern: 'a.b(', literal: true }), ['a.ts:1']);
    });

    it('treats a pattern that looks like an option as a pattern', async () => {
      await workspace.place('a.ts', '--files\n');
      assert.deepEqual(await places({ pattern: '--files' }), ['a.ts:1']);
    });

    it('ignores case when asked', async () => {
      await workspace.place('a.ts', 'One\none\n');
      assert.deepEqual(await places({ pattern: 'ONE', caseSensitive: false }), ['a.ts:1', 'a.ts:2']);
      assert.deepEqual(await places({ pattern: 'ONE' }), []);
    });

    it('searches only below a path', async () => {
      await workspace.place('src/a.ts', 'x1');
      await workspace.place('lib/b.ts', 'x1');
      assert.deepEqual(await places({ pattern: 'x1', path: 'lib' }), ['lib/b.ts:1']);
      assert.deepEqual(await places({ pattern: 'x1', path: 'src/a.ts' }), ['src/a.ts:1']);
    });

    it('searches only names that match a glob, without files that .gitignore excludes', async () => {
      for (const path of ['src/a.ts', 'src/a.js', 'src/deep/b.ts', 'test/c.ts', 'src/made.ts', 'node_modules/x/i.ts'])
        await workspace.place(path, 'x1');
      await workspace.place('.gitignore', 'made.ts\nnode_modules\n');
      assert.deepEqual(await places({ pattern: 'x1', glob: '*.ts' }), ['src/a.ts:1', 'src/deep/b.ts:1', 'test/c.ts:1']);
      assert.deepEqual(await places({ pattern: 'x1', glob: 'src/**/*.ts' }), ['src/a.ts:1', 'src/deep/b.ts:1']);
      assert.deepEqual(await places({ pattern: 'x1', glob: 'src/**' }), [
        'src/a.js:1',
        'src/a.ts:1',
        'src/deep/b.ts:1',
      ]);
      assert.deepEqual(await places({ pattern: 'x1', glob: '{src,test}/*.ts' }), ['src/a.ts:1', 'test/c.ts:1']);
      assert.deepEqual(await places({ pattern: 'x1', glob: '!*.ts' }), ['src/a.js:1']);
    });

    it('skips files with secrets, unless one is named', async () => {
      for (const path of [
        '.env',
        '.env.local',
        'deploy/id_rsa',
        'server.pem',
        '.env.example',
        'a.ts',
        '.git/config',
        '.github/b.yml',
      ])
        await workspace.place(path, 'x1');
      assert.deepEqual(await places({ pattern: 'x1' }), ['.env.example:1', '.github/b.yml:1', 'a.ts:1']);
      assert.deepEqual(await places({ pattern: 'x1', path: '.env' }), ['.env:1']);
    });

    it('stops at the maximum number of matches and says so', async () => {
      await workspace.place('a.ts', 'x1\n'.repeat(5000));
      const { matches, truncated } = await find({ pattern: 'x1', maxMatches: 10 });
      assert.deepEqual({ count: matches.length, truncated }, { count: 10, truncated: true });
      assert.equal((await find({ pattern: 'x1', maxMatches: 5000 })).truncated, false);
    });

    it('returns the first matches by path, and counts those of all files', async () => {
      const names = ['a-b/x.ts', 'a/z.ts', ...Array.from({ length: 60 }, (_, at) => `m${100 + at}.ts`)];
      for (const name of names) await workspace.place(name, 'x1\n'.repeat(3));
      await workspace.place('a/y.ts', `x1\n${'y\n'.repeat(300_000)}x1\n`);
      const { matches, truncated, counts } = await find({ pattern: 'x1', maxMatches: 10 });
      const places = matches.map(({ path, line }) => `${path}:${line}`);
      const first = ['a/y.ts:1', 'a/y.ts:300002', 'a/z.ts:1', 'a/z.ts:2', 'a/z.ts:3'];
      const second = ['a-b/x.ts:1', 'a-b/x.ts:2', 'a-b/x.ts:3', 'm100.ts:1', 'm100.ts:2'];
      assert.deepEqual(places, [...first, ...second]);
      assert.equal(truncated, true);
      assert.equal(counts!.length, 63);
      assert.deepEqual(counts!.slice(0, 2), [
        { path: 'a/y.ts', matches: 2 },
        { path: 'a/z.ts', matches: 3 },
      ]);
    });

    it('returns the first matches by path if there are too many to count', async () => {
      for (const name of ['z.ts', 'a-b/x.ts', 'm.ts']) await workspace.place(name, 'x1\n'.repeat(10_000));
      await workspace.place('a/a.ts', `${'y\n'.repeat(300_000)}x1\n`);
      const { matches, truncated, counts, moreThan } = await find({ pattern: 'x1', maxMatches: 2 });
      assert.deepEqual([truncated, counts, moreThan], [true, undefined, 20_000]);
      assert.deepEqual(
        matches.map(({ path, line }) => `${path}:${line}`),
        ['a/a.ts:300001', 'a-b/x.ts:1'],
      );
    });

    it('skips binary files and truncates long lines', async () => {
      await workspace.place('a.bin', Buffer.concat([Buffer.from('x1 before\n'), Buffer.alloc(100), Buffer.from('x1')]));
      await workspace.place('b.ts', `x1${'y'.repeat(100_000)}\n`);
      await workspace.place('c.ts', 'x1\n');
      const { matches } = await find({ pattern: 'x1' });
      assert.deepEqual(
        matches.map(({ path }) => path),
        ['b.ts', 'c.ts'],
      );
      assert.ok(matches[0]!.text.length < 1000);
    });

    it('continues after a file that turns binary late and after a file name with a line break', async () => {
      await workspace.place(
        'a.bin',
        Buffer.concat([Buffer.from('x1 before\n'), Buffer.from('y\n'.repeat(200_000)), Buffer.alloc(10)]),
      );
      await workspace.place('b.ts', 'x1\n');
      if (process.platform !== 'win32') await workspace.place('c\nd.ts', 'x1\n');
      const found = (await find({ pattern: 'x1' })).matches.map(({ path, line }) => `${path}:${line}`);
      assert.deepEqual(
        found.filter((place) => !place.startsWith('a.bin')),
        process.platform === 'win32' ? ['b.ts:1'] : ['b.ts:1', 'c\nd.ts:1'],
      );
    });

    it('says what is wrong with a pattern', async () => {
      await workspace.place('a.ts', 'x');
      await assert.rejects(find({ pattern: '(' }), /unclosed|regex/);
    });

    it('refuses a path outside', () => refused(find({ pattern: 'root', path: '../..' }), 'outside'));
    it('says that a path is missing', () => refused(find({ pattern: 'x', path: 'nothing' }), 'missing'));

    it('ends when it is aborted', async () => {
      await workspace.place('a.ts', 'x1\n');
      const stopped = new AbortController();
      const search = workspace.search.search(
        { pattern: 'x1', literal: false, caseSensitive: true, maxMatches: 10 },
        stopped.signal,
      );
      stopped.abort(new Error('stopped here'));
      await assert.rejects(search, /stopped here/);
    });
  });
}
