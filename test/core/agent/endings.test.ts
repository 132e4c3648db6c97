import { strict as assert } from 'node:assert';
import { pendingActions } from '../../../src/core/log/openActions';
import { plainWording } from '../../../src/core/agent/wording';
import { ModelProblem } from '../../../src/core/ports/model';
import { hermesProfile } from '../../../src/core/profiles/hermes';
import { todo } from '../../../src/core/tools/native/todo';
import { finish } from '../../../src/core/tools/native/finish';
import { assertAccepted, begin, call, plays, ran, revived, says, tools, types } from './story';

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

  it('is asked once about open todos before an answer ends it', async () => {
    const parts = { tools: [...tools, todo] };
    const todos = ['Build', 'Test'].map((content, id) => ({ id: String(id), content, status: 'pending' }));
    const asked = async (...script: Parameters<typeof plays>) => {
      const { history } = await begin(plays(...script), { parts }).go();
      assertAccepted(history);
      return history.flatMap((event) => (event.type === 'feedback' ? [event.text] : []));
    };
    const plan = says('', call('todo', { todos }));
    const open = '2 todos are open: Build; Test. Continue, or call finish.';
    assert.deepEqual(await asked(plan, says('Now the build.'), says('Really.')), [open]);
    assert.deepEqual(await asked(says('', call('command', { name: 'boom' })), says('It fails.')), []);
  });

  describe('with finish beside other calls', () => {
    const withFinish = { parts: { tools: [...tools.filter(({ name }) => name !== 'finish'), finish] } };
    it('runs the others first, in order, wherever finish is', async () => {
      const first = says(
        '',
        call('finish', { summary: 'Done.' }),
        call('command', { name: 'x' }),
        call('look', { name: 'y' }),
      );
      const { history } = await begin(plays(first), withFinish).go();
      assert.deepEqual(ran, ['command x', 'look y']);
      assert.deepEqual(history.at(-1), { ...history.at(-1), type: 'finished', status: 'submitted', summary: 'Done.' });
      assertAccepted(history);
    });
    it('continues if one of them failed or was refused, and says so', async () => {
      const calls = [
        call('command', { name: 'boom' }),
        call('finish', { summary: 'Done.' }),
        call('look', { name: 3 }),
      ];
      const model = plays(says('', ...calls), says('', call('finish', { summary: 'Now.' })));
      const { history } = await begin(model, withFinish).go();
      assert.match(
        JSON.stringify(model.requests[1]!.messages),
        /Not finished: 2 of the calls beside it failed\. Read their results, then call finish alone\./,
      );
      assert.deepEqual(types(history).slice(-3), ['action_started', 'observation:ok', 'finished:submitted']);
    });
    it('ignores other arguments and takes the text beside it as the summary', async () => {
      const summaryOf = async (text: string, input: unknown) => {
        const { history } = await begin(
          plays(says(text, call('finish', input)), says('Bye.'), says('Bye.')),
          withFinish,
        ).go();
        const end = history.at(-1)!;
        return end.type === 'finished' ? end.summary : history.find((event) => event.type === 'observation')?.content;
      };
      assert.equal(await summaryOf('', { summary: 'Done.', status: 'success' }), 'Done.');
      assert.equal(await summaryOf('All tests pass.', {}), 'All tests pass.');
      assert.match((await summaryOf('', {}))!, /summary is missing/);
    });
  });

  it('reports its limit even if the request for a final summary fails', async () => {
    const model = plays(
      says('1', call('look', { name: 'a' })),
      new ModelProblem('server', { what: 'It is down.', why: 'It said so.', next: 'Wait.' }),
    );
    const conversation = await begin(model, {
      parts: { profile: hermesProfile },
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
