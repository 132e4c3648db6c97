import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { statusOf } from '../../../src/core/log/status';
import { undecidedActions, pendingActions } from '../../../src/core/log/openActions';
import { toMessages } from '../../../src/core/model/messages';
import { withRetries } from '../../../src/core/model/decorators/withRetries';
import { ModelProblem, type ModelReply } from '../../../src/core/ports/model';
import type { Conversation } from '../../../src/core/session/conversation';
import type { Event } from '../../../src/protocol/events/event';
import { assertAccepted, begin, call, plays, ran, revived, says, types } from './story';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const three = () => [says('1', call('look', { name: 'a' })), says('2', call('command', { name: 'b' })), says('bye')];

describe('the controls of a run', () => {
  beforeEach(() => void ran.splice(0));

  it('pause a run at its next checkpoint and resume it', async () => {
    const conversation = begin(plays(...three()), {
      listener: {
        onEvent: (event) => {
          if (event.type === 'agent_response' && event.text === '1') conversation.pause();
        },
      },
    });
    await conversation.go();
    assert.deepEqual([statusOf(conversation.history), ran], ['paused', []]);
    const halt = conversation.history.at(-1)!;
    assert.equal(halt.type === 'paused' && halt.checkpoint, 'before_acting');
    conversation.resume();
    await conversation.rested();
    assert.deepEqual([statusOf(conversation.history), ran], ['idle', ['look a', 'command b']]);
  });

  it('do not start an interrupted run when the mode changes or condensing is requested', async () => {
    const conversation = begin(plays(...three()));
    conversation.setMode('plan');
    conversation.condense();
    assert.deepEqual([conversation.running, statusOf(conversation.history)], [false, 'ready']);
    conversation.resume();
    await conversation.rested();
    assert.equal(statusOf(conversation.history), 'idle');
  });

  it('renew a request that waits for its retry: a message, another model or another mode goes with it', async () => {
    const limited = () => new ModelProblem('rate_limit', { what: 'Rate limit reached.', why: '429.', next: 'Wait.' });
    const happenings = [
      (conversation: Conversation) => conversation.say('Use tabs.'),
      (conversation: Conversation) => conversation.say('Use tabs.', { delivery: 'steer' }),
      (conversation: Conversation) => conversation.setMode('plan'),
      (conversation: Conversation) =>
        conversation.append({ type: 'settings_changed', model: { name: 'n', provider: 'p', contextWindow: null } }),
    ];
    for (const happens of happenings) {
      const model = plays(limited(), says('Done.'));
      const conversation: ReturnType<typeof begin> = begin(model, {
        parts: { model: withRetries(model, { sleep: async () => void happens(conversation) }) },
      });
      await conversation.go();
      assert.deepEqual(types(conversation.history).slice(-1), ['agent_response'], happens.toString());
      const answer = conversation.history.at(-1)!;
      assert.ok(answer.type === 'agent_response' && answer.readUpTo === conversation.history.length - 1);
      assert.equal(model.requests.length, 2);
      assert.equal(conversation.waiting.length, 0);
      const isSaid = types(conversation.history).includes('user_message');
      assert.equal(JSON.stringify(model.requests[1]!.messages).includes('Use tabs.'), isSaid);
      assertAccepted(conversation.history);
    }
  });

  it('leave a request that waits for its retry alone while the person still edits the message', async () => {
    const model = plays(
      new ModelProblem('rate_limit', { what: 'Limited.', why: '429.', next: 'Wait.' }),
      says('Done.'),
      says('Seen.'),
    );
    const conversation: ReturnType<typeof begin> = begin(model, {
      parts: {
        model: withRetries(model, {
          sleep: async () => {
            conversation.say('Use tabs.');
            conversation.takeBack(conversation.history.length - 1, 'held');
          },
        }),
      },
    });
    await conversation.go();
    assert.equal(JSON.stringify(model.requests[1]!.messages), JSON.stringify(model.requests[0]!.messages));
    assert.equal(conversation.waiting.length, 1);
  });

  it('step from checkpoint to checkpoint, and resume to the end', async () => {
    const conversation = begin(plays(...three()));
    const halts: (string | undefined)[] = [];
    for (let steps = 0; steps < 3; steps++) {
      conversation.step();
      await conversation.rested();
      const last = conversation.history.at(-1)!;
      halts.push(last.type === 'paused' ? last.checkpoint : last.type);
    }
    assert.deepEqual(halts, ['before_acting', 'before_reasoning', 'before_acting']);
    assert.deepEqual(ran, ['look a']);
    conversation.resume();
    await conversation.rested();
    assert.deepEqual([statusOf(conversation.history), ran], ['idle', ['look a', 'command b']]);
  });

  it('stop a run at either checkpoint, with a summary of its work', async () => {
    for (const halts of [1, 2]) {
      ran.splice(0);
      const conversation = begin(plays(...three()));
      for (let steps = 0; steps < halts; steps++) {
        conversation.step();
        await conversation.rested();
      }
      await conversation.stop();
      const last = conversation.history.at(-1)!;
      assert.ok(last.type === 'finished' && last.status === 'stopped' && last.cause === 'person');
      assert.match(last.summary, /^You stopped this run\. /);
      assert.match(last.summary, halts === 1 ? /Nothing has been done yet/ : /1 action was done.*Last message: 1/);
      assert.equal(pendingActions(conversation.history).length, 0);
      assertAccepted(conversation.history);
    }
  });

  it('tell a person what they did, and a running call in the third person, because the model may read that', async () => {
    const reasons: unknown[] = [];
    const held = () =>
      plays(
        (_request, signal) =>
          new Promise<ModelReply>((_resolve, reject) =>
            signal.addEventListener('abort', () => (reasons.push(signal.reason), reject(signal.reason as Error))),
          ),
      );
    for (const end of ['stop', 'interrupt'] as const) {
      const model = held();
      const conversation = begin(model);
      conversation.wake();
      while (model.requests.length === 0) await turn();
      await conversation[end]();
      const last = conversation.history.at(-1)!;
      if (end === 'stop') assert.match(last.type === 'finished' ? last.summary : '', /^You stopped this run\./);
      else assert.match((last.type === 'paused' && last.reason) || '', /^You interrupted this run\.$/);
    }
    assert.deepEqual(reasons, ['The user stopped this run.', 'The user interrupted this run.']);
  });

  it('keep a message that arrives while a run is being stopped', async () => {
    const conversation = begin(
      plays(
        (_request, signal) =>
          new Promise<ModelReply>((_resolve, reject) =>
            signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
          ),
        says('heard'),
      ),
    );
    conversation.wake();
    await turn();
    const stopped = conversation.stop();
    conversation.say('Wait, do this instead.');
    await stopped;
    await conversation.rested();
    assert.deepEqual(types(conversation.history), [
      'task_started',
      'user_message',
      'finished:stopped',
      'resumed',
      'agent_response',
    ]);
    assert.match(JSON.stringify(toMessages(conversation.history)), /do this instead/);
  });

  it('append a steering message to the next tool result', async () => {
    const model = plays(says('1', call('command', { name: 'slowly' })), says('bye'));
    const conversation = begin(model, {
      listener: {
        onEvent: (event) => {
          if (event.type === 'action_started') conversation.say('Use tabs.', { delivery: 'steer' });
        },
      },
    });
    await conversation.go();
    const last = model.requests.at(-1)!.messages.at(-1)!;
    assert.deepEqual([last.role, last.content], ['tool', 'command slowly done\n\n[The user says: Use tabs.]']);
    assert.equal(statusOf(conversation.history), 'idle');
  });

  it('reject actions that change something in plan mode, and tell the model when the mode ends', async () => {
    const model = plays(
      says('1', call('change', { name: 'x' }), call('risk', { name: 'y' }), call('command', { name: 'look' })),
      says('A plan.'),
      says('Done.'),
    );
    const conversation = await begin(model, { first: { mode: 'plan' } }).go();
    assert.deepEqual(ran, ['command look']);
    assert.deepEqual(types(conversation.history).slice(2), [
      'observation:rejected',
      'observation:rejected',
      'action_started',
      'observation:ok',
      'agent_response',
    ]);
    assert.ok(!model.requests[0]!.tools.some(({ name }) => name === 'change'));
    conversation.setMode('confirm');
    conversation.say('Do it.');
    await conversation.rested();
    assert.match(model.requests.at(-1)!.messages.at(-1)!.content, /Plan mode has ended.*\n\nDo it\./s);
    assert.ok(model.requests.at(-1)!.tools.some(({ name }) => name === 'change'));
  });

  it('run the user’s commands in human mode without a model request, and show them to the model later', async () => {
    const model = plays(says('I see.'));
    const conversation = await begin(model, { first: { mode: 'human' } }).go();
    assert.equal(statusOf(conversation.history), 'idle');
    conversation.say('ls');
    await conversation.rested();
    assert.equal(model.requests.length, 0);
    assert.equal(statusOf(conversation.history), 'idle');
    conversation.setMode('confirm');
    await conversation.rested();
    assert.equal(model.requests.length, 1);
    assert.match(model.requests[0]!.messages.at(-1)!.content, /The user ran this: ls/);
    assertAccepted(conversation.history);
  });

  it('do not run a message sent before human mode as a command', async () => {
    const conversation = begin(
      plays(
        (_request, signal) =>
          new Promise<ModelReply>((_resolve, reject) =>
            signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
          ),
      ),
    );
    conversation.wake();
    await turn();
    conversation.say('rm -rf everything, that is what I fear');
    await conversation.interrupt();
    conversation.setMode('human');
    conversation.resume();
    await conversation.rested();
    assert.deepEqual([statusOf(conversation.history), ran], ['idle', []]);
  });

  it('continue a run that reached its limit when the limit is raised', async () => {
    const conversation = await begin(
      plays(says('1', call('look', { name: 'a' })), says('2', call('look', { name: 'b' })), says('bye')),
      { first: { limits: { steps: 1, cost: 0, seconds: 0 } } },
    ).go();
    assert.equal(types(conversation.history).at(-1), 'finished:limit_exceeded');
    conversation.setLimits({ steps: 5, cost: 0, seconds: 0 });
    await conversation.rested();
    assert.equal(statusOf(conversation.history), 'idle');
  });

  it('keep the log valid for a strict provider and run nothing twice, in any order of use', async () => {
    const reply = fc.oneof(
      fc.record({
        kind: fc.constant('calls' as const),
        calls: fc.array(fc.constantFrom('look', 'change', 'command', 'risk', 'nope', 'boom', 'broken', 'finish'), {
          minLength: 1,
          maxLength: 4,
        }),
      }),
      fc.record({
        kind: fc.constantFrom(
          'text' as const,
          'empty' as const,
          'cut' as const,
          'fault' as const,
          'overflow' as const,
          'slow' as const,
        ),
      }),
    );
    const control = fc.constantFrom(
      'pause',
      'resume',
      'step',
      'interrupt',
      'stop',
      'say',
      'steer',
      'approve',
      'refuse',
      'auto',
      'confirm',
      'plan',
      'human',
      'condense',
      'turn',
      'turn',
      'turn',
      'revive',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(reply, { minLength: 1, maxLength: 12 }),
        fc.array(control, { maxLength: 30 }),
        async (replies, controls) => {
          ran.splice(0);
          let actions = 0;
          const script = replies.map((one) => (): Promise<ModelReply> | ModelReply => {
            switch (one.kind) {
              case 'calls':
                return says(
                  'go',
                  ...one.calls.map((name) => {
                    const id = `i${++actions}`;
                    if (name === 'boom') return call('command', { name: 'boom' }, id);
                    if (name === 'broken') return call('look', '{"name":', id);
                    if (name === 'finish') return call('finish', { summary: 'Done.' }, id);
                    return call(name, { name: id }, id);
                  }),
                );
              case 'text':
                return says('Hello.');
              case 'empty':
                return says('');
              case 'cut':
                return { ...says('Half of a'), finishReason: 'length' };
              case 'fault':
                throw new ModelProblem('server', { what: 'It failed.', why: 'Because.', next: 'Again.' });
              case 'overflow':
                throw new ModelProblem('context_overflow', { what: 'Too long.', why: 'It is.', next: 'Shorten.' });
              case 'slow':
                return new Promise((resolve) =>
                  setImmediate(() => resolve(says('Slowly.', call('look', { name: 'z' })))),
                );
            }
          });
          const model = plays(...script);
          const condenser = {
            condense: async (history: readonly Event[]) => {
              const request = history.findLast(
                (event) => event.type === 'condensation_requested' || event.type === 'condensation',
              );
              const first = history.findIndex((event) => event.type === 'agent_response');
              const legal = history.findIndex(
                (event, index) =>
                  index > first &&
                  event.type === 'agent_response' &&
                  !history
                    .slice(index)
                    .some(
                      (later) =>
                        later.type === 'observation' &&
                        history
                          .slice(0, index)
                          .some(
                            (before) =>
                              before.type === 'agent_response' &&
                              before.actions.some(({ id }) => id === later.actionId),
                          ),
                    ),
              );
              if (request?.type !== 'condensation_requested' || first < 0 || legal < 0) return undefined;
              return {
                type: 'condensation' as const,
                forgotten: history.slice(first, legal).map(({ seq }) => seq),
                summary: 'Earlier: something.',
              };
            },
          };
          let conversation = begin(model, { parts: { condenser } });
          const halting: Promise<void>[] = [];
          conversation.wake();
          for (const what of controls) {
            const [waiting] = undecidedActions(conversation.history);
            switch (what) {
              case 'pause':
                conversation.pause();
                break;
              case 'resume':
                conversation.resume();
                break;
              case 'step':
                conversation.step();
                break;
              case 'interrupt':
                halting.push(conversation.interrupt());
                break;
              case 'stop':
                halting.push(conversation.stop());
                break;
              case 'say':
                conversation.say('Words.');
                break;
              case 'steer':
                conversation.say('Steering words.', { delivery: 'steer' });
                break;
              case 'approve':
                if (waiting) conversation.approve(waiting.id);
                break;
              case 'refuse':
                if (waiting) conversation.refuse(waiting.id, { comment: 'No.' });
                break;
              case 'condense':
                conversation.condense();
                break;
              case 'turn':
                await turn();
                break;
              case 'revive': {
                await Promise.all(halting.splice(0));
                await conversation.interrupt('The window was closed.');
                conversation = begin(model, { saved: revived(conversation.history), parts: { condenser } });
                conversation.wake();
                break;
              }
              default:
                conversation.setMode(what);
            }
            assertAccepted(conversation.history);
          }
          await Promise.all(halting);
          await conversation.interrupt();
          await conversation.rested();
          assert.equal(conversation.running, false);
          const observed = conversation.history.flatMap((event) =>
            event.type === 'observation' ? [event.actionId] : [],
          );
          assert.equal(new Set(observed).size, observed.length, 'one observation for each action');
          const began = conversation.history.flatMap((event) =>
            event.type === 'action_started' ? [event.actionId] : [],
          );
          assert.equal(new Set(began).size, began.length, 'nothing runs twice');
          for (let length = 1; length <= conversation.history.length; length++)
            assertAccepted(conversation.history.slice(0, length));
        },
      ),
      { numRuns: 150 },
    );
  });
});
