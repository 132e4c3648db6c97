import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import type { ReplyDelta } from '../../../../src/core/ports/model';
import { ask, problemFrom, question, withServer } from '../../../support/ask';
import { reply, silence, stallAfter, toolCall } from '../../../support/modelServer';

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
};

describe('a stopped request', () => {
  const stages = {
    'before an answer comes': silence,
    'in the middle of the body': stallAfter(reply('a fairly long reply that will stall'), 400),
    'between the pieces of a body': { ...reply('word '.repeat(500)), pieceBytes: 100, pauseMs: 20 },
  };
  for (const [stage, answer] of Object.entries(stages)) {
    it(`${stage} rejects with the signal’s reason and closes the socket`, () =>
      withServer([answer], async (model, server) => {
        const controller = new AbortController();
        const deltas: ReplyDelta[] = [];
        const asked = model.complete(
          { messages: question, tools: [], onDelta: (delta) => deltas.push(delta) },
          controller.signal,
        );
        await until(() => server.requests.length === 1 && (answer === silence || deltas.length > 0));
        const reason = new Error('the person pressed stop');
        controller.abort(reason);
        await assert.rejects(asked, (error) => error === reason);
        assert.equal(await server.requests[0]!.outcome, 'aborted');
      }));
  }

  it('leaves no listener on the signal, so one signal serves a long run', () =>
    withServer(
      Array.from({ length: 15 }, () => reply('x')),
      async (model) => {
        const controller = new AbortController();
        const warnings: string[] = [];
        const warn = ({ name }: Error): void => void warnings.push(name);
        process.on('warning', warn);
        for (let round = 0; round < 15; round++) await ask(model, {}, controller.signal);
        await new Promise((resolve) => setImmediate(resolve));
        process.off('warning', warn);
        assert.deepEqual(warnings, []);
        assert.equal(getEventListeners(controller.signal, 'abort').length, 0);
      },
    ));

  it('with a reason that is no error rejects with exactly that reason', () =>
    withServer([silence], async (model) => {
      const controller = new AbortController();
      setTimeout(() => controller.abort('enough'), 20);
      await assert.rejects(ask(model, {}, controller.signal), (error) => (error as unknown) === 'enough');
    }));
});

describe('a server that falls silent', () => {
  const stages = {
    'before its answer': silence,
    'after the head': stallAfter(reply('x'), 0),
    'in the middle of a text': stallAfter(reply('some text'), 300),
    'in the middle of a call': stallAfter(toolCall('rm', { path: '/' }), 420),
  };
  for (const [stage, answer] of Object.entries(stages)) {
    it(`${stage} ends the request as stalled and says for how long`, () =>
      withServer(
        [answer],
        async (model, server) => {
          const problem = await problemFrom(ask(model));
          assert.equal(problem.kind, 'stalled');
          assert.match(problem.message, /0\.2 seconds/);
          assert.equal(await server.requests[0]!.outcome, 'aborted');
        },
        { idleTimeoutMs: 200 },
      ));
  }

  it('in an error body counts as stalled too', () =>
    withServer(
      [{ ...stallAfter(reply('x'), 10), status: 500 }],
      async (model) => {
        assert.equal((await problemFrom(ask(model))).kind, 'stalled');
      },
      { idleTimeoutMs: 200 },
    ));

  it('does not time out while pieces keep arriving, however long the reply takes', () =>
    withServer(
      [
        {
          ...reply('one two three four five six seven', { reasoning: 'long thought, slowly' }),
          pieceBytes: 120,
          pauseMs: 40,
        },
      ],
      async (model) => {
        assert.equal((await ask(model)).reply.text, 'one two three four five six seven');
      },
      { idleTimeoutMs: 400 },
    ));

  it('gets a new timeout after the response headers', () =>
    withServer(
      [{ ...reply('late'), delayMs: 600, bodyDelayMs: 600 }],
      async (model) => {
        assert.equal((await ask(model)).reply.text, 'late');
      },
      { idleTimeoutMs: 1_000 },
    ));

  it('has no timeout if it is set to 0', () =>
    withServer(
      [{ ...reply('late'), delayMs: 300 }],
      async (model) => {
        assert.equal((await ask(model)).reply.text, 'late');
      },
      { idleTimeoutMs: 0 },
    ));
});
