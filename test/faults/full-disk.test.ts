import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { diskFiles } from '../../src/adapters/files/diskFiles';
import { backUpContent, refuseFullDisk } from '../../src/adapters/storage/fullDisk';
import { FileProblem, type Files } from '../../src/core/ports/files';
import { cliWords, ensureBuilt, onMachine } from '../cli/support/commandLine';
import { reply } from '../support/modelServer';
import { smallDisk, type SmallDisk } from './support/smallDisk';

const full = (thrown: unknown): boolean =>
  thrown instanceof FileProblem &&
  thrown.code === 'no_space' &&
  /disk is full: .* was not changed\. Free some space/.test(thrown.message);

describe('fault 44: a disk that is full when a file is changed', () => {
  let disk: SmallDisk, files: Files, root: string;
  const at = (name: string): string => path.join(root, name);
  const names = (): string[] => fs.readdirSync(root, { recursive: true, encoding: 'utf8' }).sort();
  const change = async (...changes: readonly (readonly [name: string, text: string | null])[]) =>
    files.write(
      await Promise.all(
        changes.map(async ([path, text]) => ({
          path,
          text,
          expected: fs.existsSync(at(path)) ? (await files.read(path)).version : null,
        })),
      ),
    );

  beforeEach(function () {
    const mounted = smallDisk();
    if (!mounted) {
      this.currentTest!.title += ' (a disk cannot be mounted here)';
      this.skip();
    }
    disk = mounted;
    root = path.join(disk.folder, 'workspace');
    fs.mkdirSync(root);
    files = diskFiles({ folders: [root] });
    fs.writeFileSync(at('a.txt'), 'first\n'.repeat(2000));
    fs.writeFileSync(at('b.txt'), 'second\n');
  });
  afterEach(() => disk?.stop());

  for (const left of [0, 4096, 8192]) {
    it(`leaves every file unchanged and no temporary files, with ${left} bytes left`, async () => {
      disk.fill(left);
      const before = names();
      await assert.rejects(change(['a.txt', 'other\n'.repeat(4000)]), full);
      await assert.rejects(change(['b.txt', 'b\n'], ['a.txt', 'other\n'.repeat(4000)]), full, 'one of two');
      await assert.rejects(
        change(['b.txt', null], ['deep/er/new.txt', 'new\n'.repeat(8000)]),
        full,
        'one that is made, beside one that goes',
      );
      assert.deepEqual(
        [fs.readFileSync(at('a.txt'), 'utf8'), fs.readFileSync(at('b.txt'), 'utf8')],
        ['first\n'.repeat(2000), 'second\n'],
      );
      assert.deepEqual(names(), before);
      disk.free();
      await change(['b.txt', 'b\n'], ['a.txt', 'other\n'.repeat(4000)], ['deep/er/new.txt', 'new\n']);
      assert.equal(fs.readFileSync(at('a.txt'), 'utf8'), 'other\n'.repeat(4000));
      assert.deepEqual(names(), ['a.txt', 'b.txt', 'deep', 'deep/er', 'deep/er/new.txt']);
    });
  }

  it('is detected before another program that overwrites files in place may write them', () => {
    disk.fill(8192);
    assert.throws(() => refuseFullDisk(at('a.txt'), 'a.txt', 12_000), full);
    assert.throws(() => refuseFullDisk(at('not/there/yet.txt'), 'yet.txt', 12_000), full);
    refuseFullDisk(at('a.txt'), 'a.txt', 4000);
  });

  it('and truncates another program’s write has the file restored', () => {
    disk.fill(4096);
    const text = 'öther\n'.repeat(8000);
    for (const name of ['a.txt', 'new.txt']) {
      const kept = backUpContent(at(name));
      assert.throws(() => fs.writeFileSync(at(name), text), /ENOSPC/);
      assert.equal(kept.restore(text), true);
    }
    assert.equal(fs.readFileSync(at('a.txt'), 'utf8'), 'first\n'.repeat(2000));
    assert.deepEqual(names(), ['a.txt', 'b.txt']);
  });

  it('does not affect what somebody else wrote meanwhile, or a complete write', () => {
    const kept = backUpContent(at('b.txt'));
    for (const now of ['of somebody else\n', 'all of it\r\n']) {
      fs.writeFileSync(at('b.txt'), now);
      assert.equal(kept.restore('all of it\n'), true);
      assert.equal(fs.readFileSync(at('b.txt'), 'utf8'), now);
    }
    const made = backUpContent(at('c.txt'));
    fs.writeFileSync(at('c.txt'), 'of somebody else\n');
    made.restore('text');
    assert.ok(fs.existsSync(at('c.txt')));
  });
});

describe('fault 44: a disk that is full when a run ends', function () {
  this.timeout(60_000);
  before(ensureBuilt);

  it('is reported on a line of its own after the reply, where both are printed to one place', async function () {
    const disk = smallDisk();
    if (!disk) return this.skip();
    try {
      const answer = `${'word '.repeat(1500)}Done.`;
      const file = path.join(disk.folder, 'log.jsonl');
      const isBegun = (): boolean => fs.existsSync(file) && fs.readFileSync(file, 'utf8').includes('task_started');
      const fill = async () => {
        while (!isBegun()) await new Promise((resolve) => setTimeout(resolve, 10));
        disk.fill(0);
        return reply(answer);
      };
      await onMachine([fill], async ({ args, environment, workspace }) => {
        const words = args('Work.', '--log', file);
        const program = [process.execPath, ...cliWords, ...words];
        const child = spawn('sh', ['-c', 'exec "$@" 2>&1', 'sh', ...program], {
          cwd: workspace.root,
          env: environment,
        });
        let printed = '';
        child.stdout.setEncoding('utf8').on('data', (text: string) => {
          printed += text;
        });
        await once(child, 'close');
        const [shown, ...problems] = printed.trimEnd().split('\n').slice(-3);
        assert.match(shown!, /word Done\.$/);
        assert.match(problems[0]!, /^The session's log cannot be written \(ENOSPC/);
        assert.match(problems[1]!, /^The last events of this run are not in /);
      });
    } finally {
      disk.stop();
    }
  });
});
