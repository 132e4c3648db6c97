import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Event } from '../../../src/protocol/events/event';
import type { ToPanel } from '../../../src/protocol/panel/panel';
import { cursorOf, emptyState, hasGap, receive, type PanelState } from '../../../webview-ui/state/state';
import { rowsOf } from '../../../webview-ui/state/rows';
import { action, command, facts, log, observed, page, reply, started, task } from '../support/events';

const run = log(
  task('Fix it.'),
  reply('Looking.', [
    action('a', 'read_file', { path: 'a' }, 'Read a'),
    action('b', 'run_command', { command: 'npm test' }, 'Run npm test'),
  ]),
  observed('a', 'A', { kind: 'read', path: 'a', version: '1', fromLine: 1, toLine: 2, totalLines: 2 }),
  { type: 'confirmation_requested', actionIds: ['b'] },
  { type: 'confirmation_resolved', actionIds: ['b'], approved: true, by: 'person' },
  started('b'),
  observed('b', 'ok', command(0)),
  reply('All pass.', []),
  { type: 'user_message', text: 'Thanks. Now the docs.' },
  reply('Done.', []),
);
const after = (messages: readonly ToPanel[], state: PanelState = emptyState): PanelState =>
  messages.reduce(receive, state);
const eventsMessage = (events: Event[], running = true): ToPanel => ({
  type: 'events',
  from: events[0]!.seq,
  events,
  facts: facts({ running, status: 'ready' }),
});

describe('the state of the panel', () => {
  it('is the same however the log is cut, repeated and shuffled in transit', () => {
    const pieces = fc.array(fc.tuple(fc.nat(run.length - 1), fc.integer({ min: 1, max: run.length })), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(
        fc.nat(run.length),
        pieces,
        fc.array(fc.nat(1000), { minLength: 40, maxLength: 40 }),
        (first, extra, order) => {
          const singles = run.map((event) => eventsMessage([event]));
          const slices = extra.map(([from, length]) => eventsMessage(run.slice(from, from + length)));
          const shuffled = [...singles, ...slices]
            .map((message, index) => ({ message, key: order[index % order.length]! }))
            .sort((a, b) => a.key - b.key)
            .map(({ message }) => message);
          const state = after([
            page(run.slice(0, first), { running: true }),
            ...shuffled,
            { type: 'facts', facts: facts() },
          ]);
          assert.deepEqual(state.events, run);
          assert.equal(hasGap(state), false);
          assert.deepEqual(rowsOf(state.events), rowsOf(run));
          assert.deepEqual(state.stream, { text: '', reasoning: '', output: new Map(), children: new Map() });
        },
      ),
    );
  });

  it('is the same however a reply is split into deltas and packed', () => {
    const deltas = fc.array(
      fc.record({ kind: fc.constantFrom('text' as const, 'reasoning' as const), text: fc.string() }),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(deltas, fc.nat(20), (list, cut) => {
        const start = after([page(run.slice(0, 1), { running: true })]);
        const whole = after([{ type: 'deltas', deltas: list }], start);
        const packed = after(
          [
            { type: 'deltas', deltas: list.slice(0, cut) },
            { type: 'deltas', deltas: list.slice(cut) },
          ],
          start,
        );
        assert.deepEqual(packed.stream, whole.stream);
        assert.equal(
          whole.stream.text,
          list
            .filter((delta) => delta.kind === 'text')
            .map((delta) => delta.text)
            .join(''),
        );
      }),
    );
  });

  it('adds earlier pages without a gap or a repetition', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: run.length - 1 }),
        fc.nat(run.length),
        fc.nat(run.length),
        (middle, start, overlap) => {
          const from = Math.min(start, middle);
          const earlier: ToPanel = {
            type: 'page',
            from,
            total: run.length,
            fresh: false,
            events: run.slice(from, Math.min(run.length, middle + overlap)),
            facts: facts(),
          };
          const state = after([{ ...page(run.slice(middle)), from: middle } as ToPanel, earlier, earlier]);
          assert.equal(state.from, from);
          assert.deepEqual(state.events, run.slice(from));
        },
      ),
    );
  });

  it('requests missing events from its cursor, and is complete when they arrive', () => {
    const gap = after([page(run.slice(0, 3), { running: true }), eventsMessage(run.slice(5, 7))]);
    assert.equal(hasGap(gap), true);
    assert.equal(cursorOf(gap), 3);
    const whole = after(
      [{ type: 'page', from: 3, total: 7, fresh: false, events: run.slice(3, 7), facts: facts() }],
      gap,
    );
    assert.deepEqual(whole.events, run.slice(0, 7));
    assert.equal(hasGap(whole), false);
  });

  it('drops streamed text when the reply arrives', () => {
    const streaming = after([
      page(run.slice(0, 1), { running: true }),
      {
        type: 'deltas',
        deltas: [
          { kind: 'text', text: 'Look' },
          { kind: 'reasoning', text: 'hm' },
          { kind: 'tool', tool: 'read_file', bytes: 9 },
        ],
      },
    ]);
    assert.equal(streaming.stream.text, 'Look');
    assert.deepEqual(after([eventsMessage(run.slice(1, 2))], streaming).stream, {
      text: '',
      reasoning: '',
      output: new Map(),
      children: new Map(),
    });
  });

  it('keeps the end of a streamed call, and starts over with the next call', () => {
    const line = `${'x'.repeat(79)}\n`;
    const written = (call: number, text: string) => ({ kind: 'written' as const, call, text });
    const begun = after([
      page(run.slice(0, 1), { running: true }),
      { type: 'deltas', deltas: [{ kind: 'tool', tool: 'write_file', bytes: 5, call: 0 }, written(0, 'first\n')] },
      { type: 'deltas', deltas: [{ kind: 'tool', tool: 'write_file', bytes: 9, call: 0, path: 'a.ts' }] },
    ]);
    assert.deepEqual(
      [begun.stream.tool?.path, begun.stream.tool?.bytes, begun.stream.tool?.written?.text],
      ['a.ts', 9, 'first\n'],
    );
    const long = after([{ type: 'deltas', deltas: [written(0, line.repeat(1000))] }], begun);
    const kept = long.stream.tool!.written!;
    assert.ok(kept.text.length <= 8000 && kept.text.endsWith(line));
    assert.equal(kept.linesDropped + kept.text.split('\n').length - 1, 1001);
    const next = after([{ type: 'deltas', deltas: [{ kind: 'tool', tool: 'ls', bytes: 2, call: 1 }] }], long);
    assert.deepEqual([next.stream.tool?.path, next.stream.tool?.written], [undefined, undefined]);
    const late = after([{ type: 'deltas', deltas: [written(0, 'late')] }], next);
    assert.equal(late.stream.tool?.written, undefined);
  });

  it('drops streamed text on request of the host', () => {
    const state = after([
      page(run.slice(0, 1), { running: true }),
      {
        type: 'deltas',
        deltas: [{ kind: 'text', text: 'cut of' }, { kind: 'discard' }, { kind: 'text', text: 'again' }],
      },
    ]);
    assert.equal(state.stream.text, 'again');
  });

  it('keeps live output of a command until its observation, and ignores later output', () => {
    const running = after([
      page(run.slice(0, 6), { running: true }),
      {
        type: 'deltas',
        deltas: [
          { kind: 'output', actionId: 'b', text: '1\n' },
          { kind: 'output', actionId: 'b', text: '2\n' },
        ],
      },
    ]);
    assert.equal(running.stream.output.get('b')?.text, '1\n2\n');
    const done = after(
      [eventsMessage(run.slice(6, 7)), { type: 'deltas', deltas: [{ kind: 'output', actionId: 'b', text: 'late' }] }],
      running,
    );
    assert.equal(done.stream.output.has('b'), false);
  });

  it('keeps the end of endless output and counts the dropped lines', () => {
    let state = after([page(run.slice(0, 6), { running: true })]);
    for (let count = 0; count < 100; count++)
      state = after(
        [
          {
            type: 'deltas',
            deltas: [{ kind: 'output', actionId: 'b', text: 'x'.repeat(99).concat('\n').repeat(100) }],
          },
        ],
        state,
      );
    const live = state.stream.output.get('b')!;
    assert.ok(live.text.length <= 140_000);
    assert.equal(live.linesDropped + live.text.split('\n').length - 1, 10_000);
  });

  it('starts over when another session is shown', () => {
    const other = page(run.slice(0, 2), { sessionId: 's2' });
    const state = after([page(run), other]);
    assert.equal(state.sessionId, 's2');
    assert.equal(state.events.length, 2);
    assert.equal(
      hasGap(
        after([
          page(run),
          eventsMessage(run.slice(4, 5)),
          { ...eventsMessage(run.slice(4, 5)), facts: facts({ sessionId: 's3' }) } as ToPanel,
        ]),
      ),
      true,
    );
  });
});
