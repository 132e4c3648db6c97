import { strict as assert } from 'node:assert';
import { statusOf } from '../../../../src/core/log/status';
import { begin, call, plays, ran, says, types } from '../story';

const look = (name: string) => says('again', call('look', { name }));
const hints = (history: Parameters<typeof types>[0]) => history.filter((event) => event.type === 'feedback').length;

describe('a stuck run', () => {
  beforeEach(() => void ran.splice(0));

  it('gets a hint after three equal steps and stops after four, with the reason', async () => {
    const { history } = await begin(plays(look('a'), look('a'), look('a'), look('a'), look('a'))).go();
    assert.equal(ran.length, 4);
    assert.equal(hints(history), 1);
    const last = history.at(-1)!;
    assert.match(
      last.type === 'finished' && last.problem ? last.problem.why : '',
      /last 4 steps made the same call with the same result/,
    );
  });

  it('stops when the same call fails four times', async () => {
    const { history } = await begin(
      plays(...Array.from({ length: 6 }, () => says('x', call('command', { name: 'boom' })))),
    ).go();
    assert.equal(ran.length, 4);
    assert.equal(types(history).at(-1), 'finished:failed');
  });

  it('names the fault of calls that could not be read, and offers another model', async () => {
    const { history } = await begin(
      plays(...Array.from({ length: 6 }, () => says('x', call('frobnicate', { name: 'a' })))),
    ).go();
    const last = history.at(-1)!;
    const problem = last.type === 'finished' ? last.problem : undefined;
    assert.match(problem?.why ?? '', /\(same error\)\. There is no tool named frobnicate\.$/);
    assert.equal(problem?.remedy, 'choose_model');
  });

  it('stops after six alternating steps', async () => {
    const { history } = await begin(plays(...['a', 'b', 'a', 'b', 'a', 'b', 'a', 'b'].map(look))).go();
    assert.equal(ran.length, 6);
    assert.equal(hints(history), 1);
  });

  it('continues when the hint helps', async () => {
    const { history } = await begin(plays(look('a'), look('a'), look('a'), look('b'), look('a'), says('Done.'))).go();
    assert.equal(statusOf(history), 'idle');
    assert.equal(hints(history), 1);
  });

  it('is not detected if the user sends a message between equal steps', async () => {
    const conversation = await begin(
      plays(look('a'), look('a'), says('Twice.'), look('a'), look('a'), says('Twice more.')),
    ).go();
    conversation.say('Again.');
    await conversation.rested();
    assert.equal(statusOf(conversation.history), 'idle');
    assert.equal(hints(conversation.history), 0);
  });

  it('can be resumed', async () => {
    const conversation = await begin(plays(...Array.from({ length: 5 }, () => look('a')), says('Done.'))).go();
    assert.equal(statusOf(conversation.history), 'finished');
    conversation.resume();
    await conversation.rested();
    assert.equal(statusOf(conversation.history), 'idle');
  });
});
