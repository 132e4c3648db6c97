import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { diskFiles } from '../../../src/adapters/files/diskFiles';
import { whenDescriptorsAllow } from '../../../src/adapters/files/fileProblems';
import type { Files } from '../../../src/core/ports/files';
import { refused } from '../../contracts/files.contract';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace';

const onLinux = process.platform === 'linux';
const isRoot = process.getuid?.() === 0;

describe('a file on disk', () => {
  let place: TemporaryWorkspace;
  let files: Files;
  beforeEach(() => {
    place = temporaryWorkspace();
    fs.mkdirSync(place.at('repo'));
    files = diskFiles({ folders: [place.at('repo')] });
  });
  afterEach(() => place.stop());

  const edit = async (path: string, change: (text: string) => string): Promise<void> => {
    const { text, version } = await files.read(path);
    await files.write([{ path, text: change(text), expected: version }]);
  };
  const leftovers = () => place.names().filter((name) => name.includes('.waymark-'));

  it('keeps its mode and owner', async function () {
    if (process.platform === 'win32') this.skip();
    place.place('repo/run.sh', 'echo one\n');
    fs.chmodSync(place.at('repo/run.sh'), 0o751);
    if (isRoot) fs.chownSync(place.at('repo/run.sh'), 1234, 2345);
    await edit('run.sh', (text) => text.replace('one', 'two'));
    const { mode, uid, gid } = fs.statSync(place.at('repo/run.sh'));
    assert.equal(mode & 0o7777, 0o751);
    if (isRoot) assert.deepEqual({ uid, gid }, { uid: 1234, gid: 2345 });
  });

  it('keeps each of its mixed line endings', async () => {
    place.place('repo/a', 'one\r\ntwo\nthree\r\nfour\r\r\nfive\nsix\r\nseven');
    await edit('a', (text) => text.replace('two', '2').replace('six\n', 'six\nnew\n'));
    assert.equal(String(place.bytes('repo/a')), 'one\r\n2\nthree\r\nfour\r\r\nfive\nsix\r\nnew\r\nseven');
  });

  it('is unchanged outside the edit, whatever its bytes', async () => {
    const piece = fc.constantFrom('a', 'ö', '😀', '\n', '\r\n', '\r', '\t', ' ', '\ufeff', '\u2028', 'word');
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 40 }),
        fc.array(piece, { maxLength: 40 }),
        fc.constantFrom('utf8', 'bom', 'utf16le', 'utf16be'),
        async (before, after, form) => {
          const coded = (text: string): Buffer => {
            if (form === 'utf8') return Buffer.from(text);
            if (form === 'bom') return Buffer.from(`\ufeff${text}`);
            const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
            return form === 'utf16be' ? bytes.swap16() : bytes;
          };
          const [head, tail] = [`${before.join('')}\n`, `\n${after.join('')}`];
          fc.pre(form !== 'utf8' || !head.startsWith('\ufeff'));
          place.place('repo/a', coded(`${head}MARK${tail}`));
          await edit('a', (text) => text.replace('MARK', 'changed'));
          assert.deepEqual(place.bytes('repo/a'), coded(`${head}changed${tail}`));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('in Latin-1 is read and written back as Latin-1', async () => {
    place.place('repo/latin1', Buffer.from('caf\xe9\none\n', 'latin1'));
    await edit('latin1', (text) => text.replace('one', 'tw\xf6'));
    assert.deepEqual(place.bytes('repo/latin1'), Buffer.from('caf\xe9\ntw\xf6\n', 'latin1'));
  });

  it('is refused in an encoding that could not be written back', async () => {
    place.place('repo/sjis', Buffer.from([0x93, 0xfa, 0x96, 0x7b, 0x0a]));
    place.place('repo/odd', Buffer.from([0xff, 0xfe, 0x41]));
    place.place('repo/half', Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x41, 0x00]));
    for (const name of ['sjis', 'odd', 'half']) await refused(files.read(name), 'binary');
    await refused(files.write([{ path: 'new', text: '\ud800', expected: null }]), 'not_permitted');
    assert.deepEqual(leftovers(), []);
  });

  it('keeps a NUL far into the text', async () => {
    place.place('repo/a', `${'x'.repeat(9000)}\0\none\n`);
    await edit('a', (text) => text.replace('one', 'two'));
    assert.equal(String(place.bytes('repo/a')), `${'x'.repeat(9000)}\0\ntwo\n`);
  });

  it('is refused if it is too large, without being read', async () => {
    place.place('repo/large', '');
    fs.truncateSync(place.at('repo/large'), 100 * 1024 * 1024);
    await refused(files.read('large'), 'too_large');
    place.place('repo/line', 'y'.repeat(10 * 1024 * 1024));
    assert.equal((await files.read('line')).text.length, 10 * 1024 * 1024);
  });

  it('is refused at once if it is a pipe, socket or device', async function () {
    if (process.platform === 'win32') this.skip();
    execFileSync('mkfifo', [place.at('repo/pipe')]);
    const server = net.createServer().listen(place.at('repo/socket'));
    await new Promise((resolve) => server.once('listening', resolve));
    for (const name of ['pipe', 'socket']) {
      await refused(files.read(name), 'special');
      await refused(files.write([{ path: name, text: 'x', expected: null }]), 'special');
    }
    server.close();
    await refused(diskFiles({ folders: ['/dev'] }).read('zero'), 'special');
  });

  it('reports what happened to it between reading and writing', async () => {
    place.place('repo/a', 'one');
    const { version } = await files.read('a');
    fs.rmSync(place.at('repo/a'));
    fs.mkdirSync(place.at('repo/a'));
    await refused(files.write([{ path: 'a', text: 'two', expected: version }]), 'folder');
    place.place('repo/b/c', 'one');
    const inner = await files.read('b/c');
    place.remove('repo/b');
    await refused(files.write([{ path: 'b/c', text: 'two', expected: inner.version }]), 'changed');
    place.place('repo/b', 'a file now');
    await refused(files.write([{ path: 'b/c', text: 'two', expected: null }]), 'missing');
    await refused(files.write([{ path: '.', text: 'two', expected: null }]), 'folder');
    assert.deepEqual(leftovers(), []);
  });

  it('cannot be changed twice in one call', async () => {
    await refused(
      files.write([
        { path: 'a', text: 'one', expected: null },
        { path: './a', text: 'two', expected: null },
      ]),
      'changed',
    );
    assert.deepEqual(place.names(), ['repo']);
  });

  it('is not written through a link that leads outside', async () => {
    place.place('outside/a', 'safe');
    fs.symlinkSync(place.at('outside'), place.at('repo/out'));
    fs.symlinkSync(place.at('outside/a'), place.at('repo/a'));
    for (const path of ['out/a', 'out/new', 'a'])
      await refused(files.write([{ path, text: 'bad', expected: null }]), 'outside');
    assert.deepEqual(
      place.names().filter((name) => name.startsWith('outside')),
      ['outside', 'outside/a'],
    );
    assert.equal(String(place.bytes('outside/a')), 'safe');
  });

  it('is written through a link that stays inside, and the link remains', async () => {
    place.place('repo/real.ts', 'one');
    fs.symlinkSync('real.ts', place.at('repo/link.ts'));
    await edit('link.ts', () => 'two');
    assert.equal(String(place.bytes('repo/real.ts')), 'two');
    assert.ok(fs.lstatSync(place.at('repo/link.ts')).isSymbolicLink());
  });

  it('is never written outside while its folder is being swapped for a link', async function () {
    if (!onLinux) this.skip();
    place.place('repo/dir/a', 'in');
    place.place('outside/a', 'safe');
    const swaps = new Int32Array(new SharedArrayBuffer(4));
    const swapper = new Worker(
      `
      const fs = require('node:fs');
      const { dir, link, spare, swaps } = require('node:worker_threads').workerData;
      const attempt = work => { try { work(); return true; } catch { return false; } };
      // A write may make the folder anew while it is away: then that one goes, never what the link leads to.
      for (;;) {
        attempt(() => fs.renameSync(dir, spare));
        if (attempt(() => fs.symlinkSync(link, dir))) { fs.unlinkSync(dir); Atomics.add(swaps, 0, 1); }
        if (!attempt(() => fs.renameSync(spare, dir))) attempt(() => fs.rmSync(dir, { recursive: true, force: true }));
      }
    `,
      {
        eval: true,
        workerData: { dir: place.at('repo/dir'), link: place.at('outside'), spare: place.at('repo/spare'), swaps },
      },
    );
    let written = 0;
    let refusals = 0;
    // 10,000 writes and as many reads, and more if too few succeeded.
    for (let attempt = 0; attempt < 20_000 || (written === 0 && attempt < 200_000); attempt++) {
      try {
        if (attempt % 2) assert.equal((await files.read('dir/a')).text, 'in');
        else written += (await files.write([{ path: `dir/new-${attempt}`, text: 'mine', expected: null }])).length;
      } catch (thrown) {
        assert.equal((thrown as Error).name, 'FileProblem', String(thrown));
        refusals++;
      }
    }
    await swapper.terminate();
    assert.ok(Atomics.load(swaps, 0) > 0 && refusals > 0, 'the race took place');
    assert.deepEqual(fs.readdirSync(place.at('outside')), ['a']);
    assert.equal(String(place.bytes('outside/a')), 'safe');
    assert.ok(written > 0);
  });

  it('is unchanged if the disk is full, and no temporary file remains', async function () {
    if (!onLinux || !isRoot) this.skip();
    const disk = place.at('small');
    fs.mkdirSync(disk);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk]);
    } catch {
      this.skip();
    }
    try {
      fs.writeFileSync(`${disk}/a`, 'one');
      const small = diskFiles({ folders: [disk] });
      const { version } = await small.read('a');
      await refused(small.write([{ path: 'a', text: 'x'.repeat(200_000), expected: version }]), 'no_space');
      await refused(
        small.write([
          { path: 'a', text: 'short', expected: version },
          { path: 'deep/b', text: 'x'.repeat(200_000), expected: null },
        ]),
        'no_space',
      );
      assert.deepEqual(fs.readdirSync(disk), ['a']);
      assert.equal(fs.readFileSync(`${disk}/a`, 'utf8'), 'one');
    } finally {
      execFileSync('umount', [disk]);
    }
  });

  it('can be read but not changed on a read-only file system', async function () {
    if (!onLinux || !isRoot) this.skip();
    place.place('repo/a', 'one');
    const disk = place.at('fixed');
    fs.mkdirSync(disk);
    try {
      execFileSync('mount', ['--bind', place.at('repo'), disk]);
      execFileSync('mount', ['-o', 'remount,ro,bind', disk]);
    } catch {
      this.skip();
    }
    try {
      const fixed = diskFiles({ folders: [disk] });
      const { version, text } = await fixed.read('a');
      assert.equal(text, 'one');
      await refused(fixed.write([{ path: 'a', text: 'two', expected: version }]), 'not_permitted');
      await refused(fixed.write([{ path: 'new/b', text: 'two', expected: null }]), 'not_permitted');
    } finally {
      execFileSync('umount', [disk]);
    }
  });

  it('is restored if the last of several changes cannot be written', async function () {
    if (!onLinux) this.skip();
    place.place('repo/a', 'one');
    place.place('repo/b', 'two');
    place.place('repo/z/c', 'three');
    const [a, b, c] = [await files.read('a'), await files.read('b'), await files.read('z/c')];
    // Changes the last file after all changes were checked, while the new contents are being written to disk.
    const watching = fs.watch(place.at('repo/z'), () => {
      watching.close();
      fs.writeFileSync(place.at('repo/z/c'), 'changed meanwhile');
    });
    const changes = [
      { path: 'a', text: 'uno', expected: a.version },
      { path: 'b', text: null, expected: b.version },
      { path: 'new/d', text: 'quattro', expected: null },
      { path: 'z/c', text: 'x'.repeat(4_000_000), expected: c.version },
    ];
    await refused(files.write(changes), 'changed');
    assert.deepEqual(
      ['a', 'b', 'z/c'].map((name) => String(place.bytes(`repo/${name}`))),
      ['one', 'two', 'changed meanwhile'],
    );
    assert.equal(fs.existsSync(place.at('repo/new')), false);
    assert.deepEqual(leftovers(), []);
  });

  it('cannot be opened without permission', async function () {
    if (!onLinux || !isRoot) this.skip();
    place.place('repo/closed/a', 'x');
    place.place('repo/a', 'x');
    fs.chmodSync(place.at('repo/a'), 0);
    fs.chmodSync(place.at('repo/closed'), 0);
    fs.chmodSync(place.root, 0o755);
    await files.list('.', { depth: 1, limit: 1 }); // loads what the list needs while it is still allowed to
    const before = process.geteuid!();
    process.seteuid!(65534);
    try {
      await refused(files.read('a'), 'not_permitted');
      await refused(files.read('closed/a'), 'not_permitted');
      assert.deepEqual(
        (await files.list('.', { depth: 3, limit: 10 })).entries.map((entry) => entry.path),
        ['closed', 'a'],
      );
    } finally {
      process.seteuid!(before);
      fs.chmodSync(place.at('repo/closed'), 0o755);
    }
  });

  it('is retried until a file descriptor is free', async () => {
    let attempts = 0;
    const answer = await whenDescriptorsAllow(() => {
      if (++attempts < 3) throw Object.assign(new Error('too many open files'), { code: 'EMFILE' });
      return 'read';
    });
    assert.deepEqual({ answer, attempts }, { answer: 'read', attempts: 3 });
  });

  it('leaves no file descriptor open', async function () {
    if (!onLinux) this.skip();
    place.place('repo/deep/er/a', 'x');
    const open = () => fs.readdirSync('/proc/self/fd').length;
    await files.list('.', { depth: 5, limit: 10 });
    const before = open();
    for (let turn = 0; turn < 50; turn++) {
      await edit('deep/er/a', () => `${turn}`);
      await files.list('.', { depth: 5, limit: 10 });
      await files.read('deep/missing').catch(() => {});
      await files.read('deep').catch(() => {});
      await files.write([{ path: 'deep/er/a', text: '', expected: 'stale' }]).catch(() => {});
    }
    assert.ok(open() <= before + 1, `${open()} open, ${before} before`);
  });
});

describe('a list of files', () => {
  it('names links and does not follow them', async () => {
    const place = temporaryWorkspace();
    place.place('src/a.ts', '');
    fs.symlinkSync('..', place.at('src/up'));
    fs.symlinkSync('/etc', place.at('etc'));
    const { entries } = await diskFiles({ folders: [place.root] }).list('.', { depth: 20, limit: 100 });
    assert.deepEqual(entries, [
      { path: 'src', kind: 'folder' },
      { path: 'src/a.ts', kind: 'file' },
      { path: 'src/up', kind: 'link' },
      { path: 'etc', kind: 'link' },
    ]);
    place.stop();
  });

  it('respects .gitignore in parent folders and subfolders', async () => {
    const place = temporaryWorkspace();
    for (const name of ['src/a.log', 'src/keep.log', 'src/gen/x.ts', 'src/b.ts', '.git/config']) place.place(name, '');
    place.place('.gitignore', '*.log\n');
    place.place('src/.gitignore', '!keep.log\n/gen/\n');
    const { entries } = await diskFiles({ folders: [place.root] }).list('src', { depth: 5, limit: 100 });
    assert.deepEqual(
      entries.map((entry) => entry.path),
      ['src/.gitignore', 'src/b.ts', 'src/keep.log'],
    );
    place.stop();
  });
});
