import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { openEventLog, readEventLog } from '../../src/adapters/log/eventLog';
import { forkLog } from '../../src/adapters/log/fork';
import { quickFolder, temporaryLog, versionOne, wordEvents as events } from '../support/eventLogs';
import { momentsOf, putBack, type Disk } from './support/crashes';

let log: ReturnType<typeof temporaryLog>, file: string;
beforeEach(() => {
  log = temporaryLog(undefined, quickFolder());
  ({ file } = log);
});
afterEach(() => log.stop());

/** Asserts that a log opens without a problem, contains at least `least` events, none twice, and grows. */
async function assertGoesOn(least: number, what: string): Promise<void> {
  const { events: found, store, problem } = openEventLog(file);
  assert.equal(problem, undefined, what);
  const words = found.filter((event) => event.type === 'user_message');
  assert.ok(words.length >= least, `${what}: ${words.length} of ${least} events are there`);
  assert.deepEqual(words, events(words.length), what);
  store!.append(events(1, found.length)[0]!);
  await store!.durable();
  await store!.close();
  assert.deepEqual(readEventLog(file).events, [...found, events(1, found.length)[0]], what);
  assert.equal(readEventLog(file).problem, undefined, what);
}

async function assertSurvives(run: (safe: (count: number) => void) => Promise<void>): Promise<number> {
  const moments = await momentsOf(log.folder, run);
  const seen = new Set<string>();
  for (const { name, killed, dark, safe } of moments) {
    for (const [how, disk] of [
      ['killed', killed],
      ['dark', dark],
    ] as const) {
      const key = `${safe} ${fingerprint(disk)}`;
      if (seen.has(key)) continue;
      seen.add(key);
      putBack(withoutLocks(disk), log.folder);
      await assertGoesOn(safe, `${how} ${name}`);
    }
  }
  return seen.size;
}

const fingerprint = (disk: Disk): string =>
  [...withoutLocks(disk)]
    .map(([name, bytes]) => `${name} ${bytes.toString('base64')}`)
    .sort()
    .join();
/**
 * In this scenario the process that created the locks is dead, but here it is the test itself. Case 47 covers locks.
 */
const withoutLocks = (disk: Disk): Disk => new Map([...disk].filter(([name]) => !name.includes('.lock')));

const writes =
  (count: number, from: number) =>
  async (safe: (count: number) => void): Promise<void> => {
    const { store } = openEventLog(file);
    for (const event of events(count, from)) {
      store!.append(event);
      await store!.durable();
      safe(event.seq + 1);
    }
    await store!.close();
  };

describe('faults 39 and 40: the program is killed, or the power fails, at any write', () => {
  it('of a new log: acknowledged events are there', async () => assert.ok((await assertSurvives(writes(3, 0))) > 10));

  it('of a burst of events: acknowledged events are there', async () => {
    await assertSurvives(async (safe) => {
      const { store } = openEventLog(file);
      for (const event of events(20)) store!.append(event);
      await store!.durable();
      safe(20);
      await store!.close();
    });
  });

  it('of a log that continues after a crash: acknowledged events are there', async () => {
    await log.write(events(2));
    fs.appendFileSync(file, '{"seq":2,"at":1,"type":"user_mess');
    await assertSurvives((safe) => {
      safe(2);
      return writes(2, 2)(safe);
    });
  });

  for (const name of ['session.waymark.jsonl', 'mine.jsonl']) {
    it(`of a version 1 log that is converted as ${name}`, async () => {
      file = path.join(path.dirname(file), name);
      fs.mkdirSync(path.dirname(file), { recursive: true });
      const original = name === 'mine.jsonl' ? file : path.join(path.dirname(file), 'events.jsonl');
      fs.writeFileSync(original, versionOne(events(2)));
      await assertSurvives((safe) => {
        safe(2);
        return writes(2, 2)(safe);
      });
    });
  }

  for (const version of [1, 2]) {
    it(`of a fork of a version ${version} log: both logs are complete`, async () => {
      const [first, other] = [file, path.join(log.folder, 'f', 'session.waymark.jsonl')];
      if (version === 2) await log.write(events(4));
      else {
        fs.mkdirSync(path.dirname(first), { recursive: true });
        fs.writeFileSync(path.join(path.dirname(first), 'events.jsonl'), versionOne(events(4)));
      }
      const moments = await momentsOf(log.folder, async (safe) => {
        const store = await forkLog({ session: 's', file: first, seq: 1 }, other);
        safe(2);
        store.append(events(1, 2)[0]!);
        await store.durable();
        safe(3);
        await store.close();
      });
      for (const { name, killed, dark, safe } of moments) {
        for (const [how, disk] of [
          ['killed', killed],
          ['dark', dark],
        ] as const) {
          putBack(withoutLocks(disk), log.folder);
          const what = `${how} ${name}`;
          const read = readEventLog(first);
          assert.deepEqual([read.events, read.problem], [events(4), undefined], what);
          file = other;
          if (fs.existsSync(other) && readEventLog(other).events.length > 0) await assertGoesOn(safe, what);
          else assert.equal(safe, 0, what);
        }
      }
      assert.ok(moments.length > 5);
    });
  }

  it('of a log that was deleted while open: acknowledged events are there', async () => {
    await assertSurvives(async (safe) => {
      const { store } = openEventLog(file);
      for (const event of events(3)) store!.append(event);
      await store!.durable();
      fs.rmSync(file);
      store!.append(events(1, 3)[0]!);
      await store!.durable();
      safe(4);
      await store!.close();
    });
  });
});

describe('fault 41: an incomplete last line', () => {
  it('at any byte: whole events stay, the rest is saved aside, and the log continues', async () => {
    await log.write(events(3));
    const whole = fs.readFileSync(file);
    const ends = [...whole.keys()].filter((at) => whole[at] === 10);
    for (let length = 0; length <= whole.length; length++) {
      putBack(new Map([[path.join('s', path.basename(file)), whole.subarray(0, length)]]), log.folder);
      // A line that lacks only its newline is complete, but losing a header alone is no loss.
      const complete = Math.max(0, ends.filter((end, line) => end < length || (end === length && line > 0)).length - 1);
      const { events: found } = readEventLog(file);
      assert.deepEqual(found, events(complete), `${length} bytes`);
      await assertGoesOn(complete, `${length} bytes`);
      const kept = fs
        .readdirSync(path.dirname(file))
        .filter((name) => name.includes('.torn-'))
        .map((name) => fs.readFileSync(path.join(path.dirname(file), name)).length);
      const rest =
        length === 0 || ends.includes(length) || ends.includes(length - 1)
          ? 0
          : length - ((ends.findLast((end) => end < length) ?? -1) + 1);
      const expected = length === ends[0] ? length : rest;
      assert.deepEqual(kept, expected > 0 ? [expected] : [], `${length} bytes`);
    }
  });

  it('of zeros, which some systems leave behind', async () => {
    await log.write(events(3));
    fs.appendFileSync(file, Buffer.alloc(5000));
    await assertGoesOn(3, 'zeros');
    fs.appendFileSync(file, Buffer.concat([Buffer.from('{"seq":4,'), Buffer.alloc(100)]));
    const { store } = openEventLog(file);
    assert.ok(store);
    await store.close();
  });
});

describe('fault 42: a flipped byte', () => {
  it('anywhere is detected, earlier events are shown, and the file is left as it is', async () => {
    await log.write(events(3));
    const whole = fs.readFileSync(file);
    const ends = [...whole.keys()].filter((at) => whole[at] === 10);
    for (let at = 0; at < whole.length; at++) {
      for (const bit of [0, 3, 7]) {
        const bytes = Buffer.from(whole);
        bytes[at]! ^= 1 << bit;
        fs.writeFileSync(file, bytes);
        const line = ends.findIndex((end) => at <= end);
        const { events: found, store, problem } = openEventLog(file);
        const what = `byte ${at}, bit ${bit}, in line ${line}: ${problem}`;
        if (at === whole.length - 1) {
          // Only the end of the last line is wrong: the event is complete.
          assert.deepEqual(found, events(3), what);
          await store!.close();
          continue;
        }
        assert.equal(store, undefined, what);
        assert.match(problem!, /damaged|changed|not a Waymark log|newer version/, what);
        assert.deepEqual(found, events(found.length), what);
        if (line > 0) assert.equal(found.length, line - 1, what);
        assert.ok(fs.readFileSync(file).equals(bytes), what);
      }
    }
  });

  it('in the first line still shows the events', async () => {
    await log.write(events(3));
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('"waymark"', '"waxmark"'));
    const { events: found, problem } = openEventLog(file);
    assert.deepEqual(found, events(3));
    assert.match(problem!, /first line of the log is damaged.*Its events are shown/);
  });
});
