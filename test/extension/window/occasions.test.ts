import { strict as assert } from 'node:assert';
import { allOccasions, stillApplies, occasionOf } from '../../../src/extension/window/occasions';
import { undecidedActions } from '../../../src/core/log/openActions';
import type { History } from '../../../src/core/log/projection';
import { begin, call, plays, says } from '../../core/agent/story';

/** Returns the notifications for each event. */
const told = (history: History): string[] =>
  history.flatMap((event, at) => occasionOf(history.slice(0, at + 1), event) ?? []);

const still = (history: History): string[] => allOccasions.filter((each) => stillApplies(history, each));

describe('a notification for a person who looks elsewhere', () => {
  it('reports the end of a run, whether the model finishes or replies in plain text', async () => {
    const inWords = await begin(plays(says('', call('look', { name: 'a' })), says('Done.'))).go();
    assert.deepEqual([told(inWords.history), still(inWords.history)], [['end'], ['end']]);
    const bySaying = await begin(plays(says('', call('finish', { summary: 'Done.' })))).go();
    assert.deepEqual([told(bySaying.history), still(bySaying.history)], [['end'], ['end']]);
    const failed = await begin(plays()).go();
    assert.deepEqual(told(failed.history), ['end']);
  });

  it('reports an action that waits for approval, until it is decided', async () => {
    const conversation = begin(plays(says('', call('risk', { name: 'a' }, 'r1')), says('Done.')));
    await conversation.go();
    assert.deepEqual([told(conversation.history), still(conversation.history)], [['approval'], ['approval']]);
    for (const { id } of undecidedActions(conversation.history)) conversation.approve(id);
    assert.deepEqual(still(conversation.history), [], 'the next action that waits is told of again');
    await conversation.go();
    assert.deepEqual([told(conversation.history), still(conversation.history)], [['approval', 'end'], ['end']]);
  });

  it('reports a question of the agent', async () => {
    const { history } = await begin(plays(says('', call('ask', { question: 'Which?' }, 'q1')), says('Done.'))).go();
    assert.deepEqual([told(history), still(history)], [['question'], ['question']]);
  });
});
