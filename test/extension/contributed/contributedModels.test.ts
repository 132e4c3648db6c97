import { strict as assert } from 'node:assert';
import type { Model as GivenModel, ModelRequest } from '../../../api/waymark';
import { contributedModels, settingFor } from '../../../src/extension/contributed/contributedModels';
import { modelFor } from '../../../src/adapters/models/models';
import { ModelProblem, type ChatMessage, type ReplyDelta } from '../../../src/core/ports/model';

const by = { id: 'a.models', name: 'Models' };
const contribution = (thing: Partial<GivenModel>) => ({
  by,
  value: { id: 'echo', name: 'Echo', complete: async () => ({ text: 'yes' }), ...thing },
});
const model = (thing: Partial<GivenModel>) =>
  contributedModels({ all: [contribution(thing)] }).createModel({ provider: 'extension', name: 'a.models/echo' });
/** Tools include their implementation. */
const tools = [{ name: 'look', description: 'Looks.', parameters: { type: 'object' }, bind: () => undefined }];
const request = (messages: ChatMessage[] = [{ role: 'user', content: 'Go.' }]) => ({ messages, tools });
const never = new AbortController().signal;

describe('a model of another extension', () => {
  it('is named after its extension', async () => {
    assert.equal(settingFor(contribution({})), 'a.models/echo');
    assert.deepEqual((await model({ contextWindow: 9000 })).info, {
      name: 'Echo',
      provider: 'the extension Models (a.models)',
      contextWindow: 9000,
    });
  });

  it('receives the chat as plain messages and returns text, tool calls and usage', async () => {
    let asked: ModelRequest | undefined;
    const chat: ChatMessage[] = [
      { role: 'system', content: 'You are.' },
      { role: 'user', content: 'See this.', images: [{ mediaType: 'image/png', data: 'AAAA' }] },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{"at":"it"}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'seen' },
    ];
    const reply = await (
      await model({
        complete: async (given) => {
          asked = given;
          return {
            text: 'Now.',
            toolCalls: [{ id: 'c2', name: 'look', arguments: '{}' }],
            usage: { inputTokens: 12, cost: 0.5 },
          };
        },
      })
    ).complete(request(chat), never);
    assert.deepEqual(asked!.messages, [
      { role: 'system', content: 'You are.' },
      { role: 'user', content: 'See this.\n\n[An image (image/png) was omitted: this model cannot read images.]' },
      { role: 'assistant', content: '', toolCalls: [{ id: 'c1', name: 'look', arguments: '{"at":"it"}' }] },
      { role: 'tool', toolCallId: 'c1', content: 'seen' },
    ]);
    assert.deepEqual(
      asked!.tools.map(({ name }) => name),
      ['look'],
    );
    assert.deepEqual(
      { calls: reply.toolCalls, usage: reply.usage, finishReason: reply.finishReason },
      {
        calls: [{ id: 'c2', type: 'function', function: { name: 'look', arguments: '{}' } }],
        usage: { inputTokens: 12, outputTokens: null, cachedTokens: null, cost: 0.5 },
        finishReason: 'tool_calls',
      },
    );
  });

  it('streams its text', async () => {
    const deltas: ReplyDelta[] = [];
    await (
      await model({
        complete: async ({ onText }) => {
          onText('ye');
          onText('s');
          return { text: 'yes' };
        },
      })
    ).complete({ ...request(), onDelta: (delta) => deltas.push(delta) }, never);
    assert.deepEqual(deltas, [
      { kind: 'text', text: 'ye' },
      { kind: 'text', text: 's' },
    ]);
  });

  it('reports a clear problem if it fails or returns an invalid answer', async () => {
    const failing = await model({
      complete: async () => {
        throw new Error('The line is dead.');
      },
    });
    await assert.rejects(
      failing.complete(request(), never),
      (error: ModelProblem) =>
        error.kind === 'server' && error.what === 'Echo did not answer.' && error.why === 'The line is dead.',
    );
    for (const nonsense of [undefined, 'yes', { text: 7 }, { text: '', toolCalls: [{ name: 'look', arguments: {} }] }])
      await assert.rejects(
        (await model({ complete: async () => nonsense as never })).complete(request(), never),
        ModelProblem,
      );
  });

  it('does not delay a stop if it ignores the signal', async () => {
    const stop = new AbortController();
    const asking = (await model({ complete: () => new Promise(() => undefined) })).complete(request(), stop.signal);
    stop.abort(new Error('Stopped.'));
    await assert.rejects(asking, /Stopped\./);
  });

  it('reports that its extension does not currently offer it', async () => {
    await assert.rejects(
      modelFor({ provider: 'extension', name: 'a.models/echo' }, [contributedModels({ all: [] })]),
      /No extension provides the model a\.models\/echo\..*Enable it, or choose another model/,
    );
  });
});
