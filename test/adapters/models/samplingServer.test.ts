import assert from 'node:assert/strict';
import { chatModel } from '../../../src/adapters/models/chat/chatModel';
import type { Settings } from '../../core/model/sampling/samplingStory';
import { sample } from '../../core/model/sampling/samplingStory';
import { withResponses } from '../../support/ask';
import {
  failure,
  reply,
  response,
  startModelServer,
  stream,
  toolCall,
  type Answering,
} from '../../support/modelServer';

/** Requests candidates from a real server. */
async function sampled(answers: readonly Answering[] | (() => ReturnType<typeof reply>), wanted: Settings) {
  const server = await startModelServer(answers);
  try {
    const model = chatModel({
      baseUrl: server.baseUrl,
      name: 'test-model',
      prices: { 'test-model': { input: 1_000_000, output: 1_000_000 } },
    });
    return { reply: await sample(model, wanted).result, bodies: server.requests.map(({ body }) => body) };
  } finally {
    await server.stop();
  }
}

const choice = (index: number, delta: object, finish: string | null = null): object => ({
  choices: [{ index, delta, finish_reason: finish }],
});

describe('candidates from a server', () => {
  it('use the configured parameters with the Responses API too', () =>
    withResponses([response('one'), response('two')], async (model, server) => {
      const got = await sample(model, { candidates: 2, parameters: { temperature: 1 } }).result;
      assert.deepEqual(
        [server.requests.map(({ body }) => body.temperature), got.sampling!.candidates.map(({ text }) => text).sort()],
        [
          [1, 1],
          ['one', 'two'],
        ],
      );
    }));

  it('are requested in parallel, each with the configured parameters', async () => {
    const { reply: got, bodies } = await sampled([reply('one'), toolCall('look', { name: 'a' }), failure(400, 'no')], {
      candidates: 3,
      parameters: { temperature: 1 },
    });
    assert.deepEqual(
      bodies.map(({ temperature, n }) => [temperature, n]),
      [
        [1, undefined],
        [1, undefined],
        [1, undefined],
      ],
    );
    assert.deepEqual(got.sampling!.candidates.map(({ text }) => text).sort(), ['', 'one']);
    assert.deepEqual([got.toolCalls.length, got.usage.cost], [1, 30]);
    assert.match(got.sampling!.reason, /1 of 3 candidates failed/);
  });

  it('come in one response if the server supports it, and its tokens count once', async () => {
    const { reply: got, bodies } = await sampled(
      [
        stream([
          choice(0, { content: 'one' }),
          choice(1, { content: 'two' }),
          choice(0, {}, 'stop'),
          choice(1, {}, 'stop'),
          { choices: [], usage: { prompt_tokens: 10, completion_tokens: 30 } },
          '[DONE]',
        ]),
      ],
      { candidates: 2, useN: true },
    );
    assert.deepEqual(
      bodies.map(({ n }) => n),
      [2],
    );
    assert.deepEqual(
      [got.sampling!.candidates.map(({ text }) => text), got.usage.inputTokens, got.usage.cost, got.sampling!.untold],
      [['one', 'two'], 10, 40, undefined],
    );
  });

  it('are requested one by one if the server refuses several', async () => {
    const { reply: got, bodies } = await sampled(
      [failure(400, 'Unsupported parameter: n'), reply('one'), reply('two'), reply('three')],
      { candidates: 2, useN: true },
    );
    assert.deepEqual([bodies[0]!.n, bodies.slice(1).every(({ n }) => n === undefined)], [2, true]);
    assert.equal(got.sampling!.candidates.length, 2);
  });
});
