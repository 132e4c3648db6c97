import { strict as assert } from 'node:assert';
import type { Delta } from '../../src/protocol/panel/panel';
import {
  brokenAfter,
  chunksOf,
  htmlPage,
  inPieces,
  raw,
  reply,
  stream,
  toolCall,
  withComments,
  withCrlf,
  withDataLines,
  type Answer,
} from '../support/modelServer';
import { withSession, type Session, lastText } from './support/session';

const lengthOf = ({ body }: Answer): number => Buffer.byteLength(body);
/** Splits many turns among several sessions, because each turn of a session makes its requests longer. */
const chunks = <Item>(items: readonly Item[], size = 20): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));
/**
 * Every nth byte and the last 40, because each costs a turn of a session. `adapters/models/chat/stream.test.ts` breaks
 * streams without one.
 */
const places = (of: Answer, every: number): number[] =>
  Array.from({ length: lengthOf(of) }, (_, place) => place).filter(
    (place) => place % every === 0 || place >= lengthOf(of) - 40,
  );
const unlimited = { limits: { steps: 0, cost: 0, seconds: 0 } };

/** The part of a reply shown to the user while it is streaming. */
function shown(deltas: readonly Delta[]): string {
  return deltas.reduce((text, delta) => {
    if (delta.kind === 'discard') return '';
    return delta.kind === 'text' ? text + delta.text : text;
  }, '');
}

describe('fault 17: a connection that breaks inside a text', () => {
  const whole = reply('Mended it — ja.', { usage: null });
  it('after any byte is retried, and the text appears once', async () => {
    for (const some of chunks(places(whole, 3))) {
      await withSession(
        [reply('Hello.')],
        async (session) => {
          for (const place of some) {
            const [events, deltas] = [session.conversation.history.length, session.deltas.length];
            await session.say('Again.', brokenAfter(whole, place), whole);
            const added = session.conversation.history.slice(events);
            assert.deepEqual(
              added.map(({ type }) => type),
              ['user_message', 'retry_scheduled', 'agent_response'],
              `byte ${place}`,
            );
            assert.equal(lastText(session), 'Mended it — ja.');
            assert.equal(shown(session.deltas.slice(deltas)), 'Mended it — ja.', `byte ${place}`);
          }
        },
        unlimited,
      );
    }
  }).timeout(120_000);

  it('permanently keeps the text received so far as interrupted', () =>
    withSession(
      [brokenAfter(whole, lengthOf(whole) - 20)],
      (session) => {
        assert.deepEqual(
          session.of('agent_response').map(({ text, finishReason }) => [text, finishReason]),
          [['Mended it — ja.', 'interrupted']],
        );
        assert.match(session.problem().what, /cut off/);
      },
      { retry: { maxAttempts: 1 } },
    ));
});

describe('fault 18: a connection that breaks inside a call', () => {
  const call = toolCall('run_command', { command: 'echo ran >> ran' }, { usage: null });
  it('after any byte does not run it; after a retry, it runs once', async () => {
    for (const some of chunks(places(call, 4))) {
      await withSession(
        [reply('Hello.')],
        async (session) => {
          for (const [index, place] of some.entries()) {
            await session.say(
              'Again.',
              brokenAfter(call, place),
              { ...call, body: call.body.toString().replaceAll(/call_\d+/g, `again_${place}`) },
              reply('Done.'),
            );
            assert.equal(session.of('observation').length, index + 1, `byte ${place}`);
          }
          assert.equal(session.workspace.bytes('ran')?.toString(), 'ran\n'.repeat(some.length));
        },
        { ...unlimited, changes: { stuck: null } },
      );
    }
  }).timeout(120_000);

  it('permanently runs nothing', () =>
    withSession(
      [brokenAfter(call, lengthOf(call) - 30)],
      (session) => {
        assert.deepEqual([session.of('observation').length, session.workspace.bytes('ran')], [0, undefined]);
        assert.match(session.problem().next, /None of it was run/);
      },
      { retry: { maxAttempts: 1 } },
    ));
});

describe('fault 19: a stream without an end marker', () => {
  const open: [string, Answer][] = [
    [
      'a call without a finish reason and [DONE]',
      toolCall('run_command', { command: 'touch ran' }, { finish: null, done: false }),
    ],
    ['a call with [DONE] but no finish reason', toolCall('run_command', { command: 'touch ran' }, { finish: null })],
    ['a text without a finish reason and [DONE]', reply('Half a', { finish: null, done: false })],
    ['nothing', raw('')],
    ['an error as its finish reason', toolCall('run_command', { command: 'touch ran' }, { finish: 'error' })],
  ];
  for (const [name, answer] of open) {
    it(`with ${name} counts as cut off and is retried`, () =>
      withSession([answer, reply('Done.')], (session) => {
        assert.deepEqual(
          session.of('agent_response').map(({ text }) => text),
          ['Done.'],
        );
        assert.match(session.of('retry_scheduled')[0]!.why, /cut off/);
        assert.equal(session.workspace.bytes('ran'), undefined);
      }));
  }
});

describe('fault 20: a stream in odd pieces', () => {
  const call = (id: string): Answer => {
    const whole = stream([
      ...chunksOf({ text: 'Grüße 🎉', calls: [{ tool: 'read_file', input: { path: 'ä.txt' }, id }], usage: null }),
      '[DONE]',
    ]);
    return { ...whole, body: whole.body.toString() };
  };
  const meaning = ({ conversation }: Session, from: number): unknown =>
    conversation.history.slice(from).flatMap((event) => {
      if (event.type === 'agent_response')
        return [[event.text, event.finishReason, event.actions.map(({ tool, input }) => [tool, input])]];
      return event.type === 'observation' ? [[event.outcome, event.content]] : [];
    });
  const same = async (shapes: readonly ((of: Answer) => Answer)[]): Promise<void> => {
    for (const some of chunks(shapes)) {
      await withSession(
        [reply('Hello.')],
        async (session) => {
          await session.say('Plainly.', call('plain'), reply('Fertig 🎉.'));
          const plain = meaning(session, 2);
          for (const [index, shape] of some.entries()) {
            const from = session.conversation.history.length;
            await session.say('Again.', shape(call(`call_${index}`)), shape(reply('Fertig 🎉.')));
            assert.deepEqual(meaning(session, from), plain);
          }
        },
        { ...unlimited, files: { 'ä.txt': 'ö\n' }, changes: { stuck: null } },
      );
    }
  };

  it('means the same split at any byte', () =>
    same(places(call('x'), 5).map((place) => (of) => inPieces(of, place + 1)))).timeout(120_000);
  it('means the same with CRLF, comments or data lines, in pieces of one to twelve bytes', () =>
    same(
      [withCrlf, withComments, withDataLines].flatMap((shape) =>
        Array.from({ length: 12 }, (_, index) => (of: Answer) => inPieces(shape(of), index + 1)),
      ),
    )).timeout(120_000);
});

describe('fault 21: a stream that is not JSON', () => {
  const [first, ...rest] = chunksOf({ text: 'Hello.' });
  const broken = stream([first!, '{"choices": [', ...rest, '[DONE]']);

  it('once is retried', () =>
    withSession([broken, reply('Done.')], (session) => {
      assert.deepEqual(
        session.of('agent_response').map(({ text }) => text),
        ['Done.'],
      );
      assert.match(session.of('retry_scheduled')[0]!.why, /not valid JSON/);
    }));

  it('every time ends the run with a message', () =>
    withSession(
      Array.from({ length: 6 }, () => broken),
      (session) => {
        assert.match(session.problem().what, /could not be read/);
      },
    ));
});

describe('fault 22: a web page instead of a reply', () => {
  it('says what the page is and keeps its beginning for the output channel', () =>
    withSession(
      [htmlPage('Welcome to the hotel'), htmlPage('Welcome to the hotel')],
      (session) => {
        const { why, next } = session.problem();
        assert.match(why, /Welcome to the hotel/);
        assert.match(next, /base URL.*sign-in page/);
        assert.match(String((session.failures[0] as Error).cause), /It begins: <!DOCTYPE html><html><head>/);
      },
      { retry: { maxAttempts: 2 } },
    ));

  it('that is gone on the next try has no effect', () =>
    withSession([htmlPage('Welcome to the hotel'), reply('Done.')], (session) =>
      assert.equal(lastText(session), 'Done.'),
    ));
});

describe('an endless stream without content', () => {
  const megabytes = 40;
  const once = { retry: { maxAttempts: 1 } };

  it('of one line is cut off', () =>
    withSession(
      [raw(`data: ${'x'.repeat(megabytes * 1024 * 1024)}`)],
      (session) => {
        assert.match(session.problem().why, /sent 16 MB without completing a piece of the reply/);
      },
      once,
    )).timeout(60_000);

  it('of comments is cut off', () =>
    withSession(
      [raw(': still here\n\n'.repeat((megabytes * 1024 * 1024) / 14))],
      (session) => {
        assert.match(session.problem().why, /sent 16 MB without completing a piece of the reply/);
      },
      once,
    )).timeout(60_000);

  it('of white space is cut off', () =>
    withSession(
      [raw('\n'.repeat(megabytes * 1024 * 1024))],
      (session) => {
        assert.match(session.problem().why, /sent 16 MB without completing a piece of the reply/);
      },
      once,
    )).timeout(60_000);

  it('of occasional comments times out', () =>
    withSession(
      [{ ...raw(': still here\n\n'.repeat(200)), pieceBytes: 14, pauseMs: 50 }],
      (session) => {
        assert.match(
          session.problem().why,
          /kept the connection open for \d+ seconds without sending any of the reply/,
        );
      },
      { ...once, model: { idleTimeoutMs: 300 } },
    )).timeout(60_000);

  for (const [what, chunk] of [
    ['without anything', {}],
    ['without words', { choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] }],
    ['with counts alone', { choices: [], usage: { prompt_tokens: 3, completion_tokens: 0, total_tokens: 3 } }],
  ] as const) {
    it(`of chunks ${what} times out`, () => {
      const line = `data: ${JSON.stringify(chunk)}\n\n`;
      return withSession(
        [{ ...raw(line.repeat(200)), pieceBytes: line.length, pauseMs: 50 }],
        (session) => {
          assert.match(
            session.problem().why,
            /kept the connection open for \d+ seconds without sending any of the reply/,
          );
        },
        { ...once, model: { idleTimeoutMs: 300 } },
      );
    }).timeout(60_000);
  }

  it('may take any time while pieces of a reply arrive', async () => {
    const long = reply('word '.repeat(400));
    const talking = {
      ...long,
      body: String(long.body).replaceAll('data: ', ': still here\n\ndata: '),
      pieceBytes: 400,
      pauseMs: 5,
    };
    await withSession([talking], (session) => assert.equal(lastText(session), 'word '.repeat(400)), {
      ...once,
      model: { idleTimeoutMs: 500 },
    });
  }).timeout(60_000);
});
