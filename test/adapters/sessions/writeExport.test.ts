import { strict as assert } from 'node:assert';
import { transformSync } from 'esbuild';
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { writeDurably } from '../../../src/adapters/storage/durableFile';
import { writeExport } from '../../../src/adapters/sessions/writeExport';
import { smallDisk } from '../../faults/support/smallDisk';
import { wholeTree } from '../checkpoints/wholeTree';

const conversation = (said: string) => [
  { path: 'c/base_state.json', text: said },
  { path: 'c/events/event-00000-a.json', text: '{}' },
];

describe('writeExport', () => {
  let folder: string;
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-export-'));
  });
  afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

  it('replaces an existing export folder only if forced', async () => {
    const out = path.join(folder, 'out');
    await writeExport(conversation('first'), out);
    await assert.rejects(writeExport(conversation('second'), out), /already exists\. Choose another place\.$/);
    await writeExport(conversation('second'), out, { force: true });
    assert.equal(fs.readFileSync(path.join(out, 'base_state.json'), 'utf8'), 'second');
    assert.deepEqual(fs.readdirSync(folder), ['out']);
  });

  it('lets other work run while it writes, and puts the whole folder in place at once', async () => {
    const events = Array.from({ length: 100 }, (_, index) => `event-${String(index).padStart(5, '0')}-a.json`);
    const files = [
      { path: 'c/base_state.json', text: '{}' },
      ...events.map((name) => ({ path: `c/events/${name}`, text: `"${name}"` })),
    ];
    const out = path.join(folder, 'out');
    let turns = 0;
    let isOver = false;
    const writing = writeExport(files, out).then(() => (isOver = true));
    while (!isOver) {
      assert.ok(!fs.existsSync(out) || fs.readdirSync(path.join(out, 'events')).length === events.length);
      await new Promise((resolve) => setImmediate(resolve));
      turns++;
    }
    await writing;
    assert.ok(turns > 20, `${turns} turns`);
    assert.deepEqual(fs.readdirSync(path.join(out, 'events')), events);
    for (const name of events) assert.equal(fs.readFileSync(path.join(out, 'events', name), 'utf8'), `"${name}"`);
  });

  it('writes a new folder if forced, and refuses one that appears while it writes', async () => {
    await writeExport(conversation('first'), path.join(folder, 'out'), { force: true });
    for (const force of [false, true]) {
      const out = path.join(folder, `mine-${force}`);
      const writing = writeExport(conversation('second'), out, { force });
      fs.mkdirSync(out);
      fs.writeFileSync(path.join(out, 'mine.txt'), 'mine');
      await assert.rejects(writing, force ? /contains more than an exported conversation/ : /already exists/);
      assert.deepEqual(fs.readdirSync(out), ['mine.txt']);
    }
    assert.deepEqual(fs.readdirSync(folder).sort(), ['mine-false', 'mine-true', 'out']);
  });

  it('writes the same place twice at the same time: one file is whole, and the other is refused', async () => {
    const out = path.join(folder, 'run.json');
    const texts = ['a', 'b'].map((letter) => letter.repeat(3_000_000));
    const ends = await Promise.allSettled(texts.map((text) => writeExport([{ path: 'run.json', text }], out)));
    assert.deepEqual(ends.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    const written = texts[ends.findIndex(({ status }) => status === 'fulfilled')]!;
    assert.ok(fs.readFileSync(out, 'utf8') === written);
    assert.deepEqual(fs.readdirSync(folder), ['run.json']);
  });

  it('keeps what is there and says in words why it cannot write', async function () {
    const disk = smallDisk();
    if (!disk) return this.skip(); // mounting needs root
    try {
      const [file, events] = [path.join(disk.folder, 'out.json'), path.join(disk.folder, 'out')];
      await writeExport([{ path: 'out.json', text: 'first' }], file);
      await writeExport(conversation('first'), events);
      const before = wholeTree(disk.folder);
      const long = 'x'.repeat(300_000);
      for (const [files, out] of [
        [[{ path: 'out.json', text: long }], file],
        [conversation(long), events],
      ] as const)
        await assert.rejects(writeExport(files, out, { force: true }), {
          message: `The disk is full: ${out} was not changed. Free some space, then try again.`,
        });
      assert.deepEqual(wholeTree(disk.folder), before);
    } finally {
      disk.stop();
    }
    const [one] = [[{ path: 'a', text: 'a' }]];
    await assert.rejects(writeExport(one, path.join(folder, 'n'.repeat(300))), /longer than the file system allows/);
    await writeExport(one, path.join(folder, 'file'));
    await assert.rejects(writeExport(one, path.join(folder, 'file', 'a')), /a part of its path is a file/);
  });

  it('never replaces the run that is exported, by whatever name, even if forced', async () => {
    const log = path.join(folder, 'run.waymark.jsonl');
    fs.writeFileSync(log, 'the log');
    fs.symlinkSync('run.waymark.jsonl', path.join(folder, 'link'));
    for (const out of [log, path.join(folder, 'link')])
      await assert.rejects(
        writeExport([{ path: 'run.html', text: 'page' }], out, { force: true, source: log }),
        /is the run that is exported, so it is not replaced/,
      );
    assert.equal(fs.readFileSync(log, 'utf8'), 'the log');
  });

  it('replaces what a link leads to only if asked to, names it, and keeps the mode of the file', async () => {
    const [file, link] = [path.join(fs.realpathSync(folder), 'report.html'), path.join(folder, 'latest.html')];
    const write = (text: string, options: Parameters<typeof writeExport>[2]) =>
      writeExport([{ path: 'run.html', text }], link, options);
    fs.writeFileSync(file, 'old');
    fs.chmodSync(file, 0o644);
    fs.symlinkSync('report.html', link);
    await assert.rejects(write('x', { throughLink: true }), {
      message: `${link}, a link to ${file}, already exists. Choose another place.`,
    });
    assert.equal(await write('new', { force: true, throughLink: true }), file);
    assert.deepEqual([fs.readFileSync(file, 'utf8'), fs.statSync(file).mode & 0o777], ['new', 0o644]);
    assert.ok(fs.lstatSync(link).isSymbolicLink());
    // An agent may have made the link during its run.
    assert.equal(await write('own', { force: true }), link);
    assert.deepEqual([fs.readFileSync(file, 'utf8'), fs.readFileSync(link, 'utf8')], ['new', 'own']);
    assert.equal(fs.lstatSync(link).mode & 0o777, 0o600);
  });

  it('refuses a broken link, which an agent may have made to create a file elsewhere', async () => {
    const link = path.join(folder, 'latest.html');
    fs.symlinkSync('elsewhere/report.html', link);
    await assert.rejects(writeExport([{ path: 'run.html', text: 'page' }], link, { force: true, throughLink: true }), {
      message: `${link} is a link to elsewhere/report.html, which does not exist or cannot be reached. Nothing was written. Remove the link, or choose another place.`,
    });
    assert.equal(fs.readlinkSync(link), 'elsewhere/report.html');
    assert.deepEqual(fs.readdirSync(folder), ['latest.html']);
  });

  it('writes into a pipe or device, or through a link to one, and never puts a file in its place', async () => {
    const pipe = path.join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    fs.symlinkSync(pipe, path.join(folder, 'link'));
    for (const [name, write] of [
      ['pipe', (file: string) => writeExport([{ path: 'c.json', text: 'said' }], file)],
      ['link', (file: string) => writeExport([{ path: 'c.json', text: 'said' }], file, { force: true })],
      ['pipe', (file: string) => writeDurably(file, ['sa', Buffer.from('id')])],
    ] as const) {
      const reader = spawn('cat', [pipe]);
      const heard = reader.stdout.setEncoding('utf8').toArray();
      await write(path.join(folder, name));
      assert.deepEqual(await heard, ['said']);
      assert.ok(fs.lstatSync(pipe).isFIFO());
    }
    assert.deepEqual(fs.readdirSync(folder).sort(), ['link', 'pipe']);
  });

  it('says in words that a device accepts no more', async function () {
    if (!fs.existsSync('/dev/full')) return this.skip();
    await assert.rejects(writeExport([{ path: 'run.json', text: 'x' }], '/dev/full', { force: true }), {
      message: 'The disk is full: /dev/full was not changed. Free some space, then try again.',
    });
  });

  it('refuses a pipe that nobody reads, instead of waiting for a reader', async () => {
    const pipe = path.join(folder, 'unread');
    execFileSync('mkfifo', [pipe]);
    const refused = /No program reads the pipe .*unread\. Start the one that reads it/;
    await assert.rejects(writeExport([{ path: 'run.json', text: 'x' }], pipe, { force: true }), refused);
    assert.throws(() => writeDurably(pipe, ['x']), refused);
    assert.ok(fs.lstatSync(pipe).isFIFO());
  });

  it('writes into an open file that a path such as /dev/stdout names, after what is there', async () => {
    const file = path.join(folder, 'output');
    const descriptor = fs.openSync(file, 'w');
    const link = path.join(folder, 'stdout');
    fs.symlinkSync(`/dev/fd/${descriptor}`, link);
    try {
      fs.writeSync(descriptor, 'before ');
      await writeExport([{ path: 'c.json', text: 'said ' }], link);
      writeDurably(link, ['again']);
    } finally {
      fs.closeSync(descriptor);
    }
    assert.equal(fs.readFileSync(file, 'utf8'), 'before said again');
    assert.ok(fs.lstatSync(link).isSymbolicLink());
  });

  it('writes into an open socket that a path names, as Node connects the output of its child processes', () => {
    const program = path.join(folder, 'program.mjs');
    const { code } = transformSync(
      fs.readFileSync(path.join(process.env.REPOSITORY!, 'src/adapters/storage/durableFile.ts'), 'utf8'),
      { loader: 'ts' },
    );
    fs.writeFileSync(program, `${code}\nwriteDurably('/dev/stdout', ['said']);`);
    assert.equal(execFileSync(process.execPath, [program], { encoding: 'utf8' }), 'said');
  });

  for (const [what, files] of [
    ['a folder of other files', 'letters/mine.txt'],
    ['an export with a file of its own beside it', 'base_state.json', 'events/event-00000-a.json', 'notes.txt'],
    ['an export with a file of its own among the events', 'base_state.json', 'events/mine.json'],
  ].map(([first, ...rest]) => [first!, rest] as const)) {
    it(`leaves ${what} unchanged even if forced`, async () => {
      const out = path.join(folder, 'precious');
      for (const name of files) {
        fs.mkdirSync(path.dirname(path.join(out, name)), { recursive: true });
        fs.writeFileSync(path.join(out, name), 'mine');
      }
      await assert.rejects(
        writeExport(conversation('new'), out, { force: true }),
        /precious is a folder that contains more than an exported conversation, so it is not replaced, even with --force/,
      );
      for (const name of files) assert.equal(fs.readFileSync(path.join(out, name), 'utf8'), 'mine');
      assert.deepEqual(fs.readdirSync(folder), ['precious']);
    });
  }
});
