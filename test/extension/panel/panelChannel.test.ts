import assert from 'node:assert/strict';
import fc from 'fast-check';
import { InFlight } from '../../../src/extension/sessions/inFlight';
import { MessageRate } from '../../../src/extension/common/messageRate';
import { PanelChannel, type ShownContent } from '../../../src/extension/panel/panelChannel';
import type { Event, NewEvent } from '../../../src/protocol/events/event';
import type { Delta, PanelFacts, ToPanel } from '../../../src/protocol/panel/panel';
import { emptyState, receive, type PanelState } from '../../../webview-ui/state/state';
import { agentResponse } from '../../support/newEvents';

const usage = { inputTokens: 100, outputTokens: 20, cachedTokens: 80, cost: 0.01 };
const reply = (text: string): NewEvent => agentResponse(text, { readUpTo: 1, usage });
/** Waits until simultaneous messages have been sent as one batch. */
const sentTogether = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 60));
const notice = (text: string): NewEvent => ({ type: 'notice', level: 'info', text });
const types = [
  'send',
  'decide',
  'always_allow',
  'preview',
  'offer_rules',
  'answer',
  'choose_candidate',
  'pause',
  'step',
  'stop',
  'resume',
  'choose_model',
  'set_mode',
  'set_limits',
  'condense',
  'new_session',
  'open_file',
  'open_diff',
  'open_link',
  'show_terminal',
  'copy',
  'rename',
  'draft',
  'command',
] as const;

/** A host with one growing log, its channel, and the panel's state at the other end. */
class Wire {
  readonly messages: ToPanel[] = [];
  readonly executed: string[] = [];
  readonly problems: unknown[] = [];
  /** Time between messages, in ms. */
  pace = 1000;
  private clock = 0;
  panel: PanelState = emptyState;
  session = this.newSession('s1');
  readonly channel = new PanelChannel({
    post: (message) => {
      this.messages.push(message);
      this.panel = receive(this.panel, structuredClone(message));
    },
    shownSession: () => this.shown(),
    handlers: Object.fromEntries(
      [...types, 'ready'].map((type) => [
        type,
        () => {
          if (type !== 'ready') this.executed.push(type);
        },
      ]),
    ) as never,
    onProblem: (problem) => this.problems.push(problem),
    rate: new MessageRate(() => (this.clock += this.pace)),
  });

  newSession(id: string): { id: string; history: Event[]; inFlight: InFlight; running: boolean } {
    return { id, history: [], inFlight: new InFlight(), running: true };
  }

  append(event: NewEvent): void {
    const stamped = { ...event, seq: this.session.history.length, at: 0 } as Event;
    this.session.history.push(stamped);
    this.session.inFlight.logged(stamped);
    this.channel.changed();
  }

  stream(delta: Delta): void {
    this.session.inFlight.add(delta);
    this.channel.delta(delta);
  }

  ready(): Promise<void> {
    return this.channel.receive({
      type: 'ready',
      cursor: this.panel.from + this.panel.events.length,
      ...(this.panel.sessionId !== undefined && { sessionId: this.panel.sessionId }),
    });
  }
  /** Discards the view and its state. */
  reload(): Promise<void> {
    this.channel.detach();
    this.panel = emptyState;
    return this.ready();
  }

  get bytes(): number {
    return this.messages.reduce((sum, message) => sum + Buffer.byteLength(JSON.stringify(message)), 0);
  }

  private shown(): ShownContent {
    const { id, history, inFlight, running } = this.session;
    const facts: PanelFacts = {
      running,
      status: 'ready',
      confirmation: 'risky',
      mode: 'confirm',
      profile: 'waymark',
      limits: { steps: 0, cost: 0, seconds: 0 },
      stepping: false,
      pauseRequested: false,
      next: {
        profile: 'waymark',
        mode: 'confirm',
        candidates: 1,
        verifier: 'first_valid',
        toolsets: [],
        disabledToolsets: [],
      },
      trusted: true,
      writable: true,
      spent: { ...usage, steps: 1, uncounted: 0, unpriced: 0 },
      context: null,
      title: 't',
      sessionId: id,
    };
    return { id, history, inFlight: inFlight.deltas, draft: '', facts: () => facts };
  }
}

/** Longer than the batching delay for deltas. */
const flushed = () => new Promise((resolve) => setTimeout(resolve, 45));

describe('the channel to the panel', () => {
  it('sends nothing before the view is ready, and then everything', async () => {
    const wire = new Wire();
    wire.append(notice('one'));
    wire.stream({ kind: 'text', text: 'Hel' });
    await flushed();
    assert.deepEqual(wire.messages, []);
    await wire.ready();
    assert.deepEqual([wire.panel.events.length, wire.panel.stream.text], [1, 'Hel']);
  });

  it('sends the streamed part of a reply once to a view that connects in the middle', async () => {
    const wire = new Wire();
    await wire.ready();
    wire.stream({ kind: 'reasoning', text: 'Let me ' });
    wire.stream({ kind: 'reasoning', text: 'think.' });
    wire.stream({ kind: 'text', text: 'It is ' });
    await wire.reload();
    wire.stream({ kind: 'text', text: 'mended.' });
    await flushed();
    assert.deepEqual([wire.panel.stream.reasoning, wire.panel.stream.text], ['Let me think.', 'It is mended.']);
    await wire.ready(); // as a view does after missing an event
    assert.equal(wire.panel.stream.text, 'It is mended.');
    wire.append(reply('It is mended.'));
    await wire.reload();
    assert.deepEqual([wire.panel.stream.text, wire.panel.events.length], ['', 1]);
  });

  it('sends the output of a running command, and nothing of one that ended', async () => {
    const wire = new Wire();
    await wire.ready();
    wire.stream({ kind: 'output', actionId: 'a', text: 'one\n' });
    wire.stream({ kind: 'output', actionId: 'b', text: 'other\n' });
    wire.stream({ kind: 'output', actionId: 'a', text: 'two\n' });
    await wire.reload();
    assert.deepEqual(
      [...wire.panel.stream.output].map(([id, { text }]) => [id, text]),
      [
        ['a', 'one\ntwo\n'],
        ['b', 'other\n'],
      ],
    );
    wire.append({ type: 'observation', actionId: 'a', outcome: 'ok', content: '' });
    await wire.reload();
    assert.deepEqual([...wire.panel.stream.output.keys()], ['b']);
  });

  it('keeps the end of a long output, up to a limit and from the start of a line, and marks it as cut', async () => {
    const wire = new Wire();
    const line = `${'x'.repeat(99)}\n`;
    for (let count = 0; count < 10_000; count++) wire.stream({ kind: 'output', actionId: 'a', text: line });
    wire.stream({ kind: 'output', actionId: 'a', text: 'the end\n' });
    await wire.ready();
    const { text, cut } = wire.panel.stream.output.get('a')!;
    assert.equal(cut, true);
    assert.ok(text.length <= 130_000 && text.endsWith('x\nthe end\n'), `${text.length}`);
    assert.equal(text.indexOf('\n'), 99);
  });

  it('streams a call in few deltas, and sends its end to a view that connects later', async () => {
    const wire = new Wire();
    await wire.ready();
    const lines = Array.from({ length: 2000 }, (_, index) => `line ${index}\n`);
    for (const [index, text] of lines.entries()) {
      wire.stream({ kind: 'tool', tool: 'write_file', bytes: index, call: 0, path: 'a.ts' });
      wire.stream({ kind: 'written', call: 0, text });
    }
    wire.channel.changed();
    await sentTogether();
    const sent = wire.messages.flatMap((message) => (message.type === 'deltas' ? message.deltas : []));
    assert.deepEqual(
      sent.filter(({ kind }) => kind !== 'discard').map(({ kind }) => kind),
      ['tool', 'written'],
    );
    const shown = wire.panel.stream.tool!;
    assert.deepEqual([shown.path, shown.bytes, shown.written!.text.endsWith('line 1999\n')], ['a.ts', 1999, true]);
    await wire.reload();
    const again = wire.panel.stream.tool!;
    assert.ok(again.written!.text.length <= 8000 && again.written!.text.endsWith('line 1999\n'));
    wire.stream({ kind: 'tool', tool: 'ls', bytes: 2, call: 1 });
    await wire.reload();
    assert.deepEqual([wire.panel.stream.tool!.name, wire.panel.stream.tool!.written], ['ls', undefined]);
    wire.append(reply('done'));
    await sentTogether();
    assert.equal(wire.panel.stream.tool, undefined);
  });

  it('sends the first of several events at once and the rest together, before later stream content', async () => {
    const wire = new Wire();
    await wire.ready();
    await sentTogether();
    wire.messages.length = 0;
    for (let count = 0; count < 20; count++) wire.append(notice(`event ${count}`));
    assert.deepEqual(
      wire.messages.map((message) => message.type === 'events' && message.events.length),
      [1],
    );
    wire.stream({ kind: 'text', text: 'next' });
    assert.equal(wire.panel.events.length, 20);
    await sentTogether();
    assert.deepEqual(
      wire.messages.map(({ type }) => type),
      ['events', 'events', 'deltas'],
    );
    assert.equal(wire.panel.stream.text, 'next');
  });

  it('never shows stream content of one session in another', async () => {
    const wire = new Wire();
    await wire.ready();
    wire.stream({ kind: 'text', text: 'of the first' });
    const first = wire.session;
    wire.session = wire.newSession('s2');
    wire.append(notice('second'));
    wire.channel.reset();
    await flushed();
    assert.deepEqual([wire.panel.sessionId, wire.panel.stream.text, wire.panel.events.length], ['s2', '', 1]);
    wire.session = first;
    wire.channel.reset();
    assert.deepEqual(
      [wire.panel.sessionId, wire.panel.stream.text, wire.panel.events.length],
      ['s1', 'of the first', 0],
    );
  });

  it('shows the same log and stream after any sequence of hiding, reloading, disconnecting and switching', async () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('append' as const) }),
      fc.record({ do: fc.constant('text' as const) }),
      fc.record({ do: fc.constant('output' as const) }),
      fc.record({ do: fc.constant('reply' as const) }),
      fc.record({ do: fc.constant('hide' as const) }),
      fc.record({ do: fc.constant('show' as const) }),
      fc.record({ do: fc.constant('reload' as const) }),
      fc.record({ do: fc.constant('switch' as const) }),
      fc.record({ do: fc.constant('wait' as const) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const wire = new Wire();
        let count = 0;
        let there = false;
        for (const { do: what } of steps) {
          count++;
          switch (what) {
            case 'append':
              wire.append(notice(`${count}`));
              break;
            case 'reply':
              wire.append(reply(`${count}`));
              break;
            case 'text':
              wire.stream({ kind: 'text', text: `${count} ` });
              break;
            case 'output':
              wire.stream({ kind: 'output', actionId: 'a', text: `${count}\n` });
              break;
            case 'hide':
              wire.channel.detach();
              wire.panel = emptyState;
              there = false;
              break;
            case 'show':
              await wire.ready();
              there = true;
              break;
            case 'reload':
              await wire.reload();
              there = true;
              break;
            case 'switch':
              wire.session = wire.newSession(`s${count}`);
              wire.append(notice('new'));
              wire.channel.reset();
              break;
            case 'wait':
              await new Promise((resolve) => setImmediate(resolve));
              break;
          }
        }
        if (!there) await wire.ready();
        await flushed();
        const { history, inFlight, id } = wire.session;
        const streamed = (kind: 'text' | 'output') =>
          inFlight.deltas.map((delta) => (delta.kind === kind ? delta.text : '')).join('');
        assert.deepEqual(wire.panel.events, history);
        assert.equal(wire.panel.sessionId, id);
        assert.equal(wire.panel.stream.text, streamed('text'));
        assert.equal(wire.panel.stream.output.get('a')?.text ?? '', streamed('output'));
        wire.channel.detach();
      }),
      { numRuns: 60 },
    );
  }).timeout(20_000);

  it('sends one page of a long log, and earlier pages on request', async () => {
    const wire = new Wire();
    for (let count = 0; count < 1000; count++) wire.append(notice(`${count}`));
    await wire.ready();
    assert.deepEqual([wire.panel.from, wire.panel.events.length], [700, 300]);
    while (wire.panel.from > 0) await wire.channel.receive({ type: 'earlier', before: wire.panel.from });
    assert.deepEqual(wire.panel.events, wire.session.history);
    assert.ok(wire.messages.every((message) => message.type !== 'page' || message.events.length <= 300));
  });

  it('sends as many bytes per token and event after 5,000 events as after 10', async () => {
    const bytesAt = async (length: number): Promise<{ tokens: number; event: number }> => {
      const wire = new Wire();
      for (let seq = 0; seq < length; seq++) wire.append(notice('same'));
      await wire.ready();
      const before = wire.bytes;
      for (let burst = 0; burst < 5; burst++) {
        for (let token = 0; token < 40; token++) wire.stream({ kind: 'text', text: 'token ' });
        await flushed();
      }
      const streamed = wire.bytes;
      wire.append(notice('same'));
      // Event numbers have more digits in a longer log: 5,000 instead of 10.
      return { tokens: streamed - before, event: wire.bytes - streamed - 2 * String(length).length };
    };
    const [short, long] = [await bytesAt(10), await bytesAt(5000)];
    if (process.env.SHOW_NUMBERS) console.log({ bytesPerToken: short.tokens / 200, bytesPerEvent: short.event });
    assert.deepEqual(long, short);
    assert.ok(short.tokens / 200 < 10, `${short.tokens / 200} bytes per token of 6`);
  });

  it('ignores 10,000 malformed messages without throwing', async () => {
    const wire = new Wire();
    const valid = [
      { type: 'ready', cursor: 0 },
      { type: 'decide', actionId: 'a', approved: true },
      { type: 'send', text: 'x' },
      { type: 'offer_rules', actionId: 'a' },
      { type: 'always_allow', actionId: 'a', scope: 'exact', keep: 'session' },
      { type: 'open_file', path: 'x', line: 1 },
      { type: 'set_mode', mode: 'auto' },
      { type: 'set_limits', steps: 1, cost: 1, seconds: 1 },
      { type: 'command', id: 'waymark.openSettings' },
      { type: 'choose_model', offer: 'local' },
      { type: 'answer', actionId: 'a', text: 'x' },
      { type: 'open_link', url: 'https://x' },
    ];
    const wrong = fc.oneof(
      fc.constantFrom(null, undefined, NaN, Infinity, 0, -1, 1.5, true, '', [], {}, 10n, new Date(NaN), new Map(), /x/),
      fc.object(),
    );
    const malformed = fc
      .oneof(
        {
          weight: 1,
          arbitrary: fc.anything({
            withBigInt: true,
            withDate: true,
            withMap: true,
            withSet: true,
            withNullPrototype: true,
            withObjectString: true,
            withTypedArray: true,
          }),
        },
        {
          weight: 1,
          arbitrary: fc
            .tuple(
              fc.constantFrom(...types, 'ready', 'earlier', '__proto__', 'constructor', 'toString', 'receive'),
              fc.object(),
            )
            .map(([type, rest]) => ({
              ...rest,
              type,
              actionId: 1,
              text: 2,
              cursor: -1,
              before: 'x',
              offer: 3,
              mode: 4,
              path: 5,
              url: 6,
              title: 7,
              id: 8,
            })),
        },
        // A valid message with one wrong field.
        {
          weight: 2,
          arbitrary: fc.tuple(fc.constantFrom(...valid), fc.nat(), wrong).map(([message, at, value]) => {
            const keys = Object.keys(message);
            return { ...message, [keys[at % keys.length]!]: value };
          }),
        },
      )
      .filter((message) => !harmless(message));
    const messages = fc.sample(malformed, { numRuns: 10_000, seed: 1 });
    for (const message of messages) await wire.channel.receive(message);
    assert.deepEqual(wire.executed, []);
    assert.deepEqual(wire.messages, []);
    assert.equal(wire.problems.length, 10_000);
  }).timeout(30_000);

  it('limits a flood of messages to a number a person could cause, reports it once, and still obeys a stop', async () => {
    const wire = new Wire();
    wire.pace = 0;
    for (let count = 0; count < 100_000; count++)
      await wire.channel.receive(count % 2 ? { type: 'pause' } : { type: 'send', text: 'x'.repeat(1000) });
    assert.equal(wire.executed.length, 300);
    assert.equal(wire.problems.length, 1);
    assert.match((wire.problems[0] as Error).message, /more messages than a person/);
    await wire.channel.receive({ type: 'stop' });
    assert.deepEqual(wire.executed.splice(0).slice(300), ['stop']);
    wire.pace = 100;
    for (let count = 0; count < 50; count++) await wire.channel.receive({ type: 'pause' });
    assert.equal(wire.executed.length, 50, 'goes on once the flood is over');
  });

  it('lets the host work between messages of a flood', async () => {
    const wire = new Wire();
    wire.pace = 0;
    let turns = 0;
    const work = setInterval(() => {
      turns++;
      wire.append(notice('working'));
    }, 1);
    await wire.ready();
    for (let burst = 0; burst < 50; burst++) {
      for (let count = 0; count < 1000; count++) void wire.channel.receive({ type: 'draft', text: 'x' });
      await new Promise((resolve) => setImmediate(resolve));
    }
    for (let waited = 0; waited < 200 && turns < 3; waited++) await new Promise((resolve) => setTimeout(resolve, 5));
    clearInterval(work);
    assert.ok(turns >= 3);
    await sentTogether();
    assert.equal(wire.panel.events.length, turns);
    assert.ok(wire.executed.length <= 300);
  });

  it('reports a failing handler and continues', async () => {
    const problems: unknown[] = [];
    let ran = 0;
    const channel = new PanelChannel({
      post: () => undefined,
      shownSession: () => {
        throw new Error('no log');
      },
      handlers: {
        stop: () => {
          throw new Error('thrown');
        },
        resume: () => Promise.reject(new Error('rejected')),
        send: () => {
          ran++;
        },
      } as never,
      onProblem: (problem) => problems.push((problem as Error).message),
    });
    for (const message of [
      { type: 'stop' },
      { type: 'resume' },
      { type: 'ready', cursor: 0 },
      { type: 'send', text: 'x' },
    ])
      await channel.receive(message);
    assert.deepEqual([problems, ran], [['thrown', 'rejected', 'no log'], 1]);
  });
});

/** True if the sample happens to be a valid message: it has no payload, or its field has a fitting value. */
function harmless(message: unknown): boolean {
  if (typeof message !== 'object' || message === null) return false;
  const { type, text, approved, url, line, path, actionId } = message as Record<string, unknown>;
  if (['pause', 'step', 'condense', 'stop', 'resume', 'new_session', 'show_terminal'].includes(type as string))
    return true;
  if (type === 'set_limits')
    return ['steps', 'cost', 'seconds'].every((limit) => Number((message as Record<string, unknown>)[limit]) >= 0);
  if (type === 'open_file') return typeof path === 'string' && (line === undefined || line === 1);
  if (type === 'answer') return typeof text === 'string' && typeof actionId === 'string';
  if (type === 'decide') return typeof approved === 'boolean' && typeof actionId === 'string';
  return (
    (type === 'send' && typeof text === 'string') ||
    (type === 'offer_rules' && typeof actionId === 'string') ||
    (type === 'always_allow' &&
      typeof actionId === 'string' &&
      (message as { scope: unknown }).scope === 'exact' &&
      (message as { keep: unknown }).keep === 'session') ||
    (type === 'open_link' && typeof url === 'string') ||
    (type === 'ready' && (message as { cursor: unknown }).cursor === 0)
  );
}
