import { strict as assert } from 'node:assert';
import { condenserFor } from '../../../src/core/condense/condenserFor';
import { withPreservedParts, withoutPreservedParts } from '../../../src/core/condense/condensationAttempt';
import { contextFill } from '../../../src/core/condense/contextFill';
import { readEvents } from '../../../src/core/condense/readEvents';
import { toMessages, viewOf } from '../../../src/core/model/messages';
import { sessionSpending } from '../../../src/core/log/spending';
import { ModelProblem, type ModelRequest } from '../../../src/core/ports/model';
import type { Event, EventOf, NewEvent } from '../../../src/protocol/events/event';
import { assertAccepted, call, plays, says, usage } from '../agent/story';
import { calls, logOf, person, reported, result, step, steps, task, thinking } from './logs';

const never = new AbortController().signal;
const requested: NewEvent = { type: 'condensation_requested', by: 'person' };
const tooLong = () => new ModelProblem('context_overflow', { what: 'Too long.', why: 'It is.', next: 'Shorten it.' });
const choice = { kind: 'summarizing', maxEvents: 80, maxWindowShare: 0.5, keepFirst: 4 } as const;

interface Setting {
  script?: Parameters<typeof plays>;
  window?: number | null;
  choose?: Partial<typeof choice> | { maxEvents?: number; keepFirst?: number; maxWindowShare?: number };
}
async function condense(
  log: readonly Event[],
  { script = [says('What was done.')], window = null, choose = {} }: Setting = {},
) {
  const model = plays(...script);
  const event = await condenserFor({ ...choice, ...choose }, { model, contextWindow: window }).condense(log, never);
  const after = event ? [...log, { ...event, seq: log.length, at: 0 } as Event] : [...log];
  assertAccepted(after);
  return { event, after, requests: model.requests, kept: readEvents(after).map(({ seq }) => seq) };
}
function condensed(event: NewEvent | undefined): Omit<EventOf<'condensation'>, 'seq' | 'at'> {
  assert.equal(event?.type, 'condensation');
  return event as Omit<EventOf<'condensation'>, 'seq' | 'at'>;
}
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);
const record = (request: ModelRequest | undefined) => request!.messages[1]!.content;
/** Replies and user messages in turn. */
const plain = (count: number) =>
  Array.from({ length: count }, (_, index) => (index % 2 === 0 ? calls([]) : person('More.')));

describe('the summarizing condenser', () => {
  describe('by the number of events', () => {
    it('keeps the first 4 of 81, a summary and the last 35, with a limit of 80', async () => {
      const { event, kept } = await condense(logOf(task, plain(80)));
      assert.deepEqual(condensed(event).reasons, ['events']);
      assert.deepEqual(kept, [0, 1, 2, 3, 81, ...range(46, 81)]);
    });
    it('moves both cuts forward so that no call loses its result', async () => {
      assert.deepEqual((await condense(logOf(task, steps(40)))).kept, [0, 1, 2, 3, 4, 81, ...range(47, 81)]);
    });
    it('does nothing at 80', async () =>
      assert.equal((await condense(logOf(task, plain(79)), { script: [] })).event, undefined));
    it('counts only events that the model reads', async () => {
      const log = logOf(
        task,
        steps(20),
        range(0, 100).map(() => ({ type: 'notice', level: 'info', text: 'x' }) as const),
      );
      assert.equal((await condense(log, { script: [] })).event, undefined);
    });
    it('does nothing if no cut is valid or too little would be removed', async () => {
      const loop = logOf(task, calls(['a'], { reasoning: thinking }), result('a'), steps(45));
      assert.deepEqual((await condense(loop, { script: [] })).event, undefined);
      const batch = range(0, 90).map((index) => `b${index}`);
      assert.equal(
        (
          await condense(
            logOf(
              task,
              step('x'),
              step('y'),
              calls(batch),
              batch.slice(1).map((id) => result(id)),
              result('b0'),
              calls(['z']),
              result('z'),
            ),
            { script: [], choose: { keepFirst: 1, maxEvents: 188 } },
          )
        ).event,
        undefined,
      );
    });
    it('also forgets events between forgotten ones, and keeps every event in the log', async () => {
      const log = logOf(
        task,
        steps(20),
        { type: 'notice', level: 'info', text: 'x' },
        { type: 'action_started', actionId: 's19' },
        steps(20, 't'),
      );
      const { event, after } = await condense(log);
      assert.ok(condensed(event).forgotten.includes(41) && condensed(event).forgotten.includes(42));
      assert.ok(!viewOf(after).some(({ seq }) => seq === 41));
      assert.deepEqual(after.slice(0, -1), log);
    });
    it('does nothing while an action is pending', async () => {
      assert.equal((await condense(logOf(task, steps(40), calls(['open'])), { script: [] })).event, undefined);
    });
  });

  describe('by the context window', () => {
    it('keeps only a few recent events of a conversation that exceeds the window', async () => {
      const log = logOf(task, steps(20, 's', 'x'.repeat(400)));
      const { event, kept } = await condense(log, { window: 2000, choose: { keepFirst: 1 } });
      assert.deepEqual(condensed(event).reasons, ['tokens']);
      const tail = kept.filter((seq) => seq > 0 && seq < 41);
      assert.ok(tail.length >= 4 && tail.length <= 8, `${tail.length} events are left of those that would fit`);
    });
    it('uses the provider’s count', async () => {
      const log = (tokens: number) =>
        logOf(task, steps(4), calls(['last'], { usage: reported(tokens) }), result('last'));
      assert.equal((await condense(log(400), { window: 1000, script: [] })).event, undefined);
      assert.deepEqual(condensed((await condense(log(600), { window: 1000 })).event).reasons, ['tokens']);
    });
    it('does nothing if the window is unknown', async () => {
      assert.equal((await condense(logOf(task, steps(30, 's', 'x'.repeat(9999))), { script: [] })).event, undefined);
    });
    it('resets if a tool loop with thinking leaves no cut, keeping the task and unread messages', async () => {
      const loop = [calls(['a'], { reasoning: thinking }), result('a', 'x'.repeat(4000)), step('b')];
      const { kept, requests } = await condense(logOf(task, loop, person('Faster.')), { window: 1000 });
      assert.deepEqual(kept, [0, 6, 3, 4, 5]);
      assert.match(record(requests[0]), /result of look \(.*\): ok\]\nx+/);
    });
    it('retries the reset at most five times, each time with a shorter record', async () => {
      const log = logOf(task, calls(['a'], { reasoning: thinking }), result('a', 'x'.repeat(4000)), step('b'));
      const { event, requests } = await condense(log, { window: 1500, script: range(0, 9).map(tooLong) });
      assert.equal(requests.length, 6);
      const sizes = requests.map((request) => record(request).length);
      for (const [index, size] of sizes.slice(1).entries()) assert.ok(size < sizes[index]!, sizes.join(', '));
      assert.equal(event?.type, 'notice');
    });
    it('and by request keeps fewer events than by request alone', async () => {
      const log = logOf(task, steps(20, 's', 'x'.repeat(400)), requested);
      const both = await condense(log, { window: 2000, choose: { keepFirst: 1 } });
      assert.deepEqual(condensed(both.event).reasons, ['request', 'tokens']);
      assert.deepEqual(both.kept.length < (await condense(log, { choose: { keepFirst: 1 } })).kept.length, true);
    });
    it('rejects a summary that is longer than what it replaces', async () => {
      const { event } = await condense(logOf(task, steps(10, 's', 'x'.repeat(400))), {
        window: 1000,
        script: [says('y'.repeat(9000))],
      });
      assert.match((event as EventOf<'notice'>).text, /as long as the text it should replace/);
    });
    it('keeps the newest step and not an older one', async () => {
      const log = logOf(task, step('a'), steps(1, 'old', 'x'.repeat(2400)), steps(1, 'new', 'y'.repeat(2400)));
      const { event, kept, requests } = await condense(log, { window: 1600, choose: { keepFirst: 4 } });
      assert.deepEqual([kept, condensed(event).shortened], [[0, 7, 5, 6], undefined]);
      assert.ok(!record(requests[0]).includes('yyy'));
    });
    it('shortens the newest result if it alone is too long, without asking for a summary of nothing', async () => {
      const log = logOf(task, calls(['a']), result('a', `first ${'x'.repeat(9000)} last`));
      const { event, after } = await condense(log, { window: 1000, script: [] });
      assert.deepEqual(condensed(event).forgotten, []);
      const { content } = toMessages(after).at(-1)!;
      assert.match(content, /^first x+\n\[… \d+ characters left out …\]\nx+ last\n\[Shortened.*line ranges\.\]$/s);
      assert.ok(contextFill(after).tokens <= 800, `${contextFill(after).tokens} tokens`);
      const next = await condense(logOf(...after, step('b')), { window: 1000 });
      assert.deepEqual(next.kept, [0, 6, 4, 5]);
    });
    it('says that it cannot condense if the task alone fills the window', async () => {
      const { event } = await condense(logOf({ ...task, task: 'x'.repeat(9000) } as NewEvent, step('a')), {
        window: 1000,
        script: [],
      });
      assert.match((event as EventOf<'notice'>).text, /Too little of it/);
    });
  });

  describe('by request', () => {
    it('keeps half', async () => {
      const { event, kept } = await condense(logOf(task, plain(41), requested));
      assert.deepEqual(condensed(event).reasons, ['request']);
      assert.deepEqual(kept, [0, 1, 2, 3, 43, ...range(26, 42)]);
    });
    it('summarizes all but the task of a short conversation', async () => {
      assert.deepEqual((await condense(logOf(task, step('a'), step('b'), requested))).kept, [0, 6, 3, 4]);
    });
    it('forgets no result that the model has not read', async () => {
      const { event } = await condense(logOf(task, step('a'), requested), { script: [] });
      assert.match((event as EventOf<'notice'>).text, /Too little of it/);
    });
    it('handles the request once', async () => {
      const { after } = await condense(logOf(task, plain(39), requested));
      assert.equal((await condense(after, { script: [] })).event, undefined);
      const failed = await condense(logOf(task, plain(39), requested), {
        script: [tooLong(), ...range(0, 6).map(tooLong)],
      });
      assert.equal(failed.event?.type, 'notice');
      assert.equal((await condense(failed.after, { script: [] })).event, undefined);
    });
    it('waits after a condensation that forgot nothing, as after a failure', async () => {
      const log = logOf(task, plain(80), requested, { type: 'condensation', forgotten: [], summary: '' });
      assert.equal(readEvents(log).length, 81);
      assert.equal((await condense(logOf(...log, plain(2)), { script: [] })).event, undefined);
    });
  });

  describe('on failure', () => {
    const down = () =>
      new ModelProblem('server', {
        what: 'The model server failed.',
        why: 'It said 500.',
        next: 'Continue in a moment.',
      });
    it('keeps the conversation, says why, and retries after five replies', async () => {
      const log = logOf(task, plain(80));
      const { event, after, requests } = await condense(log, { script: [down()] });
      assert.equal(requests.length, 1);
      assert.match((event as EventOf<'notice'>).text, /could not be condensed.*It said 500/);
      assert.deepEqual(toMessages(after), toMessages(log));
      for (let replies = 1; replies <= 5; replies++) {
        const { event: later } = await condense(logOf(...after, plain(2 * replies)));
        assert.equal(later?.type, replies < 5 ? undefined : 'condensation');
      }
      assert.equal((await condense(logOf(...after, requested))).event?.type, 'condensation');
    });
    it('counts the cost of an empty or truncated summary', async () => {
      for (const bad of [says(''), { ...says('Half a'), finishReason: 'length' }]) {
        const { event, after } = await condense(logOf(task, plain(80)), { script: [bad] });
        assert.equal(event?.type, 'notice');
        assert.equal(sessionSpending(after).usage.cost, usage.cost);
      }
    });
    it('rejects with the stop reason if stopped', async () => {
      const stop = new AbortController();
      const model = plays(
        (_request, signal) =>
          new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
      );
      const condensing = condenserFor(choice, { model, contextWindow: null }).condense(
        logOf(task, plain(80)),
        stop.signal,
      );
      stop.abort('Stopped by the user.');
      await assert.rejects(condensing, (reason) => reason === 'Stopped by the user.');
    });
  });

  it('does not condense again at once, however large the summary is', async () => {
    const log = logOf(task, steps(10, 's', 'x'.repeat(400)), {
      type: 'condensation',
      forgotten: [1, 2],
      summary: 'S'.repeat(9000),
    });
    assert.equal((await condense(log, { window: 1000, script: [] })).event, undefined);
    assert.equal((await condense(logOf(...log, step('a')), { window: 1000 })).event?.type, 'condensation');
  });

  describe('the summary', () => {
    const todo = (text: string, state: 'pending' | 'active' | 'done') => ({ text, state });
    it('is updated by the next one', async () => {
      const first = await condense(logOf(task, plain(80)), { script: [says('## Task tracking\n- T7: pending')] });
      const { requests, event } = await condense(logOf(...first.after, plain(60)), {
        script: [says('## Task tracking\n- T7: done')],
      });
      assert.match(record(requests[0]), /<earlier_summary>\n## Task tracking\n- T7: pending\n<\/earlier_summary>/);
      assert.ok(!record(requests[0]).includes('[earlier summary]'));
      assert.match(condensed(event).summary, /T7: done/);
      assert.ok(condensed(event).forgotten.includes(81));
    });
    it('has the open todos and the latest request verbatim, over two condensations', async () => {
      const items = [todo('T1 read', 'done'), todo('T2 write', 'active'), todo('T3 test', 'pending')];
      const log = logOf(
        task,
        plain(4),
        person('Use tabs, please.'),
        calls(['t']),
        result('t', 'noted', { details: { kind: 'todo', items } }),
        steps(45),
      );
      const first = await condense(log);
      const second = await condense(logOf(...first.after, steps(45, 'u')));
      for (const { event } of [first, second]) {
        const { summary } = condensed(event);
        assert.match(summary, /- in_progress: T2 write\n- pending: T3 test/);
        assert.ok(!summary.includes('T1 read'));
        assert.equal(summary.split('Use tabs, please.').length, 2);
      }
      assert.ok(!record(second.requests[0]).includes('T2 write'), 'the kept words are not the model’s to change');
    });
    it('leaves out the latest request if it is still in the conversation', async () => {
      const { event } = await condense(logOf(task, plain(80), person('Use tabs, please.'), calls([])));
      assert.ok(!condensed(event).summary.includes('Use tabs'));
    });
    it('records its cost and model; its cost counts as spent, but not as a step', async () => {
      const log = logOf(task, plain(80));
      const { event, after } = await condense(log);
      assert.deepEqual([condensed(event).usage, condensed(event).model], [usage, 'story']);
      assert.equal(sessionSpending(after).usage.cost, usage.cost);
      assert.equal(sessionSpending(after).steps, sessionSpending(log).steps);
    });
    it('is made from a record that fits the window; long texts are shortened', async () => {
      const { requests } = await condense(logOf(task, step('keep'), steps(3, 's', 'x'.repeat(9000)), requested), {
        window: 4000,
        choose: { keepFirst: 1 },
      });
      assert.ok(record(requests[0]).length < 4000 * 4 * 0.75);
      assert.match(record(requests[0]), /characters left out/);
      assert.match(record(requests[0]), /result of keep/);
    });
    it('is asked for again once after a tool call', async () => {
      const log = logOf(task, steps(10, 's', 'x'.repeat(3000)), requested);
      const called = { ...says('One more look.'), toolCalls: says('', call('look', {})).toolCalls };
      const { event, requests } = await condense(log, { script: [called, says('All was read.')] });
      assert.equal(requests.length, 2);
      assert.match(record(requests[1]), /called a tool/);
      assert.equal(condensed(event).summary.includes('All was read.'), true);
      assert.equal(condensed(event).usage?.cost, 2 * usage.cost!);
      assert.match(condensed((await condense(log, { script: [called, called] })).event).summary, /One more look/);
    });
    it('is requested with the task', async () => {
      const { requests } = await condense(logOf(task, plain(80)));
      assert.match(record(requests[0]), /^<task>\nDo it\.\n<\/task>/);
    });
    it('is requested with all expected headings', async () => {
      const { requests } = await condense(logOf(task, plain(80)));
      for (const heading of [
        'User context',
        'Constraints and preferences',
        'Task tracking',
        'Completed',
        'In progress',
        'Pending',
        'Blocked',
        'Key decisions',
        'Relevant files',
        'Code state',
        'Tests',
        'Changes',
        'Dependencies',
        'Version control',
        'Current state',
      ]) {
        assert.ok(requests[0]!.messages[0]!.content.includes(`## ${heading}`), heading);
      }
    });
  });

  it('rejects conflicting limits with an explanation', () => {
    const withFirst = (keepFirst: number) => () =>
      condenserFor({ ...choice, keepFirst }, { model: plays(), contextWindow: null });
    assert.throws(withFirst(39), /at most 80 events cannot keep the first 39.*fewer than 39/);
    withFirst(38)();
  });
});

describe('other condensers', () => {
  const parts = () => ({ model: plays(says('Second.')), contextWindow: null });
  it('do nothing if there is none', async () =>
    assert.equal(
      await condenserFor({ kind: 'none' }, parts()).condense(logOf(task, plain(99), requested), never),
      undefined,
    ));
  it('in a pipeline are tried in order, and the first with something to do condenses', async () => {
    const event = await condenserFor(
      { kind: 'pipeline', of: [{ kind: 'none' }, { ...choice, maxEvents: 200 }, choice] },
      parts(),
    ).condense(logOf(task, plain(80)), never);
    assert.match(condensed(event).summary, /Second\./);
  });
});

describe('a summary that is updated', () => {
  it('is without the opening line, also that of earlier versions', () => {
    assert.equal(withoutPreservedParts(withPreservedParts('Read two files.', [], () => false)), 'Read two files.');
    const earlier = 'Earlier messages of this conversation were replaced by this summary of them:\n\nRead two files.';
    assert.equal(withoutPreservedParts(earlier), 'Read two files.');
  });
});
