import assert from 'node:assert/strict';
import type { ModelRequest } from '../../../../src/core/ports/model';
import { sampling } from '../../../../src/core/model/sampling/sampling';
import { historyWindow } from '../../../../src/core/model/sampling/verifiers/historyWindow';
import {
  acts,
  answers,
  call,
  chat,
  cost,
  problem,
  reader,
  sample,
  says,
  settings,
  type Settings,
} from './samplingStory';

const judgement = (text: string) => ({ ...says(text), usage: cost(0.002, 500, 20) });
const asked = (request: ModelRequest | undefined): string => request!.messages.map(({ content }) => content).join('\n');

describe('first_valid', () => {
  it('picks the second candidate when the first holds no action', async () => {
    const { sampling: record } = await sample(answers(says('Hm.'), acts('b')), { candidates: 2 }).result;
    assert.deepEqual([record!.chosen, record!.by], [1, 'first_valid']);
  });

  it('takes the first when none can be used, so that the model is told what is wrong', async () => {
    const { sampling: record } = await sample(answers(says('Hm.'), says('Well.')), { candidates: 2 }).result;
    assert.deepEqual([record!.chosen, /No candidate is valid/.test(record!.reason)], [0, true]);
  });
});

describe('a judge', () => {
  const judged = (text: string | Error, more: Settings = {}) => {
    const judge = answers(typeof text === 'string' ? judgement(text) : text);
    const { result, deltas } = sample(
      answers(says('Hm.'), acts('b'), acts('c')),
      { candidates: 3, ...more, verifier: { kind: 'llm', ...more.verifier } },
      { parts: { verifierModel: judge } },
    );
    return { judge, deltas, result };
  };

  it('is understood by the last number it writes, counted from 1', async () => {
    const { sampling: record, text } = await judged('Candidate 1 does nothing, 2 repeats itself. So:\n3').result;
    assert.deepEqual(
      [record!.chosen, record!.by, record!.outputs, record!.fallback],
      [2, 'llm', ['Candidate 1 does nothing, 2 repeats itself. So:\n3'], undefined],
    );
    assert.equal(text, '');
  });

  it('is paid for: its call is part of the whole and told apart', async () => {
    const { usage, sampling: record } = await judged('2').result;
    assert.deepEqual(
      [usage, record!.verifierUsage],
      [{ inputTokens: 800, outputTokens: 50, cachedTokens: 0, cost: 0.032 }, cost(0.002, 500, 20)],
    );
  });

  it('reads the task, every candidate, what it would do and why it cannot', async () => {
    const { judge, result, deltas } = judged('2');
    await result;
    assert.deepEqual(judge.requests[0]!.tools, []);
    for (const words of [
      'Mend the clock.',
      'Candidate 1\nHm.\nThis candidate cannot be run: It contains no action.',
      'Candidate 3\nCalls:\nlook {"name":"c"}',
      '1 to 3',
    ])
      assert.ok(asked(judge.requests[0]).includes(words), words);
    assert.deepEqual(deltas.at(-1), { kind: 'progress', doing: 'judging', done: 0, of: 1 });
  });

  it('is the model that acts where no other is given', async () => {
    const model = answers(acts('a'), acts('b'), judgement('2'));
    assert.equal((await sample(model, { candidates: 2, verifier: { kind: 'llm' } }).result).sampling!.chosen, 1);
    assert.equal(model.requests.length, 3);
  });

  for (const [name, said, why] of [
    ['names no number', 'Both are fine.', /named no candidate/],
    ['names a candidate that is not there', 'I choose 7.', /named candidate 7, which does not exist/],
    ['does not answer', problem('The judge is away.'), /did not answer: The judge is away/],
  ] as const) {
    it(`that ${name} is replaced by the first candidate`, async () => {
      const { sampling: record } = await judged(said).result;
      assert.deepEqual([record!.chosen, record!.fallback, record!.by], [0, 'first_candidate', 'llm']);
      assert.match(record!.reason, why);
    });

    it(`that ${name} is replaced by the first candidate that can be used where that is wanted`, async () => {
      const { sampling: record } = await judged(said, { verifier: { fallback: 'first_valid' } }).result;
      assert.deepEqual([record!.chosen, record!.fallback], [1, 'first_valid']);
    });
  }

  it('is read by another pattern and another first number', async () => {
    const { sampling: record } = await judged('SELECT=0 or SELECT=1; the other one has 2 flaws', {
      verifier: { selectionRegex: 'SELECT=(\\d)', indexBase: 0 },
    }).result;
    assert.equal(record!.chosen, 1);
  });

  it('is not begun with a pattern that cannot be used, and the words name it', () => {
    const begin = (selectionRegex: string) => () =>
      sampling(answers(), {
        settings: settings({ candidates: 2, verifier: { kind: 'llm', selectionRegex } }),
        reader,
        render: (source) => source,
      });
    assert.throws(begin('(\\d+'), /“\(\\d\+” of selectionRegex is not a regular expression/);
    assert.throws(begin('\\d+'), /has 0 groups\. It needs exactly one/);
  });

  it('is asked by the templates of the settings', async () => {
    const judge = answers(judgement('2'));
    const seen: object[] = [];
    await sample(
      answers(acts('a'), acts('b')),
      { candidates: 2, verifier: { kind: 'llm', templates: { system: 'JUDGE', selection: 'PICK' } } },
      {
        parts: {
          verifierModel: judge,
          render: async (source, variables) => {
            seen.push(variables);
            return `<${source}>`;
          },
        },
      },
    ).result;
    assert.deepEqual(judge.requests[0]!.messages, [
      { role: 'system', content: '<JUDGE>' },
      { role: 'user', content: '<PICK>' },
    ]);
    assert.deepEqual(Object.keys(seen[0]!).sort(), [
      'candidate',
      'candidates',
      'checklist',
      'earlierSteps',
      'first',
      'last',
      'steps',
      'task',
    ]);
  });

  it('is cancelled by a stop', async () => {
    const controller = new AbortController();
    const judge = answers(
      (_request, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('cut off')))),
    );
    const { result } = sample(
      answers(acts('a'), acts('b')),
      { candidates: 2, verifier: { kind: 'llm' } },
      { parts: { verifierModel: judge }, signal: controller.signal },
    );
    setTimeout(() => controller.abort('enough'), 5);
    await assert.rejects(result, (reason) => reason === 'enough');
  });
});

describe('what a judge reads of the past', () => {
  const messages: ModelRequest['messages'] = [
    ...chat,
    ...Array.from({ length: 8 }, (_, step) => [
      {
        role: 'assistant' as const,
        content: `thought ${step + 1}`,
        tool_calls: [call('look', { name: `n${step + 1}` })],
      },
      { role: 'tool' as const, tool_call_id: 'c_look', content: `result ${step + 1}` },
    ]).flat(),
  ];

  it('is the task and the latest six steps, and how many came before', async () => {
    const judge = answers(judgement('2'));
    await sample(
      answers(acts('a'), acts('b')),
      { candidates: 2, verifier: { kind: 'llm' } },
      { parts: { verifierModel: judge }, request: { messages } },
    ).result;
    const words = asked(judge.requests[0]);
    assert.deepEqual(
      [1, 2, 3, 8].map((step) => [words.includes(`thought ${step}`), words.includes(`result ${step}`)]),
      [
        [false, false],
        [false, false],
        [true, true],
        [true, true],
      ],
    );
    assert.match(words, /Mend the clock/);
    assert.match(words, /2 earlier steps omitted/);
  });

  it('is everything at −1 and nothing at 0', () => {
    assert.deepEqual([historyWindow(messages, -1).steps.length, historyWindow(messages, -1).earlierSteps], [8, 0]);
    assert.deepEqual([historyWindow(messages, 0).steps, historyWindow(messages, 0).earlierSteps], [[], 8]);
  });

  it('is cut in the middle where a result is very long', () => {
    const [step] = historyWindow(
      [
        ...chat,
        { role: 'assistant', content: '' },
        { role: 'tool', tool_call_id: 'x', content: `begin${'.'.repeat(9_990)}end` },
      ],
      6,
    ).steps;
    assert.ok(step!.results[0]!.length < 4_100);
    assert.match(step!.results[0]!, /^begin.*\[… 5998 characters left out …\].*end$/s);
  });
});

describe('a reward model', () => {
  const rewarded = (ends: (string | Error)[], more: Settings = {}) => {
    const judge = answers(...ends.map((end) => (typeof end === 'string' ? judgement(end) : end)));
    return {
      judge,
      ...sample(
        answers(...Array.from({ length: more.candidates ?? 2 }, (_, index) => acts(`n${index}`))),
        { candidates: 2, ...more, verifier: { kind: 'reward_model', ...more.verifier } },
        { parts: { verifierModel: judge } },
      ),
    };
  };

  it('scores each, and the highest wins: 0.2 against 0.9', async () => {
    const { sampling: record, toolCalls } = await rewarded(['Weak.\nREWARD: 0.2', 'Good.\nREWARD: 0.9']).result;
    assert.deepEqual(
      [record!.chosen, record!.by, record!.candidates.map(({ score }) => score)],
      [1, 'reward_model', [0.2, 0.9]],
    );
    assert.deepEqual(record!.outputs, ['Weak.\nREWARD: 0.2', 'Good.\nREWARD: 0.9']);
    assert.deepEqual(toolCalls, acts('n1').toolCalls);
  });

  it('takes the earlier of equals, and reads signs, exponents and marks around the number', async () => {
    const { sampling: record } = await rewarded(['REWARD: -1', '**REWARD:** 5e-1', 'REWARD: 0.5'], { candidates: 3 })
      .result;
    assert.deepEqual([record!.chosen, record!.candidates.map(({ score }) => score)], [1, [-1, 0.5, 0.5]]);
  });

  it('leaves out what got no score, and says so', async () => {
    const { sampling: record } = await rewarded(['I cannot say.', 'REWARD: -3'], {}).result;
    assert.deepEqual([record!.chosen, record!.candidates.map(({ score }) => score)], [1, [null, -3]]);
    assert.match(record!.reason, /One got no score/);
  });

  it('is replaced by the fallback when nothing got a score', async () => {
    const { sampling: record } = await rewarded(['?', '?']).result;
    assert.deepEqual([record!.chosen, record!.fallback], [0, 'first_candidate']);
  });

  it('is asked three times, with waits that grow fourfold, and then does without', async () => {
    const busy = problem('Busy.');
    const judge = answers(busy, busy, busy, judgement('REWARD: 0.1'));
    const { waits, result } = sample(
      answers(acts('a'), acts('b')),
      { candidates: 2, parallel: 1, verifier: { kind: 'reward_model' } },
      { parts: { verifierModel: judge } },
    );
    const { sampling: record } = await result;
    assert.deepEqual(
      [waits, judge.requests.length, record!.candidates.map(({ score }) => score)],
      [[1_000, 4_000], 4, [null, 0.1]],
    );
    assert.match(record!.outputs[0]!, /No answer: Busy/);
  });

  it('is not asked again where that cannot help', async () => {
    const { waits, result, judge } = rewarded([
      problem('Wrong key.', 'authentication'),
      problem('Wrong key.', 'authentication'),
    ]);
    assert.equal((await result).sampling!.fallback, 'first_candidate');
    assert.deepEqual([waits, judge.requests.length], [[], 2]);
  });

  it('asks at most eight at a time', async () => {
    let open = 0;
    let most = 0;
    const judge = answers(
      ...Array.from({ length: 12 }, (_, index) => async () => {
        most = Math.max(most, ++open);
        await new Promise((resolve) => setTimeout(resolve, 5));
        open--;
        return judgement(`REWARD: ${index}`);
      }),
    );
    const { sampling: record } = await sample(
      answers(...Array.from({ length: 12 }, () => acts('a'))),
      { candidates: 12, verifier: { kind: 'reward_model' } },
      { parts: { verifierModel: judge } },
    ).result;
    assert.deepEqual([most, record!.chosen], [8, 11]);
  });

  it('stops waiting at once when it is stopped', async () => {
    const controller = new AbortController();
    const judge = answers(problem('Busy.'), problem('Busy.'));
    const { result } = sample(
      answers(acts('a'), acts('b')),
      { candidates: 2, verifier: { kind: 'reward_model' } },
      {
        parts: {
          verifierModel: judge,
          sleep: (_ms, signal) =>
            new Promise((_resolve, reject) => {
              signal.addEventListener('abort', () => reject(signal.reason as Error));
              setTimeout(() => controller.abort('enough'), 5);
            }),
        },
        signal: controller.signal,
      },
    );
    await assert.rejects(result, (reason) => reason === 'enough');
    assert.equal(judge.requests.length, 2);
  });
});

describe('the similarity gate', () => {
  const alike = (judge: ReturnType<typeof answers>, seed: number, messages = chat) =>
    sample(
      answers(
        acts('the old clock on the tower', 'I look at it.'),
        acts('The old clock on the tower', 'I look at it!'),
        says('I look at it. look name the old clock on the tower'),
      ),
      { candidates: 3, verifier: { kind: 'llm', similarity: 0.9, seed } },
      { parts: { verifierModel: judge }, request: { messages } },
    ).result;

  it('spares the judge and draws one that can be used, always the same for one seed', async () => {
    const judge = answers();
    const first = (await alike(judge, 7)).sampling!;
    assert.deepEqual([first.by, first.verifierUsage, judge.requests.length], ['similarity_gate', undefined, 0]);
    assert.equal((await alike(judge, 7)).sampling!.chosen, first.chosen);
    const drawn = new Set<number>();
    for (let seed = 0; seed < 30; seed++) drawn.add((await alike(judge, seed)).sampling!.chosen);
    assert.deepEqual([...drawn].sort(), [0, 1]);
  });

  it('lets the judge decide where they differ', async () => {
    const judge = answers(judgement('2'));
    const { sampling: record } = await sample(
      answers(acts('one two three four five six seven eight'), acts('one two three four five six seven nine')),
      { candidates: 2, verifier: { kind: 'llm', similarity: 0.9 } },
      { parts: { verifierModel: judge } },
    ).result;
    assert.deepEqual([record!.by, record!.chosen], ['llm', 1]);
  });
});
