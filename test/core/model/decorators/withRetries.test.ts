import assert from 'node:assert/strict';
import {
  ModelProblem,
  type Model,
  type ModelProblemKind,
  type ModelReply,
  type ReplyDelta,
  type Retry,
} from '../../../../src/core/ports/model';
import { withRetries, type RetryOptions } from '../../../../src/core/model/decorators/withRetries';

const fine: ModelReply = {
  text: 'fine',
  toolCalls: [],
  usage: { inputTokens: 1, outputTokens: 1, cachedTokens: null, cost: null },
  finishReason: 'stop',
  model: 'm',
  firstTokenMs: 1,
};
const problem = (kind: ModelProblemKind, retryAfterMs?: number): ModelProblem =>
  new ModelProblem(kind, { what: 'It failed.', why: 'The server said so.', next: 'Continue.', retryAfterMs });

/** A model that ends its calls in these ways, in order, each after streaming `before`. */
function ending(ends: (ModelReply | Error)[], before: ReplyDelta[] = []): { model: Model; asked(): number } {
  let asked = 0;
  return {
    asked: () => asked,
    model: {
      info: { name: 'm', provider: 'test', contextWindow: null },
      async complete(request) {
        const end = ends[asked++];
        for (const delta of before) request.onDelta?.(delta);
        if (!end || end instanceof Error) throw end ?? new Error('asked too often');
        return end;
      },
    },
  };
}

interface Run {
  readonly waits: number[];
  readonly retries: Retry[];
  readonly deltas: ReplyDelta[];
  readonly result: Promise<ModelReply>;
  asked(): number;
}

function run(
  ends: (ModelReply | Error)[],
  options: RetryOptions = {},
  before: ReplyDelta[] = [],
  signal = new AbortController().signal,
): Run {
  const { model, asked } = ending(ends, before);
  const waits: number[] = [];
  const retries: Retry[] = [];
  const deltas: ReplyDelta[] = [];
  const sleep = async (ms: number): Promise<void> => void waits.push(ms);
  const result = withRetries(model, { random: () => 1, sleep, ...options }).complete(
    { messages: [], tools: [], onDelta: (delta) => deltas.push(delta), onRetry: (one) => retries.push(one) },
    signal,
  );
  return { waits, retries, deltas, result, asked };
}

describe('a model with retries', () => {
  for (const kind of ['rate_limit', 'server', 'network', 'stalled', 'cut', 'bad_stream'] as const) {
    it(`asks again after “${kind}” and gives the reply`, async () => {
      const { result, asked } = run([problem(kind), problem(kind), fine]);
      assert.equal(await result, fine);
      assert.equal(asked(), 3);
    });
  }

  for (const kind of [
    'authentication',
    'not_found',
    'invalid_request',
    'quota',
    'context_overflow',
    'script',
  ] as const) {
    it(`asks only once when the problem is “${kind}”`, async () => {
      const thrown = problem(kind);
      const { result, asked, retries } = run([thrown, fine]);
      await assert.rejects(result, (error) => error === thrown);
      assert.deepEqual([asked(), retries.length], [1, 0]);
    });
  }

  it('does not hide an error that is no model’s problem', async () => {
    const bug = new TypeError('a bug');
    await assert.rejects(run([bug, fine]).result, (error) => error === bug);
  });

  it('doubles its waits up to the cap', async () => {
    const { result, waits } = run([...Array.from({ length: 5 }, () => problem('server')), fine], {
      baseMs: 1_000,
      capMs: 6_000,
    });
    await result;
    assert.deepEqual(waits, [1_000, 2_000, 4_000, 6_000, 6_000]);
  });

  it('spreads its waits, so that many windows do not come back at once', async () => {
    const { result, waits } = run([problem('server'), fine], { baseMs: 1_000, random: () => 0 });
    await result;
    assert.deepEqual(waits, [500]);
  });

  it('gives up after its last attempt and says how often it tried', async () => {
    const { result, asked } = run(
      Array.from({ length: 9 }, () => problem('server')),
      { maxAttempts: 4 },
    );
    await assert.rejects(
      result,
      (error) => error instanceof ModelProblem && error.kind === 'server' && /Tried 4 times\./.test(error.message),
    );
    assert.equal(asked(), 4);
  });

  it('waits as long as the server asks, also above its own cap, and then says so', async () => {
    const { result, waits, retries } = run([problem('rate_limit', 7_000), problem('rate_limit', 300_000), fine], {
      capMs: 60_000,
    });
    await result;
    assert.deepEqual(waits, [7_000, 300_000]);
    assert.doesNotMatch(retries[0]!.why, /asks to wait/);
    assert.match(retries[1]!.why, /asks to wait 5 minutes/);
  });

  it('takes a breath when the server names a moment that has passed', async () => {
    const { result, waits } = run([problem('rate_limit', 0), fine]);
    await result;
    assert.ok(waits[0]! > 0 && waits[0]! <= 1_000);
  });

  it('shows the problem instead of waiting for hours', async () => {
    const { result, waits } = run([problem('rate_limit', 10 * 3_600_000), fine]);
    await assert.rejects(result, /asks to wait 10 hours/);
    assert.deepEqual(waits, []);
  });

  it('announces each wait before it', async () => {
    const { result, retries, waits } = run([problem('server'), problem('network'), fine], { baseMs: 10 });
    await result;
    assert.deepEqual(
      retries.map(({ attempt, delayMs }) => [attempt, delayMs]),
      [
        [1, waits[0]],
        [2, waits[1]],
      ],
    );
    assert.match(retries[0]!.why, /It failed\. The server said so\./);
  });

  it('discards what an attempt streamed before it failed', async () => {
    const { result, deltas } = run([problem('cut'), fine], {}, [{ kind: 'text', text: 'half' }]);
    await result;
    assert.deepEqual(
      deltas.map(({ kind }) => kind),
      ['text', 'discard', 'text'],
    );
  });

  it('discards nothing when nothing was streamed, and leaves the last attempt’s words to be shown', async () => {
    const { result, deltas } = run([problem('server'), fine]);
    await result;
    assert.deepEqual(deltas, []);
    const failing = run([problem('cut')], { maxAttempts: 1 }, [{ kind: 'text', text: 'half' }]);
    await assert.rejects(failing.result);
    assert.deepEqual(
      failing.deltas.map(({ kind }) => kind),
      ['text'],
    );
  });

  it('stops at once when it is stopped while it waits', async () => {
    const controller = new AbortController();
    const reason = new Error('stop');
    const { model, asked } = ending([problem('rate_limit', 600_000), fine]);
    const asking = withRetries(model).complete(
      { messages: [], tools: [], onRetry: () => setTimeout(() => controller.abort(reason), 10) },
      controller.signal,
    );
    await assert.rejects(asking, (error) => error === reason);
    assert.equal(asked(), 1);
  });

  it('is not asked again once it was stopped', async () => {
    const controller = new AbortController();
    const reason = new Error('stop');
    controller.abort(reason);
    const { result, asked } = run([problem('server'), fine], {}, [], controller.signal);
    await assert.rejects(result, (error) => error === reason);
    assert.equal(asked(), 1);
  });

  it('says the same about itself as the model within', () => {
    const { model } = ending([]);
    assert.equal(withRetries(model).info, model.info);
  });
});
