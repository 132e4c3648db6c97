import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { exportedFiles } from '../../../src/adapters/sessions/writeExport';
import { forkLog } from '../../../src/adapters/log/fork';
import { openTrajectory } from '../../../src/adapters/sessions/openTrajectory';
import { readProblemLine } from '../../../src/core/trajectory/format';
import { formatNamed } from '../../../src/core/trajectory/formats/formats';
import { temporaryLog, trustingSession, versionOne, wordEvents } from '../../support/eventLogs';

describe('openTrajectory', () => {
  let log: ReturnType<typeof temporaryLog>, other: ReturnType<typeof temporaryLog>;
  beforeEach(() => {
    [log, other] = [temporaryLog(), temporaryLog()];
  });
  afterEach(() => {
    log.stop();
    other.stop();
  });

  /** Changes the text of the second event. */
  const tamper = (file: string): void => {
    const lines = fs.readFileSync(file, 'utf8').split('\n');
    lines[2] = lines[2]!.replace('"text":"', '"text":"FORGED ');
    fs.writeFileSync(file, lines.join('\n'));
  };

  it('reports changed text in a log, and exports report it too', async () => {
    await log.write(wordEvents(4));
    assert.deepEqual((await openTrajectory(log.file)).problems, []);
    tamper(log.file);
    const { events, problems, vouched } = await openTrajectory(log.file);
    assert.deepEqual([events.length, vouched], [4, false], 'all of it is shown');
    assert.match(problems[0]!.words, /damaged at event 1; the readable events after it are shown too/);
    assert.deepEqual(problems.slice(1).map(readProblemLine), [
      'line 3: The content was altered (its checksum does not match), so what is shown of it may be false.',
    ]);
    const context = { version: '1', session: 's', problems: problems.map(readProblemLine) };
    assert.match(
      exportedFiles(formatNamed('html'), events, context)[0]!.text,
      /role="note"><strong>Parts of this report may be inaccurate<\/strong><ul><li>[^<]*damaged at event 1/,
    );
    assert.match(
      exportedFiles(formatNamed('waymark'), events, context)[0]!.text,
      /"type":"notice","level":"warning","text":"Parts of the original log may be inaccurate\. [^"]*damaged at event 1/,
    );
    assert.doesNotMatch(
      exportedFiles(formatNamed('html'), events, { version: '1', session: 's' })[0]!.text,
      /role="note"/,
    );
  });

  it('reports that a log not signed on this machine has no reliable consent, and exports report it too', async () => {
    await log.write(wordEvents(1));
    fs.writeFileSync(log.file, versionOne(trustingSession()));
    const { events, problems, vouched } = await openTrajectory(log.file);
    assert.deepEqual([events.length, problems.length, vouched], [5, 1, false]);
    assert.match(
      readProblemLine(problems[0]!),
      /^session\.waymark\.jsonl: This log cannot be verified on this machine: .* may not be genuine\.$/,
    );
    const context = { version: '1', session: 's', problems: problems.map(readProblemLine) };
    assert.match(
      exportedFiles(formatNamed('html'), events, context)[0]!.text,
      /role="note"><strong>Parts of this report may be inaccurate<\/strong><ul><li>[^<]*cannot be verified/,
    );
  });

  it('reports for a fork that its original log was changed', async () => {
    await log.write(wordEvents(4));
    await (await forkLog({ session: 'first', file: log.file, seq: 2 }, other.file)).close();
    assert.deepEqual((await openTrajectory(other.file)).problems, []);
    tamper(log.file);
    const told = await openTrajectory(other.file).then(
      ({ problems }) => problems.map(({ words }) => words).join(' '),
      (error: Error) => error.message,
    );
    assert.match(told, /was forked from another one, whose log is damaged at event 1/);
  });

  it('rejects a pipe, alone or among a conversation’s events, without waiting for a writer', async function () {
    if (process.platform === 'win32') return this.skip();
    const pipe = path.join(path.dirname(log.file), 'events', 'event-00000-a.json');
    fs.mkdirSync(path.dirname(pipe), { recursive: true });
    execFileSync('mkfifo', [pipe]);
    await assert.rejects(
      openTrajectory(path.dirname(path.dirname(pipe))),
      /event-00000-a\.json is not a file, so it cannot be read/,
    );
    const alone = path.join(path.dirname(log.file), 'alone.jsonl');
    execFileSync('mkfifo', [alone]);
    await assert.rejects(openTrajectory(alone), /alone\.jsonl is neither a file nor a folder/);
  });

  it('reads truncated and UTF-16 files, and says why a file has no content', async () => {
    const at = (name: string, content: string | Buffer): string => {
      const place = path.join(path.dirname(log.file), name);
      fs.mkdirSync(path.dirname(place), { recursive: true });
      fs.writeFileSync(place, content);
      return place;
    };
    const chat = '{"messages":[{"role":"user","content":"Do it."},{"role":"assistant","content":"Done, or alm';
    const cut = await openTrajectory(at('chat.json', chat));
    assert.deepEqual(
      [cut.format.name, cut.events.length, cut.problems.map(readProblemLine)],
      ['openai', 2, ['messages[1].content: The file ends in the middle of this, so the rest is missing.']],
    );
    const wide = await openTrajectory(at('wide.json', Buffer.from(`\ufeff${chat}."}]}`, 'utf16le')));
    assert.deepEqual([wide.events.length, wide.problems], [2, []]);
    await assert.rejects(
      openTrajectory(at('chat.json', `${chat}"}]}`), { run: 1 }),
      /chat\.json contains one run, so there is no run 2\./,
    );
    await assert.rejects(
      openTrajectory(at('empty.traj.json', '')),
      /No part of .*empty\.traj\.json could be read as mini-swe-agent\. .*It is empty\./,
    );
    await assert.rejects(
      openTrajectory(at('picture.atif.json', Buffer.from([0x89, 0x50, 0x4e, 0x47]))),
      /could be read as ATIF\. .*It is not JSON\./,
    );
  });

  it('lets other work run while it reads a conversation of many files', async () => {
    const events = path.join(path.dirname(log.file), 'events');
    fs.mkdirSync(events, { recursive: true });
    for (let index = 0; index < 3000; index++)
      fs.writeFileSync(
        path.join(events, `event-${String(index).padStart(5, '0')}-a.json`),
        `{"kind":"MessageEvent","id":"${index}","source":"user","llm_message":{"role":"user","content":"${index}"}}`,
      );
    let turns = 0;
    const ticking = setInterval(() => turns++, 1);
    const opened = await openTrajectory(path.dirname(events), { forDisplay: true });
    clearInterval(ticking);
    assert.deepEqual([opened.format.name, opened.events.length, opened.problems], ['openhands', 3000, []]);
    assert.ok(turns >= 2, `other work ran ${turns} times`);
  });

  it('rejects a conversation whose files together are too large before reading all of them', async () => {
    const events = path.join(path.dirname(log.file), 'events');
    fs.mkdirSync(events, { recursive: true });
    fs.writeFileSync(path.join(events, 'event-00000-a.json'), '{}');
    for (const name of ['b', 'c'])
      fs.truncateSync(file(path.join(events, `event-00000-${name}.json`)), name === 'b' ? 1 : 400 * 1024 * 1024 - 1);
    await assert.rejects(openTrajectory(path.dirname(events)), /are larger than 400 MB in total/);
  });
});

/** Returns the path of a new empty file. */
function file(name: string): string {
  fs.writeFileSync(name, '');
  return name;
}
