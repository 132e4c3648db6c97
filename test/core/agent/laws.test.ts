import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import * as z from 'zod';
import type { Conversation } from '../../../src/core/session/conversation';
import type { Checkpoints } from '../../../src/core/ports/checkpoints';
import { pendingActions, undecidedActions } from '../../../src/core/log/openActions';
import { statusOf } from '../../../src/core/log/status';
import { LogWriteFailed } from '../../../src/core/session/durableRetry';
import { toMessages } from '../../../src/core/model/messages';
import { defineTool } from '../../../src/core/tools/defineTool';
import type { Event } from '../../../src/protocol/events/event';
import { assertAccepted, begin, call, partsFor, plays, ran, revived, says, tools, types } from './story';

const observations = (history: readonly Event[]) =>
  history.flatMap((event) => (event.type === 'observation' ? [event.actionId] : []));
const actions = (history: readonly Event[]) =>
  history.flatMap((event) => (event.type === 'agent_response' ? event.actions.map(({ id }) => id) : []));
function assertObservedOnce(history: readonly Event[]) {
  assert.deepEqual([...observations(history)].sort(), [...actions(history)].sort());
}

describe('the laws of the log', () => {
  beforeEach(() => void ran.splice(0));

  describe('1: every action gets exactly one observation', () => {
    it('after an abort in a tool', async () => {
      const conversation = begin(
        plays(says('x', call('command', { name: 'slow' }), call('command', { name: 'later' }))),
      );
      conversation.wake();
      while (!ran.includes('command slow')) await new Promise((resolve) => setImmediate(resolve));
      await conversation.interrupt();
      assert.deepEqual(types(conversation.history).slice(2), [
        'action_started',
        'observation:interrupted',
        'observation:skipped',
        'paused',
      ]);
      assertObservedOnce(conversation.history);
      assertAccepted(conversation.history);
    });
    it('and an abort in the model call keeps the partial reply', async () => {
      const conversation = begin(
        plays(
          (request, signal) =>
            new Promise((_resolve, reject) => {
              request.onDelta?.({ kind: 'text', text: 'Half a th' });
              signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
            }),
          says('bye'),
        ),
      );
      conversation.wake();
      await new Promise((resolve) => setImmediate(resolve));
      await conversation.interrupt();
      assert.deepEqual(types(conversation.history), ['task_started', 'agent_response', 'paused']);
      conversation.say('Go on.');
      await conversation.rested();
      assert.equal(statusOf(conversation.history), 'idle');
      assertAccepted(conversation.history);
    });
    it('after a stop while it waits for approval', async () => {
      const conversation = await begin(
        plays(says('x', call('risk', { name: 'a' }), call('risk', { name: 'b' })), says('bye')),
      ).go();
      await conversation.stop();
      assert.deepEqual(types(conversation.history).slice(-2), ['observation:skipped', 'finished:stopped']);
      assertObservedOnce(conversation.history);
    });
    it('and every prefix of a log can be resumed, without running anything twice or without approval', async () => {
      const script = () => [
        says('1', call('look', { name: 'a' }, 'i1'), call('look', { name: 'b' }, 'i2')),
        says('2', call('command', { name: 'c' }, 'i3'), call('risk', { name: 'd' }, 'i4'), call('nope', {}, 'i5')),
        says(''),
        says('3', call('finish', { summary: 'Done.' }, 'i6')),
      ];
      const approve = async (conversation: Conversation) => {
        for (const action of undecidedActions(conversation.history)) conversation.approve(action.id);
        await conversation.rested();
      };
      const whole = await begin(plays(...script())).go();
      await approve(whole);
      assert.equal(statusOf(whole.history), 'finished');
      assert.ok(whole.history.length > 15);
      for (let length = 1; length <= whole.history.length; length++) {
        const prefix = revived(whole.history.slice(0, length));
        assertAccepted(prefix);
        const consented = prefix.some((event) => event.type === 'confirmation_resolved');
        const begun = new Set(prefix.flatMap((event) => (event.type === 'action_started' ? [event.actionId] : [])));
        ran.splice(0);
        const again = begin(
          plays(
            ...script().slice(prefix.filter((event) => event.type === 'agent_response').length),
            says('more', call('finish', { summary: 'Done.' })),
          ),
          { saved: prefix },
        );
        await again.go();
        if (!consented) assert.ok(!ran.includes('risk d'), `prefix ${length} ran what nobody allowed`);
        if (begun.has('i3')) assert.ok(!ran.includes('command c'), `prefix ${length} ran twice what may have begun`);
        await approve(again);
        if (statusOf(again.history) === 'idle') (again.say('Finish.'), await again.rested());
        assert.equal(statusOf(again.history), 'finished', `prefix ${length}`);
        assert.equal(new Set(ran).size, ran.length);
        assertObservedOnce(again.history);
        assertAccepted(again.history);
      }
    });
  });

  it('2: a reply is recorded before it is checked, even if its call is invalid', async () => {
    const { history } = await begin(plays(says('', call('nope', {})), says('bye'))).go();
    const [, response] = history;
    assert.ok(response?.type === 'agent_response' && response.actions[0]?.problem && response.usage.cost === 0.01);
    assert.match(response.actions[0].summary, /^Invalid call: /);
  });

  it('3: resuming a run approves nothing', async () => {
    const conversation = await begin(plays(says('x', call('risk', { name: 'a' })))).go();
    for (let times = 0; times < 3; times++) {
      conversation.append({ type: 'paused', reason: 'test' });
      conversation.resume();
      await conversation.rested();
    }
    assert.equal(statusOf(conversation.history), 'waiting_for_confirmation');
    assert.deepEqual(ran, []);
  });

  it('4: a group waits for all its actions, even if one fails', async () => {
    const { history } = await begin(
      plays(says('x', call('look', { name: 'boom' }), call('look', { name: 'b' })), says('bye')),
    ).go();
    assert.deepEqual(types(history).slice(4, 6), ['observation:error', 'observation:ok']);
  });

  it('5: an action is durable in the log before it runs, and never runs again', async () => {
    const order: string[] = [];
    const conversation = begin(plays(says('x', call('command', { name: 'a' })), says('bye')), {
      durable: async () => void order.push(`durable after ${conversation.history.at(-1)!.type}, ran ${ran.length}`),
    });
    await conversation.go();
    assert.equal(order[0], 'durable after action_started, ran 0');

    const started = revived(conversation.history.slice(0, 3));
    ran.splice(0);
    const again = await begin(plays(says('bye')), { saved: started }).go();
    assert.deepEqual(ran, []);
    assert.deepEqual(types(again.history).slice(3), ['observation:unknown', 'agent_response']);
  });

  it('5b: a run waits with a notice while the log cannot be written, then continues', async () => {
    let full = true;
    const conversation = begin(plays(says('x', call('command', { name: 'a' })), says('bye')), {
      durable: async () => {
        if (full) throw new Error('The disk is full.');
      },
    });
    conversation.wake();
    while (conversation.history.at(-1)!.type !== 'notice') await new Promise((resolve) => setTimeout(resolve, 5));
    assert.deepEqual([ran, types(conversation.history).slice(-2)], [[], ['action_started', 'notice']]);
    full = false;
    await conversation.rested();
    assert.deepEqual(ran, ['command a']);
    assert.deepEqual(types(conversation.history).slice(2), [
      'action_started',
      'notice',
      'notice',
      'observation:ok',
      'agent_response',
    ]);
  });

  it('5c: a run that waits for its log can be stopped before its action runs', async () => {
    const conversation = begin(plays(says('x', call('command', { name: 'a' }))), {
      durable: async () => {
        throw new Error('The disk is full.');
      },
    });
    conversation.wake();
    while (conversation.history.at(-1)!.type !== 'notice') await new Promise((resolve) => setTimeout(resolve, 5));
    await conversation.stop();
    assert.deepEqual([ran, types(conversation.history).slice(-2)], [[], ['observation:skipped', 'finished:stopped']]);
    assertObservedOnce(conversation.history);
  });

  it('5d: a run waits for each failed write of the log, and fails only after its patience ends', async () => {
    const quick = { pause: 1, passing: 60_000, lasting: 5 };
    const fails = [true, true, false, true, false];
    const durable = async () => {
      if (fails.shift()) throw new Error('The disk is full.');
    };
    const story = () =>
      plays(says('x', call('command', { name: 'a' })), says('y', call('command', { name: 'b' })), says('bye'));
    const { history } = await begin(story(), { durable, patience: quick }).go();
    assert.deepEqual(ran.splice(0), ['command a', 'command b']);
    assert.equal(history.at(-1)!.type, 'agent_response');
    assert.equal(history.filter(({ type }) => type === 'notice').length, 4);

    const never = async () => {
      throw new LogWriteFailed('There is no permission.', true);
    };
    const ended = await begin(story(), { durable: never, patience: quick }).go();
    assert.deepEqual([ran, types(ended.history).slice(-2)], [[], ['observation:skipped', 'finished:failed']]);
    assertObservedOnce(ended.history);
  });

  it('5e: a read that reaches another machine is durable in the log before it runs', async () => {
    const order: string[] = [];
    const fetches = defineTool({
      name: 'fetch',
      description: 'fetch',
      input: z.object({}),
      effect: 'reads',
      lasting: true,
      summarize: () => 'Fetch',
      run: async () => {
        order.push('fetched');
        return { content: 'A page.' };
      },
    });
    const conversation = begin(plays(says('x', call('fetch', {})), says('bye')), {
      parts: { tools: [...tools, fetches] },
      durable: async () => void order.push(`durable after ${conversation.history.at(-1)!.type}`),
    });
    await conversation.go();
    assert.deepEqual(order.slice(0, 2), ['durable after action_started', 'fetched']);
  });

  it('5f: the checkpoint and the log are written at the same time, and the action runs after both', async () => {
    const order: string[] = [];
    const checkpoint = async () => {
      order.push('checkpoint');
      return { after: async () => undefined, ended: () => void order.push(`ended, ran ${ran.length}`) };
    };
    const checkpoints: Checkpoints = {
      canUndo: () => true,
      before: checkpoint,
      beforeUnchanging: checkpoint,
      hookBegins: () => Promise.resolve(),
      ended: async () => undefined,
      settled: async () => undefined,
    };
    const { environment } = partsFor(plays());
    const conversation = begin(plays(says('x', call('change', { name: 'a' })), says('bye')), {
      parts: { environment: { ...environment, checkpoints } },
      durable: async () => {
        if (conversation.history.at(-1)!.type !== 'action_started') return;
        while (!order.includes('checkpoint')) await new Promise((resolve) => setTimeout(resolve, 1));
        order.push(`kept, ran ${ran.length}`);
      },
    });
    await conversation.go();
    assert.deepEqual(order, ['checkpoint', 'kept, ran 0', 'ended, ran 1']);
  });

  it('5g: an action that is interrupted while the log is written does not run', async () => {
    let stopped: Promise<unknown> | undefined;
    const conversation = begin(plays(says('x', call('change', { name: 'a' })), says('bye')), {
      durable: async () => {
        if (stopped || conversation.history.at(-1)!.type !== 'action_started') return;
        await new Promise((resolve) => setTimeout(resolve, 5));
        stopped = conversation.interrupt('Enough.');
      },
    });
    await conversation.go();
    await stopped;
    assert.ok(stopped);
    assert.deepEqual(ran, []);
    assert.equal(observations(conversation.history).length, 1);
  });

  it('6: messages enter between steps, and each is read once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom('before', 'during', 'after'), { maxLength: 8 }), async (moments) => {
        let step = 0;
        const conversation = begin(
          plays(
            ...moments.map((moment, index) => () => {
              if (moment === 'during') conversation.say(`said ${++step}`);
              return says('go', call('look', { name: 'a' }), call('command', { name: `b${index}` }));
            }),
            says('bye'),
            says('bye'),
            says('bye'),
          ),
          {
            listener: {
              onEvent: (event) => {
                if (event.type === 'observation' && moments.includes('after') && step++ < 3)
                  conversation.say('while acting');
              },
            },
          },
        );
        await conversation.go();
        assertAccepted(conversation.history);
        const read = toMessages(conversation.history).flatMap(({ role, content }) =>
          role === 'user' ? content.split('\n\n') : [],
        );
        assert.deepEqual(
          read.slice(1).sort(),
          conversation.history.flatMap((event) => (event.type === 'user_message' ? [event.text] : [])).sort(),
        );
      }),
      { numRuns: 40 },
    );
  });

  it('7: the log only grows, and equals the written log', async () => {
    const conversation = begin(plays(says('x', call('look', { name: 'a' })), says('bye')));
    const before = JSON.stringify(conversation.history[0]);
    await conversation.go();
    assert.equal(JSON.stringify(conversation.history[0]), before);
    assert.deepEqual(
      conversation.written,
      conversation.history.map((event) => JSON.stringify(event)),
    );
    assert.deepEqual(
      conversation.history.map(({ seq }) => seq),
      conversation.history.map((_event, index) => index),
    );
  });

  it('projections of a growing log equal those of a complete log', async () => {
    const conversation = await begin(
      plays(says('1', call('look', { name: 'a' })), says('2', call('risk', { name: 'b' }))),
    ).go();
    for (let length = 1; length <= conversation.history.length; length++) {
      const growing: Event[] = [];
      for (const event of conversation.history.slice(0, length)) {
        growing.push(event);
        statusOf(growing);
        toMessages(growing);
      }
      const whole = conversation.history.slice(0, length);
      assert.deepEqual(
        [statusOf(growing), pendingActions(growing), toMessages(growing)],
        [statusOf(whole), pendingActions(whole), toMessages(whole)],
      );
    }
  });
});
