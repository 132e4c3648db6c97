import assert from 'node:assert/strict';
import { sampling } from '../../../../src/core/model/sampling/sampling';
import { acts, answers, chat, cost, format, problem, reader, sample, says, settings } from './samplingStory';

describe('candidates of a reply', () => {
  it('are not asked for where one is enough: the model is the same', () => {
    const model = answers();
    assert.equal(sampling(model, { settings: settings({ candidates: 1 }), reader, render: (source) => source }), model);
  });

  it('are asked for beside each other, and all are kept with what they would do', async () => {
    const model = answers(says('I wonder.'), acts('a'), acts('b'));
    const reply = await sample(model, { candidates: 3 }).result;
    assert.equal(model.requests.length, 3);
    assert.deepEqual(
      reply.sampling!.candidates.map(({ text, summary, problem: why }) => [text, summary, why]),
      [
        ['I wonder.', '', 'It contains no action.'],
        ['', 'look a', undefined],
        ['', 'look b', undefined],
      ],
    );
    assert.deepEqual(
      [reply.toolCalls, reply.sampling!.chosen, reply.sampling!.by],
      [acts('a').toolCalls, 1, 'first_valid'],
    );
  });

  it('count in full, also those that were not chosen', async () => {
    const { usage } = await sample(
      answers({ ...acts('a'), usage: cost(0.01, 100, 10) }, { ...acts('b'), usage: cost(0.02, 100, 30) }),
      { candidates: 2 },
    ).result;
    assert.deepEqual(usage, { inputTokens: 200, outputTokens: 40, cachedTokens: 0, cost: 0.03 });
  });

  it('are not added up to a number where nobody told one', async () => {
    const { usage } = await sample(
      answers({ ...acts('a'), usage: cost(null, null, null) }, { ...acts('b'), usage: cost(null, null, null) }),
      { candidates: 2 },
    ).result;
    assert.deepEqual(usage, cost(null, null, null));
  });

  it('fail alone: the others count, and the reason says what is missing', async () => {
    const { sampling: record } = await sample(answers(problem('The server is busy.'), acts('b'), acts('c')), {
      candidates: 3,
    }).result;
    assert.deepEqual(
      record!.candidates.map(({ summary }) => summary),
      ['look b', 'look c'],
    );
    assert.match(record!.reason, /1 of 3 candidates failed: The server is busy\./);
  });

  it('need no judge where only one came', async () => {
    const judge = answers();
    const { sampling: record } = await sample(
      answers(problem('Busy.'), acts('b')),
      { candidates: 2, verifier: { kind: 'llm' } },
      { parts: { verifierModel: judge } },
    ).result;
    assert.deepEqual([judge.requests.length, record!.chosen, record!.candidates.length], [0, 0, 1]);
  });

  it('that all fail end in the last problem', async () => {
    const last = problem('The second failure.');
    await assert.rejects(
      sample(answers(problem('The first failure.'), last), { candidates: 2 }).result,
      (error) => error === last,
    );
  });

  it('are all cancelled by a stop', async () => {
    const controller = new AbortController();
    const cancelled: unknown[] = [];
    const waiting = (_request: unknown, signal: AbortSignal) =>
      new Promise<never>((_resolve, reject) =>
        signal.addEventListener('abort', () => {
          cancelled.push(signal.reason);
          reject(signal.reason as Error);
        }),
      );
    const { result } = sample(answers(waiting, acts('b'), waiting), { candidates: 3 }, { signal: controller.signal });
    setTimeout(() => controller.abort('enough'), 5);
    await assert.rejects(result, (reason) => reason === 'enough');
    assert.deepEqual(cancelled, ['enough', 'enough']);
  });

  it('are asked for a few at a time', async () => {
    let open = 0;
    let most = 0;
    const slow = async () => {
      most = Math.max(most, ++open);
      await new Promise((resolve) => setTimeout(resolve, 5));
      open--;
      return acts('a');
    };
    const reply = await sample(answers(...Array.from({ length: 5 }, () => slow)), { candidates: 5, parallel: 2 })
      .result;
    assert.deepEqual([reply.sampling!.candidates.length, most], [5, 2]);
  });

  it('stream nothing but how many are here, as it is not known which will count', async () => {
    const talking = (request: { onDelta?: unknown }) => {
      assert.equal(request.onDelta, undefined);
      return acts('a');
    };
    const { deltas, result } = sample(answers(talking, talking), { candidates: 2 });
    await result;
    assert.deepEqual(
      deltas.map((delta) => ('done' in delta ? [delta.doing, delta.done, delta.of] : delta.kind)),
      [
        ['sampling', 0, 2],
        ['sampling', 1, 2],
        ['sampling', 2, 2],
      ],
    );
  });

  it('get the arguments of the settings, and say a notice once', async () => {
    const heard: string[] = [];
    const noting = (request: { onNotice?(words: string): void }) => {
      request.onNotice?.('The fallback model answers.');
      return acts('a');
    };
    const model = answers(noting, noting);
    await sample(
      model,
      { candidates: 2, parameters: { temperature: 1 } },
      { request: { onNotice: (words) => heard.push(words) } },
    ).result;
    assert.deepEqual(
      model.requests.map(({ parameters }) => parameters),
      [{ temperature: 1 }, { temperature: 1 }],
    );
    assert.deepEqual(heard, ['The fallback model answers.']);
  });

  it('that name a tool which does not exist, or cannot be read, cannot be run', async () => {
    const unknownTool = says('', { id: 'x', type: 'function', function: { name: 'fly', arguments: '{}' } });
    const broken = says('', { id: 'y', type: 'function', function: { name: 'look', arguments: '{"name":' } });
    const { sampling: record } = await sample(answers(unknownTool, broken, acts('c')), { candidates: 3 }).result;
    assert.equal(record!.chosen, 2);
    assert.match(record!.candidates[0]!.problem!, /no tool named fly/);
    assert.match(record!.candidates[1]!.problem!, /not JSON/);
  });

  it('of words alone can be used where words are an answer, unless they are empty', async () => {
    const { sampling: record } = await sample(
      answers(says(' '), says('It is done.'), acts('c')),
      { candidates: 3 },
      { parts: { reader: { read: format.read, textIsAnswer: true } } },
    ).result;
    assert.deepEqual(
      [record!.chosen, record!.candidates.map(({ problem: why }) => why === undefined)],
      [1, [false, true, true]],
    );
  });
});

describe('candidates in one call', () => {
  const inOne = (...names: string[]) => {
    const choices = names.map((name) => ({ ...acts(name), usage: cost(null, null, null) }));
    return { ...acts(names[0]!), usage: cost(0.05, 100, 60), choices };
  };

  it('are counted as the one call they are, and each is known by what it read', async () => {
    const model = answers(inOne('a', 'b', 'c'));
    const reply = await sample(model, { candidates: 3, useN: true }).result;
    assert.deepEqual([model.requests.length, model.requests[0]!.n], [1, 3]);
    assert.deepEqual(reply.usage, cost(0.05, 100, 60));
    assert.deepEqual(
      reply.sampling!.candidates.map(({ summary, usage }) => [summary, usage.inputTokens, usage.cost]),
      [
        ['look a', 100, null],
        ['look b', 100, null],
        ['look c', 100, null],
      ],
    );
    assert.equal(reply.choices, undefined);
  });

  it('are completed by further calls where the server gave fewer', async () => {
    const model = answers(inOne('a', 'b'), acts('c'));
    const reply = await sample(model, { candidates: 3, useN: true }).result;
    assert.deepEqual(
      model.requests.map(({ n }) => n),
      [3, undefined],
    );
    assert.deepEqual(
      [reply.sampling!.candidates.map(({ summary }) => summary), reply.usage.cost],
      [['look a', 'look b', 'look c'], 0.060000000000000005],
    );
  });

  it('are asked for in calls of their own where the server does not know how, from then on at once', async () => {
    const model = answers(
      problem('The parameter n is not supported.', 'invalid_request'),
      acts('a'),
      acts('b'),
      acts('c'),
      acts('d'),
    );
    const sampled = sampling(model, {
      settings: settings({ candidates: 2, useN: true }),
      reader,
      render: (source) => source,
    });
    const signal = new AbortController().signal;
    for (const expected of [
      ['look a', 'look b'],
      ['look c', 'look d'],
    ]) {
      const { sampling: record } = await sampled.complete({ messages: chat, tools: [] }, signal);
      assert.deepEqual(
        record!.candidates.map(({ summary }) => summary),
        expected,
      );
    }
    assert.deepEqual(
      model.requests.map(({ n }) => n),
      [2, undefined, undefined, undefined, undefined],
    );
  });

  it('end in the problem where asking again cannot help', async () => {
    const wrongKey = problem('The key is wrong.', 'authentication');
    const model = answers(wrongKey);
    await assert.rejects(sample(model, { candidates: 2, useN: true }).result, (error) => error === wrongKey);
    assert.equal(model.requests.length, 1);
  });
});
