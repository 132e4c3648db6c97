import assert from 'node:assert/strict';
import { sessionSpending } from '../../../../src/core/log/spending';
import { eventsOfType } from '../../../../src/core/log/projection';
import { sampling } from '../../../../src/core/model/sampling/sampling';
import { begin, call, plays, revived, says, usage } from '../../agent/story';
import { format, settings } from './samplingStory';

const looks = (name: string) => says('', call('look', { name }));
const sampled = (model: ReturnType<typeof plays>, candidates: number) =>
  sampling(model, {
    settings: settings({ candidates }),
    reader: { read: format.read, textIsAnswer: true },
    render: (source) => source,
  });

describe('a run with candidates', () => {
  it('counts steps, not samples, against the limit of steps', async () => {
    const model = plays(...['a', 'b', 'c', 'd', 'e', 'f'].map(looks));
    const run = await begin(sampled(model, 3), { first: { limits: { steps: 2, cost: 0, seconds: 0 } } }).go();
    assert.equal(model.requests.length, 6);
    assert.deepEqual(
      [sessionSpending(run.history).steps, eventsOfType(run.history, 'finished')[0]?.status],
      [2, 'limit_exceeded'],
    );
  });

  it('counts the cost of every sample against the limit of cost', async () => {
    const model = plays(...['a', 'b', 'c', 'd'].map(looks));
    const run = await begin(sampled(model, 2), { first: { limits: { steps: 0, cost: 0.03, seconds: 0 } } }).go();
    assert.deepEqual([model.requests.length, sessionSpending(run.history).usage.cost], [4, 0.04]);
    assert.equal(eventsOfType(run.history, 'finished')[0]?.status, 'limit_exceeded');
  });

  it('is as full as the candidate that was chosen, not as all of them', async () => {
    const model = plays(
      { ...looks('a'), usage: { ...usage, inputTokens: 10, outputTokens: 2 } },
      { ...looks('b'), usage: { ...usage, inputTokens: 10, outputTokens: 90 } },
      says('Done.'),
      says('Done!'),
    );
    const run = begin(sampled(model, 2), { first: { limits: { steps: 1, cost: 0, seconds: 0 } } });
    await run.go();
    assert.deepEqual(
      [sessionSpending(run.history).contextTokens, sessionSpending(run.history).usage.inputTokens],
      [12, 20],
    );
  });

  it('says of how many calls nobody told the cost', async () => {
    const model = plays({ ...looks('a'), usage: { ...usage, cost: null } }, looks('b'), {
      ...looks('c'),
      usage: { ...usage, inputTokens: null },
    });
    const run = await begin(sampled(model, 3), { first: { limits: { steps: 1, cost: 0, seconds: 0 } } }).go();
    const {
      usage: { cost, inputTokens },
      unpriced,
      uncounted,
    } = sessionSpending(run.history);
    assert.deepEqual([cost, unpriced, inputTokens, uncounted], [0.02, 1, 20, 1]);
  });

  it('keeps every candidate and the reason in its log', async () => {
    const run = await begin(sampled(plays(says(''), looks('b'), says('Done.'), says('Finished.')), 2)).go();
    const [first, second] = eventsOfType(revived(run.history), 'agent_response').map((event) => event.sampling!);
    assert.deepEqual(
      [first!.chosen, first!.candidates.map(({ problem, summary }) => problem ?? summary)],
      [1, ['It contains no action.', 'look']],
    );
    assert.deepEqual([second!.chosen, second!.candidates.map(({ text }) => text)], [0, ['Done.', 'Finished.']]);
  });
});
