import assert from 'node:assert/strict';
import { FileProblem, type FileProblemCode, type Files } from '../../src/core/ports/files';

/** A workspace whose bytes a test can set and read without the port. Paths are relative to its first folder. */
interface FilesUnderTest {
  readonly files: Files;
  place(path: string, bytes: Uint8Array | string): Promise<void>;
  /** Undefined if the file does not exist. */
  bytes(path: string): Promise<Buffer | undefined>;
  remove(path: string): Promise<void>;
  stop(): Promise<void>;
}

export async function refused(work: Promise<unknown>, code: FileProblemCode): Promise<void> {
  await assert.rejects(work, (thrown) => {
    assert.ok(thrown instanceof FileProblem, `expected a FileProblem, got ${String(thrown)}`);
    assert.equal(thrown.code, code, thrown.message);
    assert.match(thrown.message, /[.]$/);
    return true;
  });
}

const utf16 = (text: string, order: 'le' | 'be'): Buffer => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return order === 'be' ? bytes.swap16() : bytes;
};

/** The contract of every `Files`. */
export function filesContract(name: string, make: () => Promise<FilesUnderTest>): void {
  describe(`files: ${name}`, () => {
    let workspace: FilesUnderTest;
    beforeEach(async () => {
      workspace = await make();
    });
    afterEach(() => workspace.stop());
    const place = (path: string, bytes: Uint8Array | string) => workspace.place(path, bytes);
    const bytesOf = (path: string) => workspace.bytes(path);
    const replaceIn = async (path: string, from: string, to: string): Promise<void> => {
      const { text, version } = await workspace.files.read(path);
      assert.ok(text.includes(from));
      await workspace.files.write([{ path, text: text.replace(from, to), expected: version }]);
    };

    it('reads a text with its path and version', async () => {
      await place('src/a.ts', 'one\ntwo\n');
      const snapshot = await workspace.files.read('src/a.ts');
      assert.deepEqual({ path: snapshot.path, text: snapshot.text }, { path: 'src/a.ts', text: 'one\ntwo\n' });
      assert.ok(snapshot.version.length > 0);
    });

    it('gives a file the same path however it is spelled', async () => {
      await place('src/a.ts', 'x');
      for (const spelled of ['./src/a.ts', 'src/../src/a.ts', 'src//a.ts'])
        assert.equal((await workspace.files.read(spelled)).path, 'src/a.ts');
    });

    it('gives equal texts equal versions and different texts different versions', async () => {
      await place('a', 'same');
      const first = (await workspace.files.read('a')).version;
      assert.equal((await workspace.files.read('a')).version, first);
      await place('a', 'else');
      assert.notEqual((await workspace.files.read('a')).version, first);
    });

    it('says that a file is missing', () => refused(workspace.files.read('nothing.ts'), 'missing'));
    it('refuses to read a folder', async () => {
      await place('src/a.ts', '');
      await refused(workspace.files.read('src'), 'folder');
    });
    it('refuses binary content', async () => {
      await place('a.png', Buffer.from([0x89, 0x50, 0, 1, 2]));
      await refused(workspace.files.read('a.png'), 'binary');
    });
    it('refuses files outside the workspace', async () => {
      for (const path of ['../a', '/etc/passwd', 'src/../../a', 'a\0b', 'file:///etc/passwd', '~/a']) {
        await refused(workspace.files.read(path), 'outside');
        await refused(workspace.files.write([{ path, text: '', expected: null }]), 'outside');
      }
    });

    it('creates a file and its parent folders', async () => {
      const [snapshot] = await workspace.files.write([{ path: 'deep/er/a.ts', text: 'a\n', expected: null }]);
      assert.equal(String(await bytesOf('deep/er/a.ts')), 'a\n');
      assert.deepEqual(snapshot, await workspace.files.read('deep/er/a.ts'));
    });

    it('does not create a file that exists', async () => {
      await place('a', 'mine');
      await refused(workspace.files.write([{ path: 'a', text: 'theirs', expected: null }]), 'exists');
      assert.equal(String(await bytesOf('a')), 'mine');
    });

    it('does not overwrite a file that changed', async () => {
      await place('a', 'one');
      const { version } = await workspace.files.read('a');
      await place('a', 'two');
      await refused(workspace.files.write([{ path: 'a', text: 'three', expected: version }]), 'changed');
      assert.equal(String(await bytesOf('a')), 'two');
    });

    it('does not write to a file that was deleted meanwhile', async () => {
      await place('a', 'one');
      const { version } = await workspace.files.read('a');
      await workspace.remove('a');
      await refused(workspace.files.write([{ path: 'a', text: 'two', expected: version }]), 'changed');
      assert.equal(await bytesOf('a'), undefined);
    });

    it('deletes a file', async () => {
      await place('a', 'one');
      const { version } = await workspace.files.read('a');
      assert.deepEqual(await workspace.files.write([{ path: 'a', text: null, expected: version }]), []);
      assert.equal(await bytesOf('a'), undefined);
    });

    it('writes all of several changes', async () => {
      await place('a', 'one');
      await place('b', 'two');
      const [a, b] = [await workspace.files.read('a'), await workspace.files.read('b')];
      const written = await workspace.files.write([
        { path: 'a', text: 'uno', expected: a.version },
        { path: 'b', text: null, expected: b.version },
        { path: 'c', text: 'tre', expected: null },
      ]);
      assert.deepEqual(
        written.map(({ path, text }) => [path, text]),
        [
          ['a', 'uno'],
          ['c', 'tre'],
        ],
      );
      assert.deepEqual(
        [String(await bytesOf('a')), await bytesOf('b'), String(await bytesOf('c'))],
        ['uno', undefined, 'tre'],
      );
    });

    it('writes none of several changes if one is refused', async () => {
      await place('a', 'one');
      await place('b', 'two');
      const { version } = await workspace.files.read('a');
      await refused(
        workspace.files.write([
          { path: 'a', text: 'uno', expected: version },
          { path: 'new/c', text: 'tre', expected: null },
          { path: 'b', text: 'due', expected: 'stale' },
        ]),
        'changed',
      );
      assert.deepEqual(
        [String(await bytesOf('a')), String(await bytesOf('b')), await bytesOf('new/c')],
        ['one', 'two', undefined],
      );
    });

    const forms: readonly (readonly [string, Buffer, Buffer])[] = [
      ['CRLF line ends', Buffer.from('one\r\ntwo\r\nthree\r\n'), Buffer.from('one\r\n2\r\nthree\r\n')],
      ['a UTF-8 byte order mark', Buffer.from('\ufeffone\ntwo\n'), Buffer.from('\ufeffone\n2\n')],
      ['UTF-16 LE', utf16('one\r\ntwo\r\n', 'le'), utf16('one\r\n2\r\n', 'le')],
      ['UTF-16 BE', utf16('öne\ntwo\n', 'be'), utf16('öne\n2\n', 'be')],
      ['no final line end', Buffer.from('one\ntwo'), Buffer.from('one\n2')],
    ];
    for (const [form, before, after] of forms) {
      it(`shows "\\n" and keeps ${form}`, async () => {
        await place('a', before);
        assert.ok(!(await workspace.files.read('a')).text.includes('\r'));
        await replaceIn('a', 'two', '2');
        assert.deepEqual(await bytesOf('a'), after);
      });
    }

    it('lists folders first, without files that .gitignore excludes', async () => {
      for (const path of ['z.ts', 'src/b.ts', 'src/a/c.ts', 'node_modules/x/i.js', 'src/out.log'])
        await place(path, '');
      await place('.gitignore', 'node_modules\n*.log\n');
      const { entries, truncated } = await workspace.files.list('.', { depth: 5, limit: 100 });
      assert.deepEqual(entries, [
        { path: 'src', kind: 'folder' },
        { path: 'src/a', kind: 'folder' },
        { path: 'src/a/c.ts', kind: 'file' },
        { path: 'src/b.ts', kind: 'file' },
        { path: '.gitignore', kind: 'file' },
        { path: 'z.ts', kind: 'file' },
      ]);
      assert.equal(truncated, false);
    });

    it('lists only to the requested depth and number', async () => {
      for (const path of ['a/b/c.ts', 'd.ts', 'e.ts']) await place(path, '');
      assert.deepEqual(
        (await workspace.files.list('.', { depth: 1, limit: 100 })).entries.map(({ path }) => path),
        ['a', 'd.ts', 'e.ts'],
      );
      const cut = await workspace.files.list('.', { depth: 3, limit: 2 });
      assert.deepEqual({ count: cut.entries.length, truncated: cut.truncated }, { count: 2, truncated: true });
    });
  });
}
