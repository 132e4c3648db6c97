import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openEventLog, readEventLog } from '../../src/adapters/log/eventLog';
import { temporaryLog, wordEvents as events } from '../support/eventLogs';
import { programNamed, ran, withoutInjection } from './support/program';

const safeEvents = (lines: readonly string[]): number => lines.filter((line) => /^\d+$/.test(line)).length;

describe('a program whose system calls fail', function () {
  this.timeout(120_000);
  let program: string;
  let log: ReturnType<typeof temporaryLog>, file: string;
  before(() => {
    program = programNamed('logWriter');
  });
  beforeEach(() => {
    log = temporaryLog();
    ({ file } = log);
  });
  afterEach(() => log.stop());

  async function assertWhole(least: number, what: string): Promise<void> {
    const { events: found, problem, store } = openEventLog(file);
    assert.equal(problem, undefined, what);
    assert.ok(found.length >= least, `${what}: ${found.length} of ${least} acknowledged events are there`);
    assert.deepEqual(found, events(found.length), what);
    await store!.close();
  }

  /** Lets each call of a kind fail in turn, until none is left to fail. */
  async function eachCall(
    call: string,
    how: string,
    check: (ended: Awaited<ReturnType<typeof ran>>, when: number) => Promise<void>,
  ): Promise<number> {
    for (let when = 1; ; when++) {
      fs.rmSync(path.dirname(file), { recursive: true, force: true });
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, '');
      // Only calls on the log itself, so that the program's own pipes are unaffected.
      const trace = path.join(log.folder, 'trace');
      const ended = await ran(program, [file, '4'], {
        under: [
          'strace',
          '-f',
          '-qq',
          '-o',
          trace,
          '-P',
          file,
          '-e',
          `trace=${call}`,
          '-e',
          `inject=${call}:${how}:when=${when}`,
        ],
      });
      await check(ended, when);
      if (!/INJECTED|killed by/.test(fs.readFileSync(trace, 'utf8'))) return when - 1;
      assert.ok(when < 50, 'it never ends');
    }
  }

  describe('fault 39: killed', () => {
    for (const call of ['write', 'fdatasync']) {
      it(`at any ${call} of the log keeps every event reported as saved`, async function () {
        const reason = withoutInjection();
        if (reason) {
          this.test!.title += ` (${reason})`;
          this.skip();
        }
        const calls = await eachCall(call, 'signal=KILL', ({ lines }, when) =>
          assertWhole(safeEvents(lines), `killed at ${call} ${when}`),
        );
        assert.ok(calls >= 4, `only ${calls} calls`);
      });
    }

    it('while writing keeps every event reported as saved, and another process takes over its lock', async () => {
      let pid: number | undefined;
      const { lines, signal } = await ran(program, [file, '100000'], {
        onLine: (line) => {
          if (line !== '60') return;
          pid = (JSON.parse(fs.readFileSync(`${file}.lock`, 'utf8')) as { pid: number }).pid;
          process.kill(pid, 'SIGKILL');
        },
      });
      assert.equal(signal, 'SIGKILL');
      assert.ok(fs.existsSync(`${file}.lock`));
      await assertWhole(safeEvents(lines), 'killed');
      assert.ok(safeEvents(lines) > 60);
    });
  });

  describe('fault 43: no space', () => {
    it('at any write of the log is reported, breaks nothing, and writing continues when there is room', async function () {
      const reason = withoutInjection();
      if (reason) {
        this.test!.title += ` (${reason})`;
        this.skip();
      }
      const calls = await eachCall('write', 'error=ENOSPC', async ({ lines, code }, when) => {
        assert.equal(code, 0);
        assert.deepEqual(
          lines.filter((line) => /^\d+$/.test(line)),
          ['0', '1', '2', '3'],
          `at write ${when}`,
        );
        for (const line of lines.filter((text) => !/^\d+$/.test(text)))
          assert.match(
            line,
            /unsafe: .*cannot be written \(ENOSPC.*Free some space on the disk that contains the folder/,
          );
        await assertWhole(4, `no space at write ${when}`);
      });
      assert.ok(calls >= 4);
    });

    it('on a real disk is reported, breaks nothing, and writing continues when there is room', async function () {
      const disk = fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-disk-'));
      if (
        process.platform !== 'linux' ||
        spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk], { stdio: 'ignore' }).status !== 0
      ) {
        fs.rmdirSync(disk);
        this.test!.title += ' (a disk cannot be mounted here)';
        this.skip();
      }
      try {
        file = path.join(disk, 's', 'session.waymark.jsonl');
        const { store } = openEventLog(file);
        fs.writeFileSync(path.join(disk, 'big'), Buffer.alloc(40_000));
        const large = (seq: number) => ({ ...events(1, seq)[0]!, text: 'x'.repeat(3000) });
        let seq = 0;
        for (let full = false; !full; seq++) {
          store!.append(large(seq));
          await store!.durable().catch((error) => {
            full = true;
            assert.match((error as Error).message, /ENOSPC/);
          });
          assert.ok(seq < 30, 'the disk is never full');
        }
        store!.append(large(seq++));
        await assert.rejects(store!.durable(), /ENOSPC/);
        assert.equal(readEventLog(file).events.length, seq - 2);
        assert.equal(readEventLog(file).problem, undefined);
        fs.rmSync(path.join(disk, 'big'));
        await store!.durable();
        await store!.close();
        assert.deepEqual(
          readEventLog(file).events.map((event) => event.seq),
          Array.from({ length: seq }, (_unused, at) => at),
        );
      } finally {
        spawnSync('umount', [disk], { stdio: 'ignore' });
        fs.rmdirSync(disk);
      }
    });
  });

  describe('fault 45: a sync that fails', () => {
    it('counts as not written: the log is written again, and each event is there once', async function () {
      const reason = withoutInjection();
      if (reason) {
        this.test!.title += ` (${reason})`;
        this.skip();
      }
      const calls = await eachCall('fdatasync', 'error=EIO', async ({ lines, code }, when) => {
        assert.equal(code, 0);
        assert.deepEqual(
          lines.filter((line) => /^\d+$/.test(line)),
          ['0', '1', '2', '3'],
          `at sync ${when}`,
        );
        for (const line of lines.filter((text) => !/^\d+$/.test(text)))
          assert.match(line, /unsafe: .*cannot be written \(EIO/);
        await assertWhole(4, `EIO at sync ${when}`);
      });
      assert.ok(calls >= 4);
    });
  });
});
