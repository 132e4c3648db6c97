import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import { exportedFiles } from '../../src/adapters/exportedFiles';
import { forkLog } from '../../src/adapters/log/fork';
import { openTrajectory } from '../../src/adapters/openTrajectory';
import { problemLine } from '../../src/core/trajectory/format';
import { formatNamed } from '../../src/core/trajectory/formats/formats';
import { temporaryLog, wordEvents } from '../support/eventLogs';

describe('openTrajectory', () => {
  let log: ReturnType<typeof temporaryLog>, other: ReturnType<typeof temporaryLog>;
  beforeEach(() => { [log, other] = [temporaryLog(), temporaryLog()]; });
  afterEach(() => { log.stop(); other.stop(); });

  /** Other words in the second event. */
  const tamper = (file: string): void => {
    const lines = fs.readFileSync(file, 'utf8').split('\n');
    lines[2] = lines[2]!.replace('"text":"', '"text":"FORGED ');
    fs.writeFileSync(file, lines.join('\n'));
  };

  it('tells that words were changed in a log, and what is exported from it tells so too', async () => {
    await log.write(wordEvents(4));
    assert.deepEqual((await openTrajectory(log.file)).problems, []);
    tamper(log.file);
    const { events, problems, vouched } = await openTrajectory(log.file);
    assert.deepEqual([events.length, vouched], [4, false], 'all of it is shown');
    assert.match(problems[0]!.words, /damaged at event 1/);
    const context = { version: '1', session: 's', problems: problems.map(problemLine) };
    assert.match(exportedFiles(formatNamed('html'), events, context)[0]!.text, /role="note"><strong>Not all of this is as it was written<\/strong><ul><li>[^<]*damaged at event 1/);
    assert.match(exportedFiles(formatNamed('waymark'), events, context)[0]!.text, /"type":"notice","level":"warning","text":"The log that this is a copy of was not as it should be\. [^"]*damaged at event 1/);
    assert.doesNotMatch(exportedFiles(formatNamed('html'), events, { version: '1', session: 's' })[0]!.text, /role="note"/);
  });

  it('tells of a fork that the log it goes on from was changed', async () => {
    await log.write(wordEvents(4));
    await (await forkLog({ session: 'first', file: log.file, seq: 2 }, other.file)).close();
    assert.deepEqual((await openTrajectory(other.file)).problems, []);
    tamper(log.file);
    const told = await openTrajectory(other.file).then(({ problems }) => problems.map(({ words }) => words).join(' '), (error: Error) => error.message);
    assert.match(told, /the log of that one is not there any more or was changed/);
  });
});
