import { strict as assert } from 'node:assert';
import { pendingActions } from '../../../src/core/log/openActions';
import { plainWording } from '../../../src/core/agent/wording';
import { ModelProblem } from '../../../src/core/ports/model';
import { hermes } from '../../../src/core/profiles/hermes';
import { assertAccepted, begin, call, plays, ran, revived, says, types } from './story';

describe('a run that ends', () => {
  beforeEach(() => void ran.splice(0));

  it('continues if the user sends a message while the model submits', async () => {
    const finish = () => says('', call('finish', { summary: 'Done.' }));
    const model = plays(() => {
      conversation.say('And the tests.');
      return finish();
    }, finish());
    const conversation = begin(model);
    await conversation.go();
    assert.deepEqual(types(conversation.history).slice(-5), [
      'resumed',
      'agent_response',
      'action_started',
      'observation:ok',
      'finished:submitted',
    ]);
    assert.match(JSON.stringify(model.requests[1]!.messages), /And the tests/);
    assertAccepted(conversation.history);
  });

  it('reports its limit even if the request for a final summary fails', async () => {
    const model = plays(
      says('1', call('look', { name: 'a' })),
      new ModelProblem('server', { what: 'It is down.', why: 'It said so.', next: 'Wait.' }),
    );
    const conversation = await begin(model, {
      parts: { profile: hermes },
      first: { limits: { steps: 1, cost: 0, seconds: 0 } },
    }).go();
    const last = conversation.history.at(-1)!;
    assert.ok(last.type === 'finished' && last.status === 'limit_exceeded');
    assert.match(JSON.stringify(conversation.history.filter(({ type }) => type === 'notice')), /It is down/);
  });

  it('keeps the results of actions if the observation template throws', async () => {
    const wording = {
      ...plainWording,
      observation: async () => {
        throw new Error('The template broke.');
      },
    };
    const conversation = await begin(plays(says('1', call('look', { name: 'a' }), call('command', { name: 'b' }))), {
      parts: { wording },
    }).go();
    assert.deepEqual(types(conversation.history).slice(2), [
      'action_started',
      'observation:ok',
      'observation:skipped',
      'finished:failed',
    ]);
    assert.deepEqual([ran, pendingActions(conversation.history)], [['look a'], []]);
  });

  it('marks an action that began before a crash as unknown, not as skipped', async () => {
    const { history } = await begin(
      plays(says('1', call('command', { name: 'a' }), call('command', { name: 'b' })), says('bye')),
    ).go();
    const died = begin(plays(), {
      saved: revived(history.slice(0, history.findIndex(({ type }) => type === 'action_started') + 1)),
    });
    await died.stop();
    assert.deepEqual(types(died.history).slice(-3), ['observation:unknown', 'observation:skipped', 'finished:stopped']);
  });
});
