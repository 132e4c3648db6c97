import { strict as assert } from 'node:assert';
import { decisionOn, pendingActions, undecidedActions } from '../../../src/core/log/openActions';
import { statusOf } from '../../../src/core/log/status';
import { toMessages } from '../../../src/core/model/messages';
import { sessionSpending } from '../../../src/core/log/spending';
import { ModelProblem } from '../../../src/core/ports/model';
import { assertAccepted, begin, call, plays, ran, says, types } from './story';

describe('a run', () => {
  beforeEach(() => void ran.splice(0));

  it('ends when a tool submits, and skips later actions', async () => {
    const { history } = await begin(
      plays(
        says('look', call('look', { name: 'a' }), call('look', { name: 'b' })),
        says(
          'end',
          call('command', { name: 'x' }),
          call('finish', { summary: 'Done.' }),
          call('command', { name: 'y' }),
        ),
      ),
    ).go();
    assert.deepEqual(types(history), [
      'task_started',
      'agent_response',
      'action_started',
      'action_started',
      'observation:ok',
      'observation:ok',
      'agent_response',
      'action_started',
      'observation:ok',
      'action_started',
      'observation:ok',
      'observation:skipped',
      'finished:submitted',
    ]);
    assert.deepEqual(ran, ['look a', 'look b', 'command x']);
    assertAccepted(history);
  });

  it('becomes idle when the model answers without calls', async () => {
    const { history } = await begin(plays(says('Hello.'))).go();
    assert.equal(statusOf(history), 'idle');
  });

  it('reports an unknown tool, wrong input, invalid JSON and a crash to the model', async () => {
    const { history } = await begin(
      plays(
        says(
          'x',
          call('nope', {}),
          call('look', { name: 3 }),
          call('look', '{"name": '),
          call('command', { name: 'boom' }),
        ),
        says('bye'),
      ),
    ).go();
    assert.deepEqual(
      types(history).filter((type) => type.startsWith('obs')),
      Array(4).fill('observation:error'),
    );
    assert.match(JSON.stringify(toMessages(history)), /no tool named nope.*Invalid input.*not JSON.*It broke/s);
    assertAccepted(history);
  });

  it('does not run a call that was cut at the token limit', async () => {
    const { history } = await begin(
      plays({ ...says('x', call('command', '{"name":"half"}')), finishReason: 'length' }, says('bye')),
    ).go();
    assert.deepEqual(ran, []);
    assert.match(JSON.stringify(toMessages(history)), /cut off at the token limit/);
  });

  it('gives every action a unique id if a provider repeats or omits ids', async () => {
    const { history } = await begin(
      plays(
        says('1', call('look', { name: 'a' }, 'same'), call('look', { name: 'b' }, 'same')),
        says('2', call('look', { name: 'c' }, 'same'), call('look', { name: 'd' }, '')),
        says('bye'),
      ),
    ).go();
    assert.deepEqual(ran, ['look a', 'look b', 'look c', 'look d']);
    assertAccepted(history);
  });

  it('runs safe actions first and waits for approval of risky ones', async () => {
    const conversation = await begin(
      plays(
        says('danger', call('look', { name: 'a' }), call('risk', { name: 'b' }), call('command', { name: 'c' })),
        says('bye'),
      ),
    ).go();
    assert.equal(statusOf(conversation.history), 'waiting_for_confirmation');
    assert.deepEqual(ran, ['look a']);
    const [waiting] = undecidedActions(conversation.history);
    assert.ok(conversation.approve(waiting!.id));
    await conversation.rested();
    assert.deepEqual(ran, ['look a', 'risk b', 'command c']);
    assert.equal(decisionOn(waiting!.id, conversation.history), undefined, 'consent ends with its action');
  });

  it('tells the model why the user refused an action, and runs the others', async () => {
    const model = plays(says('danger', call('risk', { name: 'a' }), call('command', { name: 'b' })), says('bye'));
    const conversation = await begin(model).go();
    conversation.refuse(undecidedActions(conversation.history)[0]!.id, { comment: 'Use the other one.' });
    await conversation.rested();
    assert.deepEqual(ran, ['command b']);
    assert.match(JSON.stringify(model.requests.at(-1)), /refused this action: Use the other one/);
    assert.ok(!types(conversation.history).slice(0, 4).includes('action_started'));
  });

  it('counts only the first decision about an action', async () => {
    const conversation = await begin(plays(says('danger', call('risk', { name: 'a' })), says('bye'))).go();
    const { id } = undecidedActions(conversation.history)[0]!;
    assert.deepEqual(
      [conversation.approve(id), conversation.refuse(id), conversation.approve('other')],
      [true, false, false],
    );
    await conversation.rested();
    assert.deepEqual(ran, ['risk a']);
  });

  it('asks about a safe action if confirmation is always, and not about a risky one if it is never', async () => {
    const script = () => plays(says('x', call('look', { name: 'a' })), says('bye'));
    assert.equal(
      statusOf((await begin(script(), { first: { confirmation: 'always' } }).go()).history),
      'waiting_for_confirmation',
    );
    const free = await begin(plays(says('x', call('risk', { name: 'a' })), says('bye')), {
      first: { confirmation: 'never' },
    }).go();
    assert.equal(statusOf(free.history), 'idle');
  });

  it('records an event when an allow rule approves an action', async () => {
    const conversation = begin(plays(says('x', call('risk', { name: 'a' })), says('y', call('risk', { name: 'b' }))));
    conversation.append({ type: 'allow_rule_added', rule: { tool: 'risk', key: 'a', cwd: '/' } });
    await conversation.go();
    assert.deepEqual(ran, ['risk a']);
    assert.deepEqual(
      conversation.history.flatMap((event) => (event.type === 'confirmation_resolved' ? [event.by] : [])),
      ['rule'],
    );
    assert.equal(statusOf(conversation.history), 'waiting_for_confirmation');
  });

  it('does not apply an allow rule from another folder', async () => {
    const conversation = begin(plays(says('x', call('risk', { name: 'a' }))));
    conversation.append({ type: 'allow_rule_added', rule: { tool: 'risk', key: 'a', cwd: '/elsewhere' } });
    await conversation.go();
    assert.equal(statusOf(conversation.history), 'waiting_for_confirmation');
  });

  it('asks the user and passes the answer to the model', async () => {
    const model = plays(says('?', call('ask', { question: 'Which?' })), says('bye'));
    const conversation = await begin(model).go();
    assert.equal(statusOf(conversation.history), 'waiting_for_answer');
    assert.ok(conversation.answer(pendingActions(conversation.history)[0]!.id, 'The left one.'));
    await conversation.rested();
    assert.match(JSON.stringify(model.requests[1]), /The left one/);
    const alone = await begin(plays(says('?', call('ask', { question: 'Which?' })), says('bye')), {
      parts: { attended: false },
    }).go();
    assert.equal(statusOf(alone.history), 'idle');
  });

  it('reminds the model once after an empty reply, then fails', async () => {
    const { history } = await begin(plays(says(''), says(' '))).go();
    assert.deepEqual(types(history), [
      'task_started',
      'agent_response',
      'feedback',
      'agent_response',
      'finished:failed',
    ]);
  });

  it('interrupts a command at the time limit, and skips the next one', async () => {
    const { history } = await begin(
      plays(says('', call('command', { name: 'slow' }), call('command', { name: 'b' }))),
      { first: { limits: { steps: 0, cost: 0, seconds: 0.05 } } },
    ).go();
    assert.deepEqual(types(history).slice(-4), [
      'action_started',
      'observation:interrupted',
      'observation:skipped',
      'finished:limit_exceeded',
    ]);
    assertAccepted(history);
  });

  it('interrupts a model call at the time limit, and keeps the partial text', async () => {
    const model = plays(
      (request, signal) =>
        new Promise((_resolve, reject) => {
          request.onDelta!({ kind: 'text', text: 'I think' });
          signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
        }),
    );
    const { history } = await begin(model, { first: { limits: { steps: 0, cost: 0, seconds: 0.05 } } }).go();
    assert.deepEqual(types(history), ['task_started', 'agent_response', 'finished:limit_exceeded']);
    assert.equal(history[1]!.type === 'agent_response' && history[1].text, 'I think');
  });

  it('is paused if the user interrupts it before its time limit', async () => {
    const conversation = begin(plays(says('', call('command', { name: 'slow' }))), {
      first: { limits: { steps: 0, cost: 0, seconds: 3600 } },
    });
    conversation.wake();
    while (!conversation.history.some(({ type }) => type === 'action_started'))
      await new Promise((resolve) => setImmediate(resolve));
    await conversation.interrupt('Enough.');
    assert.deepEqual(types(conversation.history).slice(-2), ['observation:interrupted', 'paused']);
  });

  it('stops at the step limit and counts steps anew after a new message', async () => {
    const conversation = await begin(
      plays(says('1', call('look', { name: 'a' })), says('2', call('look', { name: 'b' })), says('bye')),
      { first: { limits: { steps: 2, cost: 0, seconds: 0 } } },
    ).go();
    assert.equal(types(conversation.history).at(-1), 'finished:limit_exceeded');
    conversation.say('Go on.');
    await conversation.rested();
    assert.equal(statusOf(conversation.history), 'idle');
    assert.deepEqual(
      [sessionSpending(conversation.history).steps, sessionSpending(conversation.history).usage.cost?.toFixed(2)],
      [3, '0.03'],
    );
  });

  it('can be resumed after the model fails', async () => {
    const failure = new ModelProblem('network', {
      what: "The model's server cannot be reached.",
      why: 'Connection refused.',
      next: 'Start it, then resume.',
    });
    const conversation = await begin(plays(says('1', call('look', { name: 'a' })), failure, says('bye'))).go();
    const last = conversation.history.at(-1)!;
    assert.ok(last.type === 'finished' && last.problem?.next === 'Start it, then resume.');
    conversation.resume();
    await conversation.rested();
    assert.equal(statusOf(conversation.history), 'idle');
    assertAccepted(conversation.history);
  });
});

describe('a message sent during a run', () => {
  it('is added to the conversation before the next model call', async () => {
    const conversation = begin(
      plays(
        () => {
          conversation.say('Faster.');
          return says('1', call('look', { name: 'a' }));
        },
        (request) => {
          assert.deepEqual(
            request.messages.slice(-2).map(({ role }) => role),
            ['tool', 'user'],
          );
          return says('bye');
        },
      ),
    );
    await conversation.go();
    assert.deepEqual(
      toMessages(conversation.history).map(({ role }) => role),
      ['system', 'user', 'assistant', 'tool', 'user', 'assistant'],
    );
  });

  it('is answered if it arrives during the last reply', async () => {
    const conversation = begin(
      plays(() => {
        conversation.say('One more thing.');
        return says('Done.');
      }, says('That too.')),
    );
    await conversation.go();
    assert.deepEqual(
      toMessages(conversation.history)
        .map(({ role, content }) => `${role}: ${content}`)
        .slice(2),
      ['assistant: Done.', 'user: One more thing.', 'assistant: That too.'],
    );
  });
});
