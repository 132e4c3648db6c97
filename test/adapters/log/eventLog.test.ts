import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { openEventLog, readEventLog } from '../../../src/adapters/log/eventLog';
import { framedLine } from '../../../src/adapters/storage/frame';
import { allowRulesOf, settingsOf } from '../../../src/core/log/runSettings';
import { pendingActions } from '../../../src/core/log/openActions';
import { LogWriteFailed } from '../../../src/core/session/durableRetry';
import { agreedPins } from '../../../src/core/security/scripts/pins';
import type { Event } from '../../../src/protocol/events/event';
import { temporaryLog, trustingSession, versionOne, wordEvents as events } from '../../support/eventLogs';

describe('a session log', () => {
  let log: ReturnType<typeof temporaryLog>, file: string;
  beforeEach(() => {
    log = temporaryLog();
    ({ file } = log);
  });
  afterEach(() => log.stop());

  const lines = (): string[] => fs.readFileSync(file, 'utf8').split('\n');
  /** Forges a log as somebody without the key could: it is consistent in itself. */
  const forge = (objects: readonly unknown[]): void => {
    let hash = '';
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(
      file,
      objects
        .map((object) => {
          const next = framedLine(JSON.stringify(object), hash, undefined);
          ({ hash } = next);
          return next.line;
        })
        .join(''),
    );
  };

  it('returns what was appended, across several openings', async () => {
    await log.write(events(3));
    const again = openEventLog(file);
    assert.deepEqual(again.events, events(3));
    again.store!.append(events(1, 3)[0]!);
    await again.store!.close();
    assert.deepEqual(readEventLog(file).events, events(4));
    assert.equal(readEventLog(file).foreign, 0);
    assert.equal(fs.statSync(file).mode & 0o777, 0o600);
  });

  it('has one JSON object per line: the event and its frame', async () => {
    await log.write(events(2));
    const objects = lines()
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.equal(objects[0]!['waymark'], 3);
    assert.deepEqual(
      objects.slice(1).map(({ frame, ...event }) => [event, typeof frame]),
      events(2).map((event) => [event, 'string']),
    );
  });

  it('is not changed by opening it', async () => {
    await log.write(events(2));
    fs.appendFileSync(file, '{"seq":2,"at":1,"ty');
    const before = fs.readFileSync(file, 'utf8');
    const opened = openEventLog(file);
    assert.deepEqual(opened.events, events(2));
    await opened.store!.close();
    assert.equal(fs.readFileSync(file, 'utf8'), before);
    assert.deepEqual(fs.readdirSync(path.dirname(file)), ['session.waymark.jsonl']);
  });

  it('opens read-only up to damage in the middle and leaves the file as it is', async () => {
    await log.write(events(3));
    const text = fs.readFileSync(file, 'utf8').replace('event 1', 'event 7');
    fs.writeFileSync(file, text);
    const { events: found, store, problem } = openEventLog(file);
    assert.deepEqual(found, events(1));
    assert.equal(store, undefined);
    assert.match(problem!, /damaged at event 1/);
    assert.equal(fs.readFileSync(file, 'utf8'), text);
  });

  it('of a newer version is read-only; unknown events keep their place', async () => {
    const strange = { seq: 1, at: 1, type: 'telepathy', thought: 'x' };
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(
      file,
      `${['{"waymark":4}', ...[events(1)[0], strange, events(1, 2)[0]].map((line) => JSON.stringify(line))].join('\n')}\n`,
    );
    const { events: found, store, problem } = openEventLog(file);
    assert.equal(store, undefined);
    assert.match(problem!, /newer version of Waymark \(format 4\).*Update/);
    assert.deepEqual([found[0], found[1]!.type, found[2]], [events(1)[0], 'notice', events(1, 2)[0]]);
  });

  it('with an event of a newer version is read-only', async () => {
    await log.write([...events(1), { seq: 1, at: 1, type: 'telepathy' } as unknown as Event, ...events(1, 2)]);
    const { events: found, problem } = openEventLog(file);
    assert.match(problem!, /events from a newer version/);
    assert.match(found[1]!.type === 'notice' ? found[1]!.text : '', /telepathy/);
    assert.equal(found.length, 3);
  });

  it('of another kind is not written to', () => {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    for (const text of ['hello\n', 'hello', '{"some":"json"}\n', '[1]\n[2]\n']) {
      fs.writeFileSync(file, text);
      const { store, problem } = openEventLog(file);
      assert.equal(store, undefined);
      assert.match(problem!, /not a Waymark log/, text);
    }
  });

  describe('of version 1', () => {
    const legacy = (): string => path.join(path.dirname(file), 'events.jsonl');
    beforeEach(() => fs.mkdirSync(path.dirname(file), { recursive: true }));

    it('opens unchanged and is converted beside the original on the first append', async () => {
      fs.writeFileSync(legacy(), versionOne(events(3)));
      const opened = openEventLog(file);
      assert.deepEqual(opened.events, events(3));
      assert.equal(fs.existsSync(file), false);
      opened.store!.append(events(1, 3)[0]!);
      await opened.store!.close();
      assert.deepEqual(readEventLog(file).events, events(4));
      assert.equal(fs.readFileSync(legacy(), 'utf8'), versionOne(events(3)));
    });

    it('with a name chosen by the user keeps that name, and the original is saved', async () => {
      fs.writeFileSync(file, `${versionOne(events(2))}{"torn`);
      const opened = openEventLog(file);
      opened.store!.append(events(1, 2)[0]!);
      await opened.store!.close();
      assert.deepEqual(readEventLog(file).events, events(3));
      assert.equal(fs.readFileSync(`${file}.v1`, 'utf8'), `${versionOne(events(2))}{"torn`);
    });

    it('is shown up to its damage', () => {
      fs.writeFileSync(legacy(), versionOne(events(3)).replace('"seq":1,', '"seq":9,'));
      const { events: found, problem, store } = openEventLog(file);
      assert.deepEqual(found, events(1));
      assert.match(problem!, /damaged at event 1/);
      assert.equal(store, undefined);
    });

    it('cannot be opened while an earlier Waymark has it open', async () => {
      fs.writeFileSync(legacy(), versionOne(events(1)));
      const child = spawn(process.execPath, ['-e', 'setInterval(()=>{},1e3)']);
      await new Promise((resolve) => child.once('spawn', resolve));
      fs.writeFileSync(`${legacy()}.lock`, `${child.pid} ${startTicks(child.pid!)} x`);
      assert.match(openEventLog(file).problem!, /another window/);
      child.kill('SIGKILL');
      await new Promise((resolve) => child.once('exit', resolve));
      const { store } = openEventLog(file);
      assert.ok(store);
      await store.close();
    });
  });

  describe('and its consent', () => {
    const gone = (found: readonly Event[]): void => {
      assert.deepEqual(allowRulesOf(found), []);
      assert.deepEqual(pendingActions(found), []);
      assert.deepEqual(agreedPins(found), {});
      assert.deepEqual([settingsOf(found)!.confirmation, settingsOf(found)!.mode], ['risky', 'confirm']);
    };

    it('counts if this machine wrote the log', async () => {
      await log.write(trustingSession());
      const { events: found, store } = openEventLog(file);
      assert.deepEqual(found, trustingSession());
      await store!.close();
    });

    it('does not count in version 1', async () => {
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, versionOne(trustingSession()));
      const opened = openEventLog(file);
      gone(opened.events);
      opened.store!.append(events(1, opened.events.length)[0]!);
      await opened.store!.close();
      const again = openEventLog(file);
      assert.deepEqual(again.events, [...opened.events, ...events(1, opened.events.length)]);
      await again.store!.close();
    });

    it('does not count if the log was written without the key', async () => {
      forge([{ waymark: 2, id: 'x' }, ...trustingSession()]);
      const opened = openEventLog(file);
      gone(opened.events);
      await opened.store!.close();
    });

    it('does not count if a forged log starts with a note that consent is void', async () => {
      const before = trustingSession();
      forge([
        { waymark: 2, id: 'x' },
        { seq: 0, at: 1, type: 'notice', level: 'info', about: 'consent_void', text: '' },
        ...before.map((event) => ({ ...event, seq: event.seq + 1 })),
      ]);
      const opened = openEventLog(file);
      gone(opened.events);
      await opened.store!.close();
    });
  });

  describe('that was changed', () => {
    it('in a line, with all later hashes recomputed, is reported and read-only', async () => {
      await log.write(events(4));
      const [header, ...rest] = lines().slice(0, -1);
      let hash = /"frame":"([^.]*)/.exec(header!)![1]!;
      const forged = rest.map((line) => {
        const { frame: _frame, ...event } = JSON.parse(line) as Record<string, unknown>;
        const next = framedLine(JSON.stringify({ ...event, text: 'forged' }), hash, undefined);
        ({ hash } = next);
        return next.line;
      });
      fs.writeFileSync(file, `${header}\n${forged.join('')}`);
      const { events: found, store, problem } = openEventLog(file);
      assert.equal(store, undefined);
      assert.match(problem!, /From event 0 on, .* not written on this machine, or it was changed.*do not count/);
      assert.equal(found.length, 4);
      assert.equal(readEventLog(file).intactCount, 0);
    });

    it('by removing a line reports where', async () => {
      await log.write(events(4));
      const left = lines();
      left.splice(2, 1);
      fs.writeFileSync(file, left.join('\n').replace('"seq":2', '"seq":2'));
      assert.match(openEventLog(file).problem!, /damaged at event 1/);
    });

    it('by inserting a line of another log reports where', async () => {
      const other = temporaryLog();
      try {
        await Promise.all([log.write(events(4)), other.write(events(4))]);
        const mixed = lines();
        mixed[2] = fs.readFileSync(other.file, 'utf8').split('\n')[2]!;
        fs.writeFileSync(file, mixed.join('\n'));
        const { problem, store } = openEventLog(file);
        assert.equal(store, undefined);
        assert.match(problem!, /changed outside Waymark at event 1/);
        assert.equal(readEventLog(file).intactCount, 1);
      } finally {
        other.stop();
      }
    });

    it('while open is not written to before the lines of others are removed', async () => {
      await log.write(events(1));
      const { store } = openEventLog(file);
      store!.append(events(1, 1)[0]!);
      await store!.durable();
      fs.appendFileSync(file, '{"seq":2}\n');
      store!.append(events(1, 2)[0]!);
      await assert.rejects(store!.durable(), (failure) => {
        assert.ok(failure instanceof LogWriteFailed && !failure.lasting);
        assert.match(failure.message, /another program changed the file.*What was added to it is removed/);
        return true;
      });
      await store!.durable();
      await store!.close();
      assert.deepEqual(readEventLog(file).events, events(3));
    });

    it('while open and shorter than before is a lasting problem, with what to do', async () => {
      await log.write(events(2));
      const { store } = openEventLog(file);
      store!.append(events(1, 2)[0]!);
      await store!.durable();
      fs.truncateSync(file, 10);
      store!.append(events(1, 3)[0]!);
      for (const words of [/another program changed the file/, /its content is not what was written/]) {
        await assert.rejects(store!.durable(), (failure) => {
          assert.ok(failure instanceof LogWriteFailed && failure.lasting);
          assert.match(failure.message, words);
          assert.match(failure.message, /Close this session and open it again/);
          return true;
        });
      }
      await store!.close();
    });
  });

  it('has one writer; a second can open it for writing after the first closes it', async () => {
    const first = openEventLog(file);
    const second = openEventLog(file);
    assert.equal(second.store, undefined);
    assert.match(second.problem!, /another window/);
    await first.store!.close();
    const third = openEventLog(file);
    assert.ok(third.store);
    await third.store.close();
  });

  it('reports a failed write, loses no events and continues once writing works again', async () => {
    const { store } = openEventLog(file);
    store!.append(events(1)[0]!);
    await store!.durable();
    const real = fs.write;
    const broken = ((...args: unknown[]) =>
      (args.at(-1) as (error: Error) => void)(
        Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' }),
      )) as unknown as typeof fs.write;
    Object.assign(fs, { write: broken });
    try {
      store!.append(events(1, 1)[0]!);
      await assert.rejects(store!.durable(), /cannot be written .*no space.*Nothing else runs/s);
    } finally {
      Object.assign(fs, { write: real });
    }
    store!.append(events(1, 2)[0]!);
    await store!.durable();
    await store!.close();
    assert.deepEqual(readEventLog(file).events, events(3));
  });

  it('deleted while it is open is written again in full', async () => {
    const { store } = openEventLog(file);
    for (const event of events(2)) store!.append(event);
    await store!.durable();
    fs.rmSync(path.dirname(file), { recursive: true });
    store!.append(events(1, 2)[0]!);
    await store!.durable();
    assert.match(openEventLog(file).problem!, /another window/);
    await store!.close();
    assert.deepEqual(readEventLog(file).events, events(3));
  });
});

function startTicks(pid: number): string {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]!;
  } catch {
    return 'alive';
  }
}
