import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openEventLog, readEventLog } from '../../src/adapters/eventLog';
import type { Event } from '../../src/protocol/event';

const events = (count: number, from = 0): Event[] => Array.from({ length: count }, (_unused, index) => ({ seq: from + index, at: 1, type: 'user_message', text: `event ${from + index} ä` }));

describe('a session log', () => {
  let folder: string, file: string;
  beforeEach(() => { folder = fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-log-')); file = path.join(folder, 's', 'events.jsonl'); });
  afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

  async function written(count: number) {
    const { store } = openEventLog(file);
    for (const event of events(count)) store!.append(event);
    await store!.close();
  }

  it('gives back what was appended, over several openings', async () => {
    await written(3);
    const again = openEventLog(file);
    assert.deepEqual(again.events, events(3));
    again.store!.append(events(1, 3)[0]!);
    await again.store!.close();
    assert.deepEqual(readEventLog(file).events, events(4));
    assert.equal(fs.statSync(file).mode & 0o777, 0o600);
  });

  it('survives a cut at every byte: whole events stay, the torn rest is kept aside', async () => {
    await written(3);
    const whole = fs.readFileSync(file);
    for (let length = 0; length <= whole.length; length++) {
      fs.writeFileSync(file, whole.subarray(0, length));
      const { events: found, store, problem } = openEventLog(file);
      assert.equal(problem, undefined);
      const complete = Math.max(0, whole.subarray(0, length).toString('latin1').split('\n').length - 2);
      assert.deepEqual(found, events(complete));
      store!.append(events(1, complete)[0]!);
      await store!.close();
      assert.deepEqual(readEventLog(file).events, events(complete + 1));
    }
    assert.ok(fs.readdirSync(path.dirname(file)).some(name => name.includes('.torn-')));
  });

  it('opens read-only up to damage in the middle, and leaves the file as it is', async () => {
    await written(3);
    const text = fs.readFileSync(file, 'utf8').replace('"seq":1,', '"seq":9,');
    fs.writeFileSync(file, text);
    const { events: found, store, problem } = openEventLog(file);
    assert.deepEqual(found, events(1));
    assert.equal(store, undefined);
    assert.match(problem!, /damaged at event 1/);
    assert.equal(fs.readFileSync(file, 'utf8'), text);
  });

  it('of a newer version or another kind is not written to', () => {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    for (const [text, words] of [['{"waymark":2}\n', /another version/], ['hello\n', /not a Waymark log/]] as const) {
      fs.writeFileSync(file, text);
      const { store, problem } = openEventLog(file);
      assert.equal(store, undefined);
      assert.match(problem!, words);
    }
  });

  it('has one writer; the second reads, and takes over when the first has died', async () => {
    const first = openEventLog(file);
    const second = openEventLog(file);
    assert.equal(second.store, undefined);
    assert.match(second.problem!, /another window/);
    await first.store!.close();
    const child = spawn(process.execPath, ['-e', 'setInterval(()=>{},1e3)']);
    await new Promise(resolve => child.once('spawn', resolve));
    const stat = fs.readFileSync(`/proc/${child.pid}/stat`, 'utf8');
    fs.writeFileSync(`${file}.lock`, `${child.pid} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]} x`);
    assert.equal(openEventLog(file).store, undefined);
    child.kill('SIGKILL');
    await new Promise(resolve => child.once('exit', resolve));
    const taken = openEventLog(file);
    assert.ok(taken.store);
    await taken.store.close();
  });

  it('says so when it cannot be kept, loses nothing, and goes on when it can', async () => {
    const { store } = openEventLog(file);
    store!.append(events(1)[0]!);
    await store!.durable();
    const real = fs.write;
    const broken = ((...args: unknown[]) => (args.at(-1) as (error: Error) => void)(Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' }))) as unknown as typeof fs.write;
    Object.assign(fs, { write: broken });
    try {
      store!.append(events(1, 1)[0]!);
      await assert.rejects(store!.durable(), /cannot be written .*no space.*Nothing more is run/s);
    } finally {
      Object.assign(fs, { write: real });
    }
    store!.append(events(1, 2)[0]!);
    await store!.durable();
    await store!.close();
    assert.deepEqual(readEventLog(file).events, events(3));
  });
});
