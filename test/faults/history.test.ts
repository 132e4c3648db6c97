import { strict as assert } from 'node:assert';
import { responsesModel } from '../../src/adapters/models/responses/responsesModel';
import { pendingActions } from '../../src/core/log/openActions';
import { statusOf } from '../../src/core/log/status';
import { sessionSpending } from '../../src/core/log/spending';
import { chatModel } from '../../src/adapters/models/chat/chatModel';
import { profiles } from '../../src/core/profiles/profiles';
import { ensureBuilt, onMachine } from '../cli/support/commandLine';
import { World } from '../conformance/support/world';
import {
  failure,
  reply,
  response,
  responseCalls,
  silence,
  stallAfter,
  startModelServer,
  toolCall,
  toolCalls,
  type Answer,
} from '../support/modelServer';
import { refusal } from '../support/strict/strictChat';
import { responsesRefusal } from '../support/strict/strictResponses';
import { until, withSession, withWaitingSession, type Session, lastText } from './support/session';
import { uncounted } from '../support/newEvents';

const done = reply('Done.');
const look = (path: string): Answer => toolCall('read_file', { path }, { usage: null });
const files = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`${index}.txt`, `content ${index}\n`]));
const looks = (count: number): Answer[] => Array.from({ length: count }, (_, index) => look(`${index}.txt`));
const roles = ({ server }: Session): string =>
  server.requests
    .at(-1)!
    .body.messages.map(({ role }) => role as string)
    .join(' ');

/** True if the model began to answer. */
const hasWords = ({ deltas }: Session): boolean => deltas.some(({ kind }) => kind !== 'reading');

describe('fault 33: a provider that enforces the order of roles', () => {
  it('accepts messages sent before, during and after the model’s work', () =>
    withWaitingSession(
      [stallAfter(reply('Half of a word'), 500), look('0.txt'), done],
      async (session) => {
        const { conversation, server } = session;
        conversation.say('First the tiles.');
        conversation.say('Then the gutter.');
        conversation.wake();
        await until('the first words', () => hasWords(session));
        conversation.say('And be quick.');
        await conversation.interrupt();
        conversation.say('Now go on.');
        conversation.say('Please.');
        await conversation.rested();
        assert.equal(roles(session), 'system user assistant user assistant tool');
        assert.match(
          String(server.requests[1]!.body.messages.at(-1)!.content),
          /And be quick\.\n\nNow go on\.\n\nPlease\./,
        );
      },
      { files },
    ));

  it('accepts messages sent while tools ran', () =>
    withWaitingSession(
      [
        toolCalls([
          { tool: 'run_command', input: { command: 'sleep 0.3' } },
          { tool: 'read_file', input: { path: '0.txt' } },
        ]),
        done,
      ],
      async (session) => {
        const { conversation } = session;
        conversation.wake();
        await until('the command', () => session.of('action_started').length > 0);
        conversation.say('Mind the cat.');
        conversation.say('And the dog.', { delivery: 'steer' });
        await conversation.rested();
        assert.equal(roles(session), 'system user assistant tool tool user');
      },
      { files },
    ));

  it('accepts a chat after empty, truncated, declined or unreadable replies', () =>
    withSession(
      [
        reply(''),
        toolCall('read_file', 'nothing'),
        reply('Half', { finish: 'length' }),
        reply('', { finish: 'length' }),
        toolCall('nope', 'nothing'),
        reply('', { reasoning: 'Hm.' }),
        toolCall('nope', '[]'),
        reply('', { finish: 'content_filter' }),
      ],
      (session) => assert.match(session.problem().what, /declined/),
    ));

  it('accepts every prefix of a log as after a crash, and no started action runs again', async () => {
    await withSession(
      [
        toolCalls([
          { tool: 'read_file', input: { path: '0.txt' } },
          { tool: 'read_file', input: { path: '1.txt' } },
          { tool: 'run_command', input: { command: 'echo ran >> ran' } },
        ]),
        reply(''),
        toolCall('nope', '{'),
        failure(500),
        done,
      ],
      async ({ conversation: { history } }) => {
        const world = new World();
        try {
          for (let length = 1; length <= history.length; length++) {
            const server = await startModelServer([done, done, done]);
            world.after(() => server.stop());
            const saved = structuredClone(history.slice(0, length));
            const begun = saved.some(
              (event) =>
                event.type === 'action_started' &&
                saved.some(
                  (reply) =>
                    reply.type === 'agent_response' &&
                    reply.actions.some(({ id, tool }) => tool === 'run_command' && id === event.actionId),
                ),
            );
            const { conversation, workspace } = await world.begin({
              profile: 'waymark',
              model: chatModel({ baseUrl: server.baseUrl, name: 'test-model' }),
              saved,
            });
            conversation.wake();
            await conversation.rested();
            conversation.say('Go on.');
            await conversation.rested();
            assert.equal(
              statusOf(conversation.history),
              'idle',
              `prefix ${length}: ${JSON.stringify(conversation.history.at(-1))}`,
            );
            for (const { body } of server.requests)
              assert.equal(refusal(body, server.takes), undefined, `prefix ${length}`);
            if (begun) assert.equal(workspace.bytes('ran'), undefined, `prefix ${length} ran again what had begun`);
          }
        } finally {
          await world.end();
        }
      },
      { files },
    );
  }).timeout(60_000);

  for (const { name, ownMessages } of profiles) {
    it(`accepts the chat of the profile ${name} after bad replies, a stop and more messages`, () =>
      withSession(
        [reply('No action here.'), toolCall('nope', { a: 1 }), reply(''), stallAfter(reply('Half a thought'), 500)],
        async (session) => {
          await session.say(
            'Something else.',
            reply('Words.'),
            toolCall('bash', { command: 'true' }),
            reply(''),
            reply('Words.'),
          );
          await session.conversation.stop();
          assert.ok(session.server.requests.length >= 2);
        },
        {
          profile: name,
          model: { idleTimeoutMs: 300 },
          retry: { maxAttempts: 1 },
          ends: true,
          // A server that rejects consecutive messages of one role does so once; then they are merged.
          lessons: ownMessages ? 1 : 0,
        },
      ));
  }

  it('accepts the same over the Responses API', async () => {
    const world = new World();
    const server = await startModelServer([
      responseCalls(
        [
          { tool: 'read_file', input: { path: '0.txt' } },
          { tool: 'nope a!', input: '' },
        ],
        { reasoning: 'Hm.' },
      ),
      response(''),
      failure(500),
      response('Done.'),
      response('Still here.'),
    ]);
    world.after(() => server.stop());
    try {
      const { conversation, workspace } = await world.begin({
        profile: 'waymark',
        model: responsesModel({ baseUrl: server.baseUrl, name: 'test-model' }),
      });
      workspace.place('0.txt', 'hello');
      conversation.wake();
      await conversation.rested();
      conversation.resume();
      await conversation.rested();
      conversation.say('And?');
      await conversation.rested();
      assert.equal(conversation.history.findLast((event) => event.type === 'agent_response')?.text, 'Still here.');
      for (const { body } of server.requests) assert.equal(responsesRefusal(body), undefined);
    } finally {
      await world.end();
    }
  });
});

describe('fault 34: a stop at any stage', () => {
  const isAlive = (pid: number): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  const risky = toolCall('run_command', { command: 'sudo touch /etc/roof' });
  const stages: [string, Answer[], (session: Session) => boolean, object?][] = [
    ['before the first byte', [silence], ({ server }) => server.requests.length === 1],
    ['in the stream of a text', [stallAfter(reply('The roof is'), 500)], hasWords],
    ['in the stream of a call', [stallAfter(toolCall('run_command', { command: 'touch ran' }), 560)], hasWords],
    [
      'in the wait for another try',
      [failure(429, 'slow', { 'retry-after': '500' })],
      ({ of }) => of('retry_scheduled').length === 1,
    ],
    [
      'in a tool',
      [toolCall('run_command', { command: 'touch began; sleep 600; touch ran' })],
      ({ workspace }) => workspace.bytes('began') !== undefined,
    ],
    [
      'while it waits for consent',
      [risky],
      ({ conversation }) => statusOf(conversation.history) === 'waiting_for_confirmation',
      { mode: 'confirm', confirmation: 'always' },
    ],
    [
      'while it waits for an answer',
      [toolCall('ask_user', { question: 'Which roof?', choices: [] })],
      ({ conversation }) => statusOf(conversation.history) === 'waiting_for_answer',
    ],
    [
      'while a summary is written',
      [...looks(6), failure(413, ''), silence],
      ({ server }) => server.requests.length === 8,
    ],
  ];
  const waiting = {
    sleep: (_ms: number, signal: AbortSignal): Promise<void> =>
      new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
      ),
  };
  for (const [stage, answers, isThere, options = {}] of stages) {
    for (const how of ['interrupt', 'stop'] as const) {
      it(`${stage} ends it at once (${how}) and leaves a complete log`, () =>
        withWaitingSession(
          answers,
          async (session) => {
            const { conversation } = session;
            conversation.wake();
            await until(stage, () => isThere(session));
            await conversation[how]();
            assert.deepEqual(
              [conversation.running, statusOf(conversation.history), pendingActions(conversation.history)],
              [false, how === 'stop' ? 'finished' : 'paused', []],
            );
            assert.equal(session.workspace.bytes('ran'), undefined);
            // A requested condensation happens first.
            if (session.of('condensation_requested').length > 0) session.server.push(reply('Read six files.'));
          },
          { files, retry: waiting, ...options },
        ));
    }
  }

  it('in a tool leaves no process of it, even a detached one', () =>
    withWaitingSession(
      [
        toolCall('run_command', {
          command:
            'sleep 600 & echo $! > pids; setsid sleep 601 & echo $! >> pids; (trap "" INT TERM; sleep 602) & echo $! >> pids; echo >> pids; sleep 603',
        }),
      ],
      async (session) => {
        const { conversation, workspace } = session;
        conversation.wake();
        const pids = (): string[] => workspace.bytes('pids')?.toString().split('\n') ?? [];
        await until('the command', () => pids().length >= 5);
        await conversation.interrupt();
        for (const pid of pids().slice(0, 3)) await until(`the end of process ${pid}`, () => !isAlive(Number(pid)));
      },
    ));

  it('in a write leaves the old file or the new one', async () => {
    const long = 'new\n'.repeat(50_000);
    for (let delay = 0; delay < 12; delay += 2) {
      let stop = (): void => undefined;
      await withWaitingSession(
        [toolCall('write_file', { path: 'new.txt', content: long })],
        async (session) => {
          let stopped: Promise<void> | undefined;
          stop = () =>
            void setTimeout(() => {
              stopped = session.conversation.interrupt();
            }, delay);
          // With the usual few tokens, the server would seem to truncate the long conversation silently.
          session.server.push(reply('Done.', { usage: null }));
          session.conversation.wake();
          await until('the stop', () => stopped !== undefined);
          await stopped;
          await session.conversation.rested();
          const kept = session.workspace.bytes('new.txt')?.toString();
          assert.ok(kept === undefined || kept === long, `${kept?.length} characters`);
          assert.deepEqual(
            session.workspace.names().filter((name) => name !== 'new.txt'),
            [],
            'something is left beside it',
          );
          if (session.server.requests.length === 1) {
            session.conversation.resume();
            await session.conversation.rested();
          }
        },
        {
          listener: {
            onEvent: ({ type }) => {
              if (type === 'action_started') stop();
            },
          },
        },
      );
    }
  });
});

describe('fault 35: a failed condensation', () => {
  const full = 2 + 6 * 2;
  for (const [name, answers] of [
    ['a server that is down', Array.from({ length: 6 }, () => failure(503, 'down'))],
    ['a refused request', Array.from({ length: 7 }, () => failure(400, 'no'))],
    ['an empty summary', Array.from({ length: 7 }, () => reply(''))],
    ['a summary that is cut', Array.from({ length: 7 }, () => reply('Half', { finish: 'length' }))],
  ] as const) {
    it(`by ${name} keeps the whole conversation and can be retried`, () =>
      withSession(
        [...looks(6), done],
        async (session) => {
          const { conversation, server, of } = session;
          server.push(...answers);
          conversation.condense();
          await conversation.rested();
          const [notice] = of('notice');
          assert.match(notice!.text, /could not be condensed, so all of it is kept.*tries again/s);
          assert.equal(statusOf(conversation.history), 'idle');
          await session.say('Go on.', done);
          assert.equal(server.requests.at(-1)!.body.messages.length, full + 2);
          server.push(reply('Read six files.'));
          conversation.condense();
          await conversation.rested();
          assert.match(of('condensation').at(-1)!.summary, /Read six files\./);
        },
        { files },
      ));
  }

  it('of a too long conversation reports both problems, and a later attempt succeeds', () =>
    withSession(
      [...looks(6), failure(413, ''), ...Array.from({ length: 6 }, () => failure(503, 'down')), failure(413, '')],
      async (session) => {
        assert.match(session.problem().what, /longer than the model/);
        assert.match(session.of('notice')[0]!.text, /could not be condensed.*down/s);
        assert.equal(session.server.requests.at(-1)!.body.messages.length, full);
        session.server.push(reply('Read six files.'), done);
        session.conversation.condense();
        session.conversation.resume();
        await session.conversation.rested();
        assert.deepEqual(
          [session.of('condensation').at(-1)?.summary.includes('Read six files.'), lastText(session)],
          [true, 'Done.'],
        );
      },
      { files },
    ));
});

describe('fault 36: missing usage', () => {
  const odd: [string, Record<string, unknown> | null][] = [
    ['altogether', null],
    ['as nothing', {}],
    ['as words', { prompt_tokens: 'many', completion_tokens: 'few' }],
    ['as null', { prompt_tokens: null, completion_tokens: null }],
    ['as less than nothing', { prompt_tokens: -1, completion_tokens: -5 }],
  ];
  for (const [name, usage] of odd) {
    it(`${name} is unknown, not zero and no invalid number`, () =>
      withSession(
        [toolCall('read_file', { path: '0.txt' }, { usage }), reply('Done.', { usage })],
        (session) => {
          for (const event of session.of('agent_response')) assert.deepEqual(event.usage, uncounted);
          const {
            usage: sum,
            uncounted: uncountedCalls,
            unpriced,
            seconds,
            contextTokens,
          } = sessionSpending(session.conversation.history);
          assert.deepEqual(
            [sum.inputTokens, sum.cost, uncountedCalls, unpriced, contextTokens, Number.isFinite(seconds)],
            [null, null, 2, 2, null, true],
          );
        },
        { files },
      ));
  }

  it('in some replies leaves the others counted', () =>
    withSession(
      [toolCall('read_file', { path: '0.txt' }, { usage: null }), done],
      (session) => {
        const { usage, uncounted } = sessionSpending(session.conversation.history);
        assert.deepEqual([usage.inputTokens, usage.outputTokens, usage.cost, uncounted], [10, 5, null, 1]);
      },
      { files, limits: { steps: 0, cost: 0.01, seconds: 0 } },
    ));

  describe('on the command line', () => {
    before(ensureBuilt);
    it('shows no invalid number', () =>
      onMachine([reply('Done.', { usage: null, model: 'nobody-knows' })], async ({ run }) => {
        const { code, stdout, stderr } = await run('Mend the roof.', '--model', 'nobody-knows');
        assert.equal(code, 0);
        assert.doesNotMatch(stdout + stderr, /NaN|null|undefined/);
      }));
  });
});
