import { strict as assert } from 'node:assert';
import { statusOf } from '../../../../src/core/log/history';
import { begin, call, plays, ran, says, types } from '../story';

const look = (name: string) => says('again', call('look', { name }));
const hints = (history: Parameters<typeof types>[0]) => history.filter((event) => event.type === 'feedback').length;

describe('a run that goes in circles', () => {
  beforeEach(() => void ran.splice(0));

  it('is told after three equal steps and stopped after four, by name', async () => {
    const { history } = await begin(plays(look('a'), look('a'), look('a'), look('a'), look('a'))).go();
    assert.equal(ran.length, 4);
    assert.equal(hints(history), 1);
    const last = history.at(-1)!;
    assert.match(
      last.type === 'finished' && last.problem ? last.problem.why : '',
      /last 4 steps made the same call with the same result/,
    );
  });

  it('is stopped when the same call fails again and again, however it fails', async () => {
    const { history } = await begin(
      plays(...Array.from({ length: 6 }, () => says('x', call('command', { name: 'boom' })))),
    ).go();
    assert.equal(ran.length, 4);
    assert.equal(types(history).at(-1), 'finished:failed');
  });

  it('is stopped when two steps take turns', async () => {
    const { history } = await begin(plays(...['a', 'b', 'a', 'b', 'a', 'b', 'a', 'b'].map(look))).go();
    assert.equal(ran.length, 6);
    assert.equal(hints(history), 1);
  });

  it('goes on when the hint helps', async () => {
    const { history } = await begin(plays(look('a'), look('a'), look('a'), look('b'), look('a'), says('Done.'))).go();
    assert.equal(statusOf(history), 'idle');
    assert.equal(hints(history), 1);
  });

  it('is not one where results differ, or where a person asked for more in between', async () => {
    const conversation = await begin(
      plays(look('a'), look('a'), says('Twice.'), look('a'), look('a'), says('Twice more.')),
    ).go();
    conversation.say('Again.');
    await conversation.rested();
    assert.equal(statusOf(conversation.history), 'idle');
    assert.equal(hints(conversation.history), 0);
  });

  it('may go on when a person resumes it', async () => {
    const conversation = await begin(plays(...Array.from({ length: 5 }, () => look('a')), says('Done.'))).go();
    assert.equal(statusOf(conversation.history), 'finished');
    conversation.resume();
    await conversation.rested();
    assert.equal(statusOf(conversation.history), 'idle');
  });
});
