import { strict as assert } from 'node:assert';
import { notStoredIn } from '../../../../src/core/trajectory/exportParts';
import { formatNamed, writtenFormats } from '../../../../src/core/trajectory/formats/formats';
import { writeAtOnce, type TrajectoryFile, type WrittenFormat } from '../../../../src/core/trajectory/format';
import type { AgentResult, Event } from '../../../../src/protocol/events/event';
import { fullRun } from '../../../support/trajectory';

const context = { version: '1.2.3', session: 'session' };
const results: AgentResult[] = [
  { id: 'c1', action: 'edit_file', summary: 'Edit <src/add.ts>', files: ['src/add.ts'], state: 'ok' },
  { id: 'c2', action: 'run_command', summary: 'Run npm test', files: [], state: 'timeout' },
];

/** A run with this outcome, and the list of its results. */
const endedAs = (status: 'submitted' | 'failed' | 'limit_exceeded' | 'stopped'): Event[] =>
  fullRun().map((event) => (event.type === 'finished' ? { ...event, status, results } : event));

const written = (format: WrittenFormat, history: readonly Event[]): readonly TrajectoryFile[] =>
  writeAtOnce(format, history, context);
/** Parsed values, because the key order may differ. */
const valuesIn = (files: readonly TrajectoryFile[]): unknown[] =>
  files.map(({ path, text }) => ({
    path,
    lines: path.endsWith('.jsonl')
      ? text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as unknown)
      : [JSON.parse(text) as unknown],
  }));
const endIn = (events: readonly Event[]) => events.findLast((event) => event.type === 'finished');
const writers = writtenFormats;

describe('the list of results of a run', () => {
  for (const format of writers.filter(({ keepsResults, reader }) => keepsResults && reader)) {
    it(`is written as ${format.label}, read back, and written again the same`, () => {
      const history = endedAs('submitted');
      const files = written(format, history);
      const { events, problems } = format.reader!.read(files);
      assert.deepEqual(problems, []);
      assert.deepEqual(endIn(events)?.results, results);
      assert.deepEqual(valuesIn(written(format, events)), valuesIn(files));
      assert.deepEqual(notStoredIn(format, history), []);
    });

    it(`stays in ${format.label} however the run ended`, () => {
      for (const status of ['failed', 'limit_exceeded', 'stopped'] as const) {
        const files = written(format, endedAs(status));
        assert.match(files.map(({ text }) => text).join('\n'), /Edit <src\/add\.ts>/, status);
        assert.deepEqual(valuesIn(written(format, format.reader!.read(files).events)), valuesIn(files), status);
      }
    });
  }

  it('is told as left out by each format that has no place for it, and only where there is one', () => {
    const others = writers.filter(({ keepsResults }) => !keepsResults);
    assert.deepEqual(
      others.map(({ name }) => name),
      ['sharegpt', 'openai'],
    );
    for (const format of others) {
      assert.doesNotMatch(written(format, endedAs('submitted'))[0]!.text, /Edit <src/);
      assert.match(notStoredIn(format, endedAs('submitted')).join(), /cannot store the list of results/);
      assert.deepEqual(notStoredIn(format, fullRun()), []);
    }
  });

  it('stands in the report for people, with the files and how each action ended', () => {
    const html = written(formatNamed('html'), endedAs('submitted'))[0]!.text;
    assert.match(
      html,
      /<ul class="results"><li>Edit &lt;src\/add\.ts&gt; · done<\/li><li>Run npm test · timed out<\/li>/,
    );
  });

  it('is nothing where a file says something else under its name', () => {
    for (const odd of [null, 'all fine', [{ summary: 'no state' }], { 0: results[0] }]) {
      for (const name of ['mini', 'atif']) {
        const format = formatNamed(name);
        const document = JSON.parse(written(format, endedAs('submitted'))[0]!.text);
        const holder = name === 'mini' ? document.info : document.extra;
        holder.agent_results = odd;
        const files = [{ path: `a${format.extension}`, text: JSON.stringify(document) }];
        const { events, problems } = format.reader!.read(files);
        assert.deepEqual(problems, []);
        assert.equal(endIn(events)?.results, undefined);
        assert.deepEqual(JSON.parse(written(format, events)[0]!.text), document, 'it is written back as it was');
      }
    }
  });
});
