import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { watchControl } from '../../src/adapters/log/control';
import { writeNote } from '../../src/adapters/sandbox/ownedNotes';
import { makeFolder } from '../../src/adapters/storage/durableFile';
import { machineKey } from '../../src/adapters/storage/machineKey';
import { ensureBuilt, onMachine } from '../cli/support/commandLine';
import { reply } from '../support/modelServer';
import { programNamed, ran } from './support/program';
import { readOnlyDisk } from './support/smallDisk';

describe('a log folder that cannot be created', function () {
  this.timeout(300_000);
  before(() => {
    ensureBuilt();
  });

  it('is reported with the real reason on a read-only disk, and the run ends', async function () {
    const disk = readOnlyDisk();
    if (!disk) return this.skip(); // a disk cannot be mounted read-only here
    const log = path.join(disk.folder, 'logs', 'of', 'mine.jsonl');
    try {
      await onMachine([reply('Done.')], async ({ run }) => {
        const { code, stderr } = await run('Try.', '--confirm', 'never', '--log', log);
        assert.equal(code, 1);
        assert.match(stderr, /EROFS: read-only file system.*Check the write permissions of the folder/);
      });
    } finally {
      disk.stop();
    }
  });

  it('throws an error in /proc instead of waiting endlessly', function () {
    if (process.platform !== 'linux') this.skip(); // the folder does not exist on this system
    assert.throws(() => makeFolder('/proc/not/there'), { code: 'ENOENT' });
  });

  it('is reported in /proc too, and the run ends', async function () {
    if (process.platform !== 'linux') this.skip(); // the folder does not exist on this system
    const log = '/proc/not/there/mine.jsonl';
    await onMachine([reply('Done.')], async ({ run }) => {
      const { code, stderr } = await run('Try.', '--confirm', 'never', '--log', log);
      assert.match(
        stderr,
        /ENOENT.*The folder \/proc\/not\/there cannot be created\. Choose another one for the log\./,
      );
      assert.equal(code, 1);
    });
  });

  it('throws if it is below a file; otherwise missing folders are created and existing ones used', () => {
    const top = fs.mkdtempSync(path.join(process.env.REPOSITORY!, 'out', 'folders-'));
    try {
      const inner = path.join(top, 'a', 'b', 'c');
      makeFolder(inner);
      makeFolder(inner);
      assert.equal(fs.statSync(inner).mode & 0o777, process.platform === 'win32' ? 0o666 : 0o700);
      fs.writeFileSync(path.join(inner, 'file'), '');
      assert.throws(() => makeFolder(path.join(inner, 'file', 'd')), { code: 'ENOTDIR' });
      assert.throws(() => makeFolder(path.join(inner, 'file')), { code: 'EEXIST' });
    } finally {
      fs.rmSync(top, { recursive: true });
    }
  });
});

describe('a state folder that cannot be created', () => {
  const given = process.env['XDG_STATE_HOME'];
  afterEach(() => {
    if (given === undefined) delete process.env['XDG_STATE_HOME'];
    else process.env['XDG_STATE_HOME'] = given;
  });

  it('leaves a run without key, control and notes, and does not stop it', function () {
    if (process.platform !== 'linux') this.skip(); // /proc does not exist on this system
    process.env['XDG_STATE_HOME'] = '/proc/not/there';
    assert.equal(machineKey(), undefined);
    watchControl('/proc/not/there/mine.jsonl', () => undefined)();
    writeNote({ place: '/proc/not/there/made', kind: 'folder' });
  });
});

describe('a key file of the wrong size', () => {
  it('is kept aside and replaced, so that new runs can be undone', () => {
    const folder = fs.mkdtempSync(path.join(process.env.REPOSITORY!, 'out', 'key-'));
    const file = path.join(folder, 'log.key');
    try {
      fs.writeFileSync(file, 'short');
      const key = machineKey(file);
      assert.ok(key);
      assert.deepEqual(fs.readFileSync(file), key.export());
      assert.equal(fs.readFileSync(`${file}.damaged`, 'utf8'), 'short');
      assert.deepEqual(fs.readdirSync(folder).sort(), ['log.key', 'log.key.damaged']);
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });

  it('is replaced by one key, however many processes find it at once', async function () {
    this.timeout(120_000);
    const folder = fs.mkdtempSync(path.join(process.env.REPOSITORY!, 'out', 'keys-'));
    const [processes, rounds] = [3, 150];
    try {
      for (let round = 0; round < rounds; round++) {
        fs.mkdirSync(path.join(folder, String(round)));
        fs.writeFileSync(path.join(folder, String(round), 'log.key'), 'short');
      }
      const program = programNamed('keyMaker');
      const ended = await Promise.all(
        Array.from({ length: processes }, (_, own) =>
          ran(program, [folder, String(own), String(processes), String(rounds)]),
        ),
      );
      for (let round = 0; round < rounds; round++) {
        const kept = fs.readFileSync(path.join(folder, String(round), 'log.key')).toString('hex');
        assert.deepEqual(
          ended.map(({ lines }) => lines[round]),
          Array.from({ length: processes }, () => kept),
          `round ${round}`,
        );
        assert.equal(fs.readFileSync(path.join(folder, String(round), 'log.key.damaged'), 'utf8'), 'short');
      }
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });
});
