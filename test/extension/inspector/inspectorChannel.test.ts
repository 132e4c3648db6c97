import { strict as assert } from 'node:assert';
import { runFacts } from '../../../src/core/trajectory/runFacts';
import { InspectorChannel, type InspectorActions, type Run } from '../../../src/extension/inspector/inspectorChannel';
import type { Event } from '../../../src/protocol/events/event';
import type { ToInspector } from '../../../src/protocol/inspector/inspector';
import { fullRun, longRun } from '../../support/trajectory';

const actions = {} as InspectorActions;
const runOf = (history: readonly Event[]): Run => ({
  history,
  facts: () => ({ ...runFacts(history), name: '', path: '', format: '', problems: [] }),
});

function channelOf(load: () => Promise<readonly Run[]>) {
  const posted: ToInspector[] = [];
  const problems: unknown[] = [];
  const channel = new InspectorChannel({
    post: (message) => void posted.push(structuredClone(message)),
    load,
    actions,
    onProblem: (problem) => void problems.push(problem),
  });
  return {
    channel,
    posted,
    problems,
    of: <Type extends ToInspector['type']>(type: Type) =>
      posted.filter((message): message is Extract<ToInspector, { type: Type }> => message.type === type),
  };
}

describe('the channel to an inspector', () => {
  it('sends only rows, in pages, until it is asked for more', async () => {
    const log = longRun(9000);
    const { channel, posted, of } = channelOf(async () => [runOf(log)]);
    await channel.receive({ type: 'ready' });
    assert.deepEqual([of('run')[0]!.total, of('run')[0]!.rows.length], [9001, 400]);
    assert.deepEqual(
      of('rows').map(({ from, rows }) => [from, rows.length]),
      [
        [400, 4000],
        [4400, 4000],
        [8400, 601],
      ],
    );
    assert.deepEqual([...new Set(posted.map(({ type }) => type))], ['run', 'rows']);
    assert.ok(JSON.stringify(of('run')[0]).length < 100_000);
  });

  it('sends a step with all that a foreign file contains, which is read when it is needed', async () => {
    const log = fullRun();
    let count = 0;
    const complete = () => {
      count++;
      return Promise.resolve(log.map((event): Event => ({ ...event, foreign: { messages: [[['odd'], 'kept']] } })));
    };
    const { channel, of } = channelOf(async () => [{ ...runOf(log), complete }]);
    await channel.receive({ type: 'ready' });
    assert.equal(count, 0);
    await channel.receive({ type: 'details', run: 0, seq: 0 });
    assert.match(JSON.stringify(of('details')[0]!.details), /"odd".*"kept"/);
    await channel.receive({ type: 'find', run: 0, words: 'kept' });
    assert.ok(of('found')[0]!.seqs.length > 0);
  });

  it('sends a step as it is, if the file is gone since', async () => {
    const gone = { ...runOf(fullRun()), complete: () => Promise.reject(new Error('gone')) };
    const { channel, of, problems } = channelOf(async () => [gone]);
    await channel.receive({ type: 'ready' });
    await channel.receive({ type: 'details', run: 0, seq: 0 });
    assert.deepEqual([of('details').length, problems], [1, []]);
  });

  it('shows a step that was requested before the view existed', async () => {
    const { channel, of } = channelOf(async () => [runOf(fullRun())]);
    channel.show(8);
    assert.deepEqual(of('show'), []);
    await channel.receive({ type: 'ready' });
    assert.deepEqual(of('show'), [{ type: 'show', run: 0, seq: 6 }]);
  });

  it('reports what could not be read, and reads it again on request', async () => {
    let broken = true;
    const { channel, of, problems } = channelOf(async () => {
      if (broken) throw new Error('Nothing there can be read.');
      return [runOf(fullRun())];
    });
    await channel.receive({ type: 'ready' });
    assert.deepEqual(of('problem'), [{ type: 'problem', words: 'Nothing there can be read.' }]);
    broken = false;
    await channel.receive({ type: 'reload' });
    assert.equal(of('run').length, 1);
    assert.equal(problems.length, 1);
  });

  it('reports and ignores messages that no inspector sends', async () => {
    const { channel, posted, problems } = channelOf(async () => [runOf(fullRun())]);
    for (const raw of [
      undefined,
      'ready',
      { type: 'delete' },
      { type: 'details', seq: -1 },
      { type: 'details', run: 2, seq: 0 },
    ])
      await channel.receive(raw);
    assert.deepEqual(
      posted.map(({ type }) => type),
      ['problem', 'problem', 'problem', 'problem', 'problem'],
    );
    assert.equal(problems.length, 5);
  });

  it('does not answer requests for missing steps and messages', async () => {
    const { channel, of, problems } = channelOf(async () => [runOf(fullRun())]);
    await channel.receive({ type: 'ready' });
    for (const question of [
      { type: 'details', seq: 9999 },
      { type: 'request', seq: 0 },
      { type: 'request', seq: 9999 },
      { type: 'message', seq: 1, index: 50 },
      { type: 'details', run: 1, seq: 0 },
    ])
      await channel.receive(question);
    assert.deepEqual([of('details'), of('request'), of('message'), problems], [[], [], [], []]);
  });
});
