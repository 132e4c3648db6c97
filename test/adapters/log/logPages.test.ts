import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { readEventLog } from '../../../src/adapters/log/eventLog';
import { forkLog } from '../../../src/adapters/log/fork';
import { framedLine, readFrame } from '../../../src/adapters/storage/frame';
import { logPages } from '../../../src/adapters/log/logPages';
import { temporaryLog, versionOne, wordEvents } from '../../support/eventLogs';

describe('pages of a log', () => {
  let log: ReturnType<typeof temporaryLog>, file: string;
  const long = wordEvents(2000).map((event, at) => ({ ...event, text: `${at} ${'ä'.repeat(at % 700)}` }));
  beforeEach(() => {
    log = temporaryLog();
    ({ file } = log);
  });
  afterEach(() => log.stop());

  it('equal the whole log for any range', async () => {
    await log.write(long);
    const pages = logPages(file)!;
    assert.equal(pages.length, 2000);
    for (const [from, to] of [
      [1700, 2000],
      [1400, 1700],
      [1999, 2000],
      [0, 3],
      [500, 900],
      [0, 2000],
      [1990, 3000],
      [5, 5],
    ] as const)
      assert.deepEqual(pages.slice(from, to), long.slice(from, to), `${from} to ${to}`);
    assert.deepEqual(pages.slice(1995), long.slice(1995));
  });

  it('of a forked log reach into the original log', async () => {
    await log.write(long.slice(0, 100));
    const other = path.join(log.folder, 'f', 'session.waymark.jsonl');
    const store = await forkLog({ session: 's', file, seq: 49 }, other);
    for (const event of long.slice(50, 80)) store.append(event);
    await store.close();
    const pages = logPages(other)!;
    for (const [from, to] of [
      [60, 80],
      [40, 60],
      [0, 80],
      [10, 20],
      [50, 51],
    ] as const)
      assert.deepEqual(pages.slice(from, to), long.slice(from, to), `${from} to ${to}`);
  });

  it('are unavailable for a log that must be read completely', async () => {
    assert.equal(logPages(file), undefined);
    await log.write(wordEvents(3));
    const { size, hash } = readEventLog(file);
    assert.ok(logPages(file, { size, hash }));
    assert.equal(logPages(file, { size, hash: 'another' }), undefined);
    assert.equal(logPages(file, { size: size - 1, hash }), undefined);
    fs.appendFileSync(file, '{"torn');
    assert.equal(logPages(file), undefined);
    fs.writeFileSync(file, versionOne(wordEvents(3)));
    assert.equal(logPages(file), undefined);
  });

  it('throw if lines were replaced and rehashed, whichever page reaches them', async () => {
    await log.write(wordEvents(30));
    const lines = fs.readFileSync(file, 'utf8').split('\n').slice(0, -1);
    let hash = readFrame(Buffer.from(lines[5]!))!.hash;
    const forged = lines.map((line, at) => {
      if (at < 6 || at > 15) return line;
      const next = framedLine(JSON.stringify({ ...wordEvents(1, at - 1)[0], text: 'made up' }), hash, undefined);
      ({ hash } = next);
      return next.line.trimEnd();
    });
    fs.writeFileSync(file, `${forged.join('\n')}\n`);
    const pages = logPages(file)!;
    assert.equal(pages.vouched, true);
    assert.deepEqual(pages.slice(16, 30), wordEvents(14, 16));
    assert.throws(() => pages.slice(8, 16), /changed/);
    assert.throws(() => logPages(file)!.slice(10, 20), /changed/);
  });

  it('are not vouched for if this machine did not write the end of the log', async () => {
    await log.write(wordEvents(3));
    assert.equal(logPages(file)!.vouched, true);
    let hash = '';
    fs.writeFileSync(
      file,
      [{ waymark: 2 }, ...wordEvents(3)]
        .map((object) => {
          const next = framedLine(JSON.stringify(object), hash, undefined);
          ({ hash } = next);
          return next.line;
        })
        .join(''),
    );
    assert.equal(logPages(file)!.vouched, false);
  });

  it('throw if the log is damaged', async () => {
    await log.write(wordEvents(30));
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('event 7 ', 'event 6 '));
    const pages = logPages(file)!;
    assert.deepEqual(pages.slice(20, 30), wordEvents(10, 20));
    assert.throws(() => pages.slice(0, 20), /damaged or was changed at event 7/);
    assert.throws(
      () => logPages(file)!.slice(7, 20),
      /damaged or was changed at event 7/,
      'the first of a page is not looked at',
    );
  });
});
