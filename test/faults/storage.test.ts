import { strict as assert } from 'node:assert';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { openEventLog, readEventLog, type EventLog } from '../../src/adapters/log/eventLog';
import { acquireLock, holderOf, startOf, startTimeOf } from '../../src/adapters/storage/fileLock';
import { logPages } from '../../src/adapters/log/logPages';
import { Agent } from '../../src/core/agent/agent';
import { Conversation } from '../../src/core/session/conversation';
import { statusOf } from '../../src/core/log/status';
import type { Event } from '../../src/protocol/events/event';
import { call, partsFor, plays, ran as done, says, task } from '../core/agent/story';
import { quickFolder, temporaryLog, versionOne, wordEvents as events } from '../support/eventLogs';
import { programNamed } from './support/program';

let log: ReturnType<typeof temporaryLog>, file: string;
beforeEach(() => {
  log = temporaryLog();
  ({ file } = log);
  done.splice(0);
});
afterEach(() => log.stop());

/** An open log with this many events on disk. */
async function writtenLog(count: number): Promise<EventLog> {
  const { store } = openEventLog(file);
  for (const event of events(count)) store!.append(event);
  await store!.durable();
  return store!;
}

const until = async (what: string, isSo: () => boolean): Promise<void> => {
  for (const end = Date.now() + 60_000; !isSo();) {
    assert.ok(Date.now() < end, `${what} did not happen`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};

describe('faults 37 and 38: the program is killed, or the window reloaded, while a command runs', () => {
  it('a started action is saved before its effect; its outcome is unknown, and it does not run again', async () => {
    const { store } = openEventLog(file);
    let onDisk: Event[] = [];
    const parts = partsFor(plays(says('x', call('command', { name: 'slow' }, 'a'))));
    const conversation = new Conversation(new Agent(parts), { events: [], store: store! });
    conversation.append(task);
    conversation.wake();
    await until('the command', () => done.includes('command slow'));
    onDisk = readEventLog(file).events;
    assert.deepEqual(
      onDisk.map(({ type }) => type),
      ['task_started', 'agent_response', 'action_started'],
    );
    // The files at this point are what a killed program leaves.
    const left = path.join(log.folder, 'left.waymark.jsonl');
    fs.copyFileSync(file, left);
    await conversation.interrupt();
    await store!.close();
    const again = openEventLog(left);
    done.splice(0);
    const resumed = new Conversation(new Agent(partsFor(plays(says('bye')))), {
      events: again.events,
      store: again.store!,
    });
    assert.equal(statusOf(resumed.history), 'ready');
    resumed.wake();
    await resumed.rested();
    await again.store!.close();
    assert.deepEqual(done, []);
    assert.deepEqual(
      resumed.history.slice(3).map((event) => (event.type === 'observation' ? event.outcome : event.type)),
      ['unknown', 'agent_response'],
    );
    assert.deepEqual(readEventLog(left).events, resumed.history);
  });
});

describe('fault 46: the log folder', () => {
  it('that cannot be created holds the run before its first effect, with a notice, until it can', async () => {
    const obstacle = path.dirname(file);
    fs.writeFileSync(obstacle, 'not a folder');
    const { store, events: before, problem } = openEventLog(file);
    assert.deepEqual([before, problem], [[], undefined]);
    const conversation = new Conversation(
      new Agent(
        partsFor(plays(says('x', call('look', { name: 'a' })), says('y', call('command', { name: 'b' })), says('bye'))),
      ),
      { events: [], store: store! },
    );
    conversation.append(task);
    conversation.wake();
    await until('a notice', () => conversation.history.some(({ type }) => type === 'notice'));
    assert.ok(!done.includes('command b'));
    const notice = conversation.history.find((event) => event.type === 'notice');
    assert.match(notice!.text, /log cannot be written .*(ENOTDIR|EEXIST).*Nothing else runs.*continues automatically/s);
    fs.rmSync(obstacle);
    await conversation.rested();
    assert.ok(done.includes('command b'));
    await store!.close();
    assert.deepEqual(readEventLog(file).events, conversation.history);
  });

  it('that is deleted during a run is created again with the whole log', async () => {
    const store = await writtenLog(50);
    fs.rmSync(path.dirname(file), { recursive: true });
    store.append(events(1, 50)[0]!);
    await store.durable();
    await store.close();
    assert.deepEqual(readEventLog(file).events, events(51));
  });
});

describe('fault 47: two windows on one session', () => {
  it('the second is read-only until the first is gone, even if it was killed', async function () {
    this.timeout(60_000);
    const child = spawn(process.execPath, [programNamed('logWriter'), file, '1000000'], { stdio: 'ignore' });
    await until('the first window', () => fs.existsSync(`${file}.lock`) && readEventLog(file).events.length > 5);
    const second = openEventLog(file);
    assert.equal(second.store, undefined);
    assert.match(second.problem!, new RegExp(`open in another window or terminal \\(process ${child.pid}\\)`));
    assert.ok(second.events.length > 5);
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('exit', resolve));
    const { store, problem } = openEventLog(file);
    assert.equal(problem, undefined);
    await store!.close();
  });

  it('that use different names write it only once', async () => {
    const first = await writtenLog(5);
    const link = path.join(path.dirname(file), 'by-link.jsonl');
    fs.symlinkSync(file, link);
    const byLink = openEventLog(link);
    assert.deepEqual([byLink.store, byLink.events.length], [undefined, 5]);
    assert.match(byLink.problem!, /open in another window/);
    await first.close();
    const again = openEventLog(link);
    for (const event of events(1, 5)) again.store!.append(event);
    await again.store!.durable();
    await again.store!.close();
    assert.equal(readEventLog(file).events.length, 6);
  });

  it('one of which opens it through a hard link is read-only', async () => {
    const first = await writtenLog(5);
    const other = path.join(path.dirname(file), 'by-hard-link.jsonl');
    fs.linkSync(file, other);
    const second = openEventLog(other);
    assert.deepEqual([second.store, second.events.length], [undefined, 5]);
    assert.match(second.problem!, /2 names \(hard links\).*Copy it and continue the copy/);
    await first.close();
  });

  it('a log behind a dangling link is refused with a message', () => {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    const link = path.join(path.dirname(file), 'nowhere.jsonl');
    fs.symlinkSync(path.join(path.dirname(file), 'gone.jsonl'), link);
    assert.throws(() => openEventLog(link), /is a broken link. Name the log itself/);
  });

  it('the lock of a dead process is not kept by a new process with its number', () => {
    const lock = path.join(log.folder, 'lock');
    const owner = (more: object) =>
      fs.writeFileSync(lock, JSON.stringify({ ...(JSON.parse(mine()) as object), ...more }));
    const mine = () => {
      const own = acquireLock(path.join(log.folder, 'other'))!;
      const words = fs.readFileSync(path.join(log.folder, 'other'), 'utf8');
      own.release();
      return words;
    };
    owner({});
    assert.equal(acquireLock(lock), undefined, 'its owner lives');
    owner({ start: '1' });
    const taken = acquireLock(lock);
    assert.ok(taken, 'its number belongs to another process');
    taken.release();
    assert.equal(fs.existsSync(lock), false);
  });

  it('the lock of a killed but unreaped process is free', async function () {
    if (!fs.existsSync('/proc/self/stat')) {
      this.test!.title += ' (there is no /proc)';
      this.skip();
    }
    const parent = spawn('sh', ['-c', 'sleep 60 >/dev/null & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      const pid = Number(String(await new Promise((resolve) => parent.stdout.once('data', resolve))));
      await until(
        'the program that reaps nobody',
        () => fs.readFileSync(`/proc/${parent.pid}/comm`, 'utf8') === 'sleep\n',
      );
      process.kill(pid, 'SIGKILL');
      await until('its end', () => /\) Z /.test(fs.readFileSync(`/proc/${pid}/stat`, 'utf8')));
      assert.equal(startOf(pid), '');
    } finally {
      parent.kill('SIGKILL');
    }
  });

  it('the lock of another machine counts while that machine keeps updating it', () => {
    const lock = path.join(log.folder, 'lock');
    fs.writeFileSync(lock, JSON.stringify({ pid: 1, start: '1', place: 'another machine', nonce: 'x' }));
    assert.equal(acquireLock(lock), undefined);
    const long = new Date(Date.now() - 10 * 60_000);
    fs.utimesSync(lock, long, long);
    acquireLock(lock)!.release();
  });

  describe('of two hosts that share the folder', function () {
    this.timeout(120_000);
    const hosts: ChildProcess[] = [];
    let lock: string;
    let program: string;
    const asHost = ['--uts', '--pid', '--fork', '--kill-child', '--mount-proc'];
    before(function () {
      if (spawnSync('unshare', [...asHost, 'hostname', 'other'], { stdio: 'ignore' }).status !== 0) this.skip(); // another host cannot be simulated here
      program = programNamed('lockHolder');
    });
    beforeEach(() => {
      lock = path.join(log.folder, 'shared.lock');
    });
    afterEach(() => {
      for (const child of hosts.splice(0)) child.kill('SIGKILL');
    });

    /**
     * Starts a program that tries to take the lock, on a host with that name and a clock that is off by `wrongByMs`.
     */
    async function onHost(name: string, wrongByMs: number): Promise<{ readonly said: string; die(): Promise<void> }> {
      const line = 'hostname "$0"; exec "$@"';
      const child = spawn(
        'unshare',
        [...asHost, 'sh', '-c', line, name, process.execPath, program, lock, String(wrongByMs)],
        { stdio: ['pipe', 'pipe', 'inherit'] },
      );
      hosts.push(child);
      const said = String(await new Promise((resolve) => child.stdout.once('data', resolve))).trim();
      const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      return {
        said,
        die: () => {
          child.kill('SIGKILL');
          return gone;
        },
      };
    }

    for (const [what, wrongByMs] of [
      ['right', 0],
      ['ten minutes ahead', 600_000],
      ['ten minutes behind', -600_000],
    ] as const) {
      it(`one does not take the lock of the other live host, with a clock that is ${what}`, async () => {
        const holder = await onHost('one', -wrongByMs);
        assert.equal(holder.said, 'held');
        const first = fs.statSync(lock).mtimeMs;
        await until('the next beat', () => fs.statSync(lock).mtimeMs > first);
        assert.equal((await onHost('two', wrongByMs)).said, 'busy');
        assert.match(
          holderOf(lock)!,
          /^process \d+ on one; if that process has ended, its lock expires 30 seconds after its last update$/,
        );
      });
    }

    it('one takes the lock of the other if that is dead and has not updated it for 30 seconds', async () => {
      const holder = await onHost('one', 0);
      await holder.die();
      assert.equal((await onHost('two', 0)).said, 'busy', 'it cannot be known yet');
      const earlier = new Date(Date.now() - 31_000);
      fs.utimesSync(lock, earlier, earlier);
      assert.equal((await onHost('two', 0)).said, 'held');
    });
  });

  it('the start time of a process is available without /proc', function () {
    if (startTimeOf(process.pid) === 'alive') {
      this.test!.title += ' (ps is not here)';
      this.skip();
    }
    const [at, own] = [startTimeOf(process.pid), performance.timeOrigin].map((value) =>
      Number(String(value).replace('at ', '')),
    );
    assert.ok(Math.abs(at! - own!) < 5000, `${at} and ${own}`);
    assert.equal(startOf(2 ** 22 + 1), '');
  });

  it('of many that find a stale lock at once, one gets it', async function () {
    this.timeout(60_000);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(`${file}.lock`, JSON.stringify({ pid: 1, start: 'gone', nonce: 'x' }));
    const program = programNamed('logWriter');
    const children = Array.from({ length: 6 }, () =>
      spawn(process.execPath, [program, file, '60'], { stdio: 'ignore' }),
    );
    const codes = await Promise.all(
      children.map((child) => new Promise<number | null>((resolve) => child.once('exit', resolve))),
    );
    assert.ok(codes.includes(0), `nobody got it: ${codes.join()}`);
    const { events: found, problem } = readEventLog(file);
    assert.equal(problem, undefined);
    assert.deepEqual(found, events(60));
  });
});

describe('fault 48: logs of other versions', () => {
  it('older ones continue, newer ones are read-only', async () => {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, versionOne(events(2)));
    const older = openEventLog(file);
    older.store!.append(events(1, 2)[0]!);
    await older.store!.close();
    assert.deepEqual(readEventLog(file).events, events(3));
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(/"waymark":\d+/, '"waymark":7'));
    const newer = openEventLog(file);
    assert.deepEqual([newer.events, newer.store], [events(3), undefined]);
    assert.match(newer.problem!, /newer version of Waymark \(format 7\)/);
  });
});

describe('fault 49: a session of 50,000 events', () => {
  it('shows its end by reading less than a tenth of its file', async function () {
    this.timeout(60_000);
    log.stop();
    log = temporaryLog(undefined, quickFolder());
    ({ file } = log);
    const count = 50_000;
    await log.write(
      Array.from({ length: count }, (_unused, seq) => ({
        seq,
        at: 1,
        type: 'user_message',
        text: `${seq} ${'x'.repeat(600)}`,
      })),
    );
    const real = fs.readSync;
    let read = 0;
    Object.assign(fs, {
      readSync: (...args: Parameters<typeof fs.readSync>) => {
        const bytes = real(...args);
        read += bytes;
        return bytes;
      },
    });
    try {
      const pages = logPages(file)!;
      assert.equal(pages.length, count);
      assert.deepEqual(
        pages.slice(count - 300).map(({ seq }) => seq),
        Array.from({ length: 300 }, (_unused, at) => count - 300 + at),
      );
    } finally {
      Object.assign(fs, { readSync: real });
    }
    assert.ok(read < fs.statSync(file).size / 10, `${read} of ${fs.statSync(file).size} bytes`);
    assert.equal(readEventLog(file).events.length, count);
  });
});

describe('fault 87: the extension stops while it works', () => {
  it('closing keeps everything recorded until then', async () => {
    const { store } = openEventLog(file);
    for (const event of events(500)) store!.append(event);
    await store!.close();
    store!.append(events(1, 500)[0]!);
    assert.deepEqual(readEventLog(file).events, events(500));
    const again = openEventLog(file);
    assert.equal(again.events.length, 500);
    await again.store!.close();
  });
});
