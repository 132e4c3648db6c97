import { strict as assert } from 'node:assert';
import { chatModel } from '../../src/adapters/models/chat/chatModel';
import { statusOf } from '../../src/core/log/status';
import { toMessages } from '../../src/core/model/messages';
import { openhandsProfile } from '../../src/core/profiles/openhands';
import { ModelProblem, type ModelReply } from '../../src/core/ports/model';
import type { Event } from '../../src/protocol/events/event';
import { chunksOf, failure, reply, startModelServer, stream, toolCall } from '../support/modelServer';
import { conforms } from './support/conforms';
import { plays, says, usage, type Line, terminal, finish } from './support/script';
import { assertAccepted, ending, ofType } from './support/telling';

describe('as in the OpenHands SDK, what the model reads', () => {
  conforms(
    'OH-07',
    'a request that is too long leads to a condensation if there is a condenser, and otherwise ends the run',
    async (world) => {
      const words = 'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000';
      const begin = async (condenser: typeof openhandsProfile.condenser) => {
        const steps = Array.from({ length: 8 }, (_, index) => toolCall('terminal', { command: `echo step ${index}` }));
        const server = await startModelServer([
          ...steps,
          failure(400, words),
          reply('Eight steps ran.'),
          toolCall('finish', { message: 'Done.' }),
        ]);
        world.after(() => server.stop());
        return (
          await (
            await world.begin({
              profile: 'openhands',
              model: chatModel({ baseUrl: server.baseUrl, name: 'test-model' }),
              changes: { condenser },
            })
          ).go()
        ).conversation.history;
      };
      const condensed = await begin(openhandsProfile.condenser);
      assert.deepEqual(
        [
          ofType(condensed, 'condensation_requested').length,
          ofType(condensed, 'condensation')[0]?.reasons,
          ending(condensed).status,
        ],
        [1, ['request'], 'submitted'],
      );
      assertAccepted(condensed);
      const raised = await begin({ kind: 'none' });
      assert.deepEqual(
        [ofType(raised, 'condensation').length, ending(raised).status, ending(raised).cause],
        [0, 'failed', 'context_overflow'],
      );
    },
  );

  conforms(
    'OH-14',
    'the calls of one reply are one message followed by its results, adjacent user messages are joined, and every event is read back from its file unchanged',
    async (world) => {
      const model = plays(
        says('Both.', terminal('echo a', 'call_a'), terminal('echo b', 'call_b')),
        says('One moment.'),
        says('Done.'),
      );
      const run = await (await world.begin({ profile: 'openhands', model })).go();
      const { conversation } = run;
      conversation.append({ type: 'paused', reason: 'The case speaks.' });
      conversation.append({ type: 'user_message', text: 'First.' });
      conversation.append({ type: 'user_message', text: 'Second.' });
      conversation.wake();
      await conversation.rested();
      assert.deepEqual(
        model.requests.at(-1)!.messages.map(({ role }) => role),
        ['system', 'user', 'assistant', 'tool', 'tool', 'assistant', 'user'],
      );
      const [, , both] = model.requests.at(-1)!.messages;
      assert.deepEqual(both?.role === 'assistant' && both.tool_calls?.map(({ id }) => id), ['call_a', 'call_b']);
      assert.equal(model.requests.at(-1)!.messages.at(-1)!.content, 'First.\n\nSecond.');
      assert.deepEqual(run.saved(), JSON.parse(JSON.stringify(conversation.history)));
    },
  );

  conforms(
    'OH-15',
    'a user’s request condenses the middle at a valid cut; a summary that is too long is retried with less, five times, and then everything is kept',
    async (world) => {
      const steps = (count: number): ModelReply[] =>
        Array.from({ length: count }, (_, index) => says('', terminal(`echo step ${index}`, `call_s${index}`)));
      const asked = async (...lines: readonly Line[]) => {
        const model = plays(...steps(10), says('Ten ran.'), ...lines);
        const { conversation } = await (await world.begin({ profile: 'openhands', model })).go();
        const before = conversation.history.length;
        conversation.condense();
        await conversation.rested();
        assertAccepted(conversation.history);
        return { model, history: conversation.history, added: conversation.history.slice(before) };
      };
      const { history, added } = await asked(says('What went before.'));
      // 22 events are read. Half of them, less four and one, stay at the end, adjusted so that no call loses its
      // result.
      const read = history
        .filter(({ type }) => ['task_started', 'agent_response', 'observation'].includes(type))
        .map(({ seq }) => seq);
      const [condensation] = ofType(history, 'condensation');
      assert.deepEqual(
        [
          read.length,
          condensation!.reasons,
          read.map((seq) => condensation!.forgotten.includes(seq)).lastIndexOf(true),
          read.findIndex((seq) => condensation!.forgotten.includes(seq)),
        ],
        [22, ['request'], 16, 5],
      );
      assert.equal(added.at(-1)!.type, 'condensation');
      assert.equal(statusOf(history), 'idle', 'it rests as it rested');

      const tooLong = () =>
        new ModelProblem('context_overflow', {
          what: 'It is too long.',
          why: 'The window is full.',
          next: 'Shorten it.',
        });
      const reset = await asked(tooLong(), tooLong(), tooLong(), says('All of it.'));
      assert.equal(
        ofType(reset.history, 'condensation')[0]!.forgotten.length > condensation!.forgotten.length,
        true,
        'everything but the task is summarised',
      );
      const failed = await asked(...Array.from({ length: 7 }, tooLong), says('Too late.'));
      assert.deepEqual(
        [
          failed.model.requests.length,
          ofType(failed.history, 'notice').map(({ about }) => about),
          toMessages(failed.history).length,
        ],
        [11 + 7, ['condensation_failed'], 23],
      );
    },
  );

  conforms(
    'OH-20',
    'signed thinking is sent back first in its message, before its calls, and all results follow in order',
    async (world) => {
      const [head, ...rest] = chunksOf({
        text: 'Both.',
        calls: [
          { tool: 'terminal', input: { command: 'echo a' }, id: 'call_a' },
          { tool: 'terminal', input: { command: 'echo b' }, id: 'call_b' },
        ],
      });
      const blocks = [{ type: 'thinking', thinking: 'First a, then b.', signature: 'sealed' }];
      const thought = {
        id: 'chatcmpl-1',
        object: 'chat.completion.chunk',
        created: 1,
        model: 'test-model',
        choices: [{ index: 0, delta: { thinking_blocks: blocks }, finish_reason: null }],
      };
      const server = await startModelServer([
        stream([head!, thought, ...rest, '[DONE]']),
        toolCall('finish', { message: 'Done.' }),
      ]);
      world.after(() => server.stop());
      const {
        conversation: { history },
      } = await (
        await world.begin({ profile: 'openhands', model: chatModel({ baseUrl: server.baseUrl, name: 'test-model' }) })
      ).go();
      assert.equal(ending(history).status, 'submitted');
      const [, , assistant, first, second] = server.requests[1]!.body.messages;
      assert.deepEqual(assistant!.thinking_blocks, blocks);
      const keys = Object.keys(assistant!);
      assert.ok(
        keys.indexOf('thinking_blocks') < keys.indexOf('content') &&
          keys.indexOf('content') < keys.indexOf('tool_calls'),
        keys.join(),
      );
      assert.deepEqual(
        [
          assistant!.content,
          assistant!.tool_calls.map(({ id }: { id: string }) => id),
          first!.tool_call_id,
          second!.tool_call_id,
        ],
        ['Both.', ['call_a', 'call_b'], 'call_a', 'call_b'],
      );
    },
  );

  conforms(
    'OH-23',
    'of 81 events with a limit of 80, the first four, a summary and the last 35 stay, moved to a valid cut',
    async (world) => {
      const begun = ofType(
        (await world.begin({ profile: 'openhands', model: plays() })).conversation.history,
        'task_started',
      )[0]!;
      const talk = Array.from({ length: 80 }, (_, index): Event =>
        index % 2 === 0
          ? {
              seq: index + 1,
              at: 0,
              type: 'agent_response',
              readUpTo: index + 1,
              text: 'Yes.',
              actions: [],
              usage,
              model: 'story',
              finishReason: 'stop',
              durationMs: 1,
              firstTokenMs: 1,
            }
          : { seq: index + 1, at: 0, type: 'user_message', text: `Word ${index}.` },
      );
      const words = (
        await (
          await world.begin({
            profile: 'openhands',
            model: plays(says('What was said.'), says('Well.')),
            saved: [begun, ...talk],
          })
        ).go()
      ).conversation.history;
      const [condensation] = ofType(words, 'condensation');
      assert.deepEqual(condensation?.reasons, ['events']);
      assert.deepEqual(
        [Math.min(...condensation!.forgotten), Math.max(...condensation!.forgotten), condensation!.forgotten.length],
        [4, 45, 42],
      );
      assertAccepted(words);

      const model = plays(
        ...Array.from({ length: 40 }, (_, index) => says('', terminal(`echo ${index}`))),
        says('What was done.'),
        says('', finish()),
      );
      const { history } = (await (await world.begin({ profile: 'openhands', model })).go()).conversation;
      const read = history
        .filter(({ type }) => ['task_started', 'agent_response', 'observation'].includes(type))
        .map(({ seq }) => seq)
        .slice(0, 81);
      const forgotten = ofType(history, 'condensation')[0]!.forgotten;
      assert.deepEqual(
        [
          read.findIndex((seq) => forgotten.includes(seq)),
          read.map((seq) => forgotten.includes(seq)).lastIndexOf(true),
        ],
        [5, 46],
        'a step keeps its result on both sides',
      );
      assert.equal(ofType(history, 'condensation').length, 1);
      assertAccepted(history);
    },
  );
});
