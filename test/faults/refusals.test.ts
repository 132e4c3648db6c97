import { strict as assert } from 'node:assert';
import { modelFor } from '../../src/adapters/models/models';
import { chatModel } from '../../src/adapters/models/chat/chatModel';
import { statusOf } from '../../src/core/log/status';
import { failure, htmlPage, raw, reply, startModelServer, toolCall, type Answer } from '../support/modelServer';
import { ensureBuilt, onMachine } from '../cli/support/commandLine';
import { World } from '../conformance/support/world';
import { canary, until, withSession, withWaitingSession, type Session } from './support/session';

const look = toolCall('list_files', {});
const slowDown = (headers: Record<string, string> = {}, words = 'Rate limit reached'): Answer =>
  failure(429, words, headers);
const texts = ({ of }: Session): string[] => of('agent_response').map(({ text }) => text);

describe('fault 01: 429 with Retry-After', () => {
  it('is waited out for as long as the server says, and the wait is shown', () =>
    withSession([look, slowDown({ 'retry-after': '7' }), reply('Done.')], (session) => {
      assert.deepEqual(session.waits, [7_000]);
      const [scheduled] = session.of('retry_scheduled');
      assert.deepEqual([scheduled?.attempt, scheduled?.delayMs], [1, 7_000]);
      assert.match(scheduled!.why, /^The rate limit is reached\. .* answered 429: Rate limit reached/);
      assert.deepEqual(texts(session), ['', 'Done.']);
    }));

  it('for more than a minute is waited out too, and the wait is named', () =>
    withSession([slowDown({ 'retry-after': '300' }), reply('Done.')], (session) => {
      assert.deepEqual(session.waits, [300_000]);
      assert.match(session.of('retry_scheduled')[0]!.why, /It asks to wait 5 minutes\./);
    }));

  it('for hours ends the run with a message instead', () =>
    withSession([slowDown({ 'retry-after': '7200' })], (session) => {
      assert.deepEqual(session.waits, []);
      assert.match(session.problem().why, /It asks to wait 2 hours\./);
      assert.match(session.problem().next, /Try again after that time/);
    }));

  it('can be cancelled at once during the wait', () =>
    withWaitingSession(
      [slowDown({ 'retry-after': '600' })],
      async (session) => {
        const { conversation, of } = session;
        conversation.wake();
        await until('the wait', () => of('retry_scheduled').length === 1);
        await conversation.interrupt();
        assert.deepEqual([statusOf(conversation.history), session.server.requests.length], ['paused', 1]);
      },
      {
        retry: {
          sleep: (_ms, signal) =>
            new Promise((_resolve, reject) =>
              signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
            ),
        },
      },
    ));

  it('is waited out by modelFor in real time', async () => {
    const world = new World();
    const server = await startModelServer([slowDown({ 'retry-after-ms': '300' }), reply('Done.')]);
    world.after(() => server.stop());
    const run = await world.begin({
      profile: 'waymark',
      model: await modelFor({ provider: 'openai', baseUrl: server.baseUrl, name: 'test-model', apiKey: canary }),
    });
    await run.go().finally(() => world.end());
    assert.deepEqual(
      run.conversation.history.slice(-2).map(({ type }) => type),
      ['retry_scheduled', 'agent_response'],
    );
  });
});

describe('fault 02: a wait time in another format', () => {
  const forms: [string, () => Record<string, string>, string, (ms: number) => boolean][] = [
    [
      'an HTTP date to come',
      () => ({ 'retry-after': new Date(Date.now() + 600_000).toUTCString() }),
      '',
      (ms) => ms > 60_000 && ms <= 600_000,
    ],
    [
      'an HTTP date that has passed',
      () => ({ 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }),
      '',
      (ms) => ms === 100,
    ],
    ['retry-after-ms', () => ({ 'retry-after-ms': '1500' }), '', (ms) => ms === 1_500],
    [
      'x-ratelimit-reset',
      () => ({ 'x-ratelimit-reset-tokens': '6s', 'x-ratelimit-remaining-tokens': '0' }),
      '',
      (ms) => ms === 6_000,
    ],
    ['the words of the error', () => ({}), 'Rate limit reached. Please try again in 2.5s.', (ms) => ms === 2_500],
  ];
  for (const [name, headers, words, isRight] of forms) {
    it(`is understood as ${name}`, () =>
      withSession([slowDown(headers(), words || undefined), reply('Done.')], (session) => {
        assert.ok(session.waits.length === 1 && isRight(session.waits[0]!), session.waits.join());
        assert.deepEqual(texts(session), ['Done.']);
      }));
  }
});

describe('fault 03: repeated 429 without a wait time', () => {
  it('is retried with growing waits, then reported; the run can resume', () =>
    withSession([look, ...Array.from({ length: 6 }, () => slowDown())], async (session) => {
      assert.deepEqual(session.waits, [750, 1_500, 3_000, 6_000, 12_000]);
      assert.match(session.problem().why, /Tried 6 times\./);
      session.server.push(reply('Done.'));
      session.conversation.resume();
      await session.conversation.rested();
      assert.deepEqual(texts(session), ['', 'Done.']);
    }));

  it('has random waits, so clients do not all return at once', () =>
    withSession(
      [slowDown(), slowDown(), reply('Done.')],
      (session) => {
        assert.deepEqual(session.waits, [500, 1_000]);
      },
      { retry: { random: () => 0 } },
    ));
});

describe('fault 04: no credit', () => {
  for (const [name, answer] of Object.entries({
    '429 insufficient_quota': failure(429, {
      message: 'You exceeded your current quota, please check your plan and billing details.',
      code: 'insufficient_quota',
    }),
    '402': failure(402, 'Insufficient Balance'),
    '400 for the credit': failure(400, 'Your credit balance is too low to access the API.'),
  })) {
    it(`as ${name} is not retried, and the message mentions billing`, () =>
      withSession([answer], (session) => {
        assert.equal(session.server.requests.length, 1);
        const { what, next, remedy } = session.problem();
        assert.match(what, /credit/);
        assert.match(next, /billing/);
        assert.equal(remedy, 'choose_model');
      }));
  }
});

describe('fault 05: a server that fails once', () => {
  for (const status of [500, 502, 503, 529]) {
    it(`with ${status} is retried with one line in the log`, () =>
      withSession([look, failure(status, 'hiccup'), reply('Done.')], (session) => {
        assert.deepEqual(
          session.conversation.history.slice(-2).map(({ type }) => type),
          ['retry_scheduled', 'agent_response'],
        );
        assert.deepEqual([session.failures.length, session.of('finished').length], [0, 0]);
      }));
  }

  describe('on the command line', () => {
    before(ensureBuilt);
    it('is shown as one line', () =>
      onMachine([failure(503, 'hiccup'), reply('Done.')], async ({ run, events }) => {
        const { code, stdout } = await run('Mend the roof.');
        assert.equal(code, 0);
        assert.match(stdout, /hiccup[\s\S]*Done\./);
        assert.deepEqual(
          events()
            .slice(-3)
            .map(({ type }) => type),
          ['retry_scheduled', 'agent_response', 'finished'],
        );
      }));
  });
});

describe('fault 06: a server that keeps failing', () => {
  const down = (): Answer[] => Array.from({ length: 6 }, () => failure(503, 'down'));

  it('ends the run after six tries; resuming continues the same turn with the same request', () =>
    withSession([look, ...down()], async (session) => {
      const { conversation, server } = session;
      assert.match(session.problem().why, /503: down.*Tried 6 times/);
      assert.equal(statusOf(conversation.history), 'finished');
      const refused = server.requests.at(-1)!.body;
      server.push(toolCall('list_files', {}), reply('Done.'));
      conversation.resume();
      await conversation.rested();
      assert.deepEqual(server.requests[7]!.body, refused);
      assert.deepEqual(texts(session), ['', '', 'Done.']);
    }));

  it('keeps the user’s messages, however often it fails', () =>
    withSession(down(), async (session) => {
      await session.say('And the door.', ...down());
      await session.say('And the window.', reply('All three.'));
      assert.match(
        session.server.requests.at(-1)!.body.messages.at(-1)!.content as string,
        /Mend the roof\.\n\nAnd the door\.\n\nAnd the window\./,
      );
      assert.deepEqual(texts(session), ['All three.']);
    }));

  it('lets another process resume the run', async () => {
    const world = new World();
    try {
      await withSession([look, ...down()], async ({ conversation, server }) => {
        const again = await world.begin({
          profile: 'waymark',
          model: chatModel({ baseUrl: server.baseUrl, name: 'test-model' }),
          saved: structuredClone(conversation.history),
        });
        server.push(reply('Done.'));
        again.conversation.resume();
        await again.conversation.rested();
        assert.equal(again.conversation.history.at(-1)?.type, 'agent_response');
      });
    } finally {
      await world.end();
    }
  });
});

describe('fault 07: a rejected key', () => {
  for (const [name, answer, says] of [
    [
      '401 that echoes it',
      failure(401, { message: `Incorrect API key provided: ${canary}.`, code: 'invalid_api_key' }),
      /did not accept the key/,
    ],
    [
      '401 that echoes it encoded',
      failure(401, `Bad ${encodeURIComponent(canary)} ${Buffer.from(canary).toString('base64')}`, {
        'x-request-id': canary,
      }),
      /did not accept the key/,
    ],
    ['403', failure(403, `Key ${canary} may not use this model`), /not allowed to use the model “test-model”/],
    ['a page that echoes it', htmlPage(`Wrong key ${canary}`, 401), /did not accept the key/],
  ] as const) {
    it(`with ${name} asks for a new key, masks it, and is not retried`, () =>
      withSession([look, answer], (session) => {
        assert.equal(session.server.requests.length, 2);
        const { what, why, next, remedy } = session.problem();
        assert.match(what, says);
        assert.match(next, /Waymark: Set API Key/);
        assert.deepEqual([remedy, why.includes(canary)], ['set_api_key', false]);
      }));
  }

  describe('on the command line', () => {
    before(ensureBuilt);
    it('is neither shown nor stored', () =>
      onMachine([failure(401, `Incorrect API key provided: ${canary}.`)], async ({ start, args, events }) => {
        const { code, stdout, stderr } = await start(args('Mend the roof.', '--api-key-env', 'THE_KEY'), {
          THE_KEY: canary,
        }).ended;
        assert.equal(code, 1);
        assert.match(stdout, /\[key\]/);
        assert.doesNotMatch(stdout + stderr + JSON.stringify(events()), /canary/);
      }));
  });
});

describe('fault 08: 400 for a request', () => {
  it('is not retried, names the request and the reason, and does not break the conversation', () =>
    withSession(
      [look, failure(400, 'messages[3]: something is wrong', { 'x-request-id': 'req_77' })],
      async (session) => {
        assert.equal(session.server.requests.length, 2);
        assert.match(session.problem().why, /messages\[3\]: something is wrong.*req_77/);
        assert.match(session.problem().next, /with the request number/);
        await session.say('Go another way.', toolCall('list_files', {}), reply('Done.'));
        assert.deepEqual(texts(session), ['', '', 'Done.']);
      },
    ));

  it('does not ask for a request number that the server did not send', () =>
    withSession([failure(400, 'something is wrong')], (session) =>
      assert.doesNotMatch(session.problem().next, /request number/),
    ));

  const poisons: [string, Answer][] = [
    ['a tool whose name no provider takes', toolCall('functions.read file!', { path: 'a' })],
    ['a tool without a name', toolCall('', { path: 'a' })],
    ['a tool with an endless name', toolCall('read_file'.repeat(20), { path: 'a' })],
    ['no arguments at all', toolCall('list_files', '')],
    ['arguments that are a list', toolCall('read_file', [1])],
    ['arguments that are null', toolCall('read_file', 'null')],
    ['arguments that are no JSON', toolCall('read_file', '{"path": a}')],
    ['half a character', toolCall('read_file', '{"path": "\uD83D"}', { text: 'Half \uDE00.' })],
  ];
  for (const [name, answer] of poisons) {
    it(`is not caused by ${name} in an earlier reply`, () =>
      withSession(
        [answer, reply('Done.')],
        (session) => {
          assert.deepEqual(texts(session).at(-1), 'Done.');
          assert.equal(session.of('finished').length, 0);
        },
        { files: { a: 'hello' } },
      ));
  }
});

describe('fault 09: 404 for a model', () => {
  for (const [name, answer] of Object.entries({
    '404': failure(404, 'The model `test-model` does not exist'),
    '400 model_not_found': failure(400, { message: 'The model does not exist', code: 'model_not_found' }),
    'a bare 404': raw('', { status: 404, type: 'text/plain' }),
  })) {
    it(`as ${name} names the model and offers the model list`, () =>
      withSession([answer], (session) => {
        const { what, remedy } = session.problem();
        assert.match(what, /“test-model” was not found/);
        assert.deepEqual([remedy, session.server.requests.length], ['choose_model', 1]);
      }));
  }
});
