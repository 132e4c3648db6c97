import { strict as assert } from 'node:assert';
import type { Event } from '../../../src/protocol/events/event';
import type { ModelRequest } from '../../../src/core/ports/model';
import { requestAt } from '../../../src/core/trajectory/requestAt';
import { outlineOf, requestPair, wholeMessage } from '../../../src/core/trajectory/requestDiff';
import { action } from '../../support/newEvents';
import { answer, begin, fullRun, logOfRun, longRun, seen } from '../../support/trajectory';
import { askedOf } from './asked';

const replies = (log: readonly Event[]) => log.filter((event) => event.type === 'agent_response');

describe('the request of a step', () => {
  it('is what the loop really sent, message for message and tool for tool, in every profile', async () => {
    for (const profile of ['waymark', 'mini', 'mini-text', 'hermes', 'openhands', 'workgraph']) {
      const { sent, history } = await askedOf(profile);
      const asked = replies(history).filter((reply) => reply.by !== 'person');
      assert.ok(
        asked.length >= 1 && sent.length >= asked.length,
        `${profile}: ${sent.length} requests, ${asked.length} replies`,
      );
      asked.forEach((reply, index) => {
        const { messages, tools } = requestAt(history, reply.seq)!;
        const plain = ({ messages: all, tools: some }: Pick<ModelRequest, 'messages' | 'tools'>) =>
          JSON.parse(
            JSON.stringify({
              messages: all,
              tools: some.map(({ name, description, parameters }) => ({ name, description, parameters })),
            }),
          ) as unknown;
        assert.deepEqual(plain({ messages, tools }), plain(sent[index]!), `${profile}, request ${index}`);
      });
    }
  });

  it('is none where a person typed the action', () => {
    const log = logOfRun([
      begin('t'),
      answer('', [action('a', 'run_command', { command: 'ls' }, 'Run ls')], { by: 'person' }),
      seen('a', ''),
    ]);
    assert.equal(requestAt(log, 1), undefined);
    assert.equal(requestAt(log, 0), undefined);
  });

  it('continues the one before where nothing was rewritten', () => {
    const log = fullRun();
    const [first, second] = replies(log);
    const one = outlineOf(log, requestPair(log, first!.seq)!);
    assert.equal(one.previous, undefined);
    const two = outlineOf(log, requestPair(log, second!.seq)!);
    assert.deepEqual(
      [two.previous!.same, two.previous!.characters, two.toolsChanged],
      [2, two.previous!.sameCharacters, false],
    );
    assert.deepEqual(
      two.messages.map(({ index, role, state }) => [index, role, state]),
      [
        [2, 'assistant', 'new'],
        [3, 'tool', 'new'],
        [4, 'tool', 'new'],
        [5, 'tool', 'new'],
      ],
    );
  });

  it('says where it leaves the one before, what is left out and what only moved', async () => {
    const log = fullRun();
    const last = replies(log).at(-1)!;
    const pair = requestPair(log, last.seq)!;
    const { previous, messages } = outlineOf(log, pair);
    assert.equal(previous!.same, 1);
    assert.ok(previous!.sameCharacters < previous!.characters / 2);
    assert.equal(messages[0]!.state, 'changed');
    assert.ok(messages.some(({ state }) => state === 'moved') && messages.some(({ state }) => state === 'new'));
    assert.ok(previous!.dropped.some(({ line }) => /AssertionError/.test(line)));
    const whole = await wholeMessage(pair, 1);
    assert.ok(
      whole!.hunks!.some(({ lines }) =>
        lines.some((line) => line.startsWith('+') && line.includes('The task names a failing test')),
      ),
    );
    assert.equal(await wholeMessage(pair, 999), undefined);
  });

  it('says that other tools were offered, and which it has no definition of', () => {
    const log = logOfRun([
      begin('t'),
      answer('', [action('a', 'read_file', {}, 'Read')]),
      seen('a', ''),
      { type: 'settings_changed', mode: 'plan' },
      answer('A plan.'),
    ]);
    assert.equal(outlineOf(log, requestPair(log, 4)!).toolsChanged, true);
    const foreign = logOfRun([{ ...begin('t'), tools: ['read_file', 'of_another_program'] } as never, answer('x')]);
    assert.deepEqual(outlineOf(foreign, requestPair(foreign, 1)!).tools, [
      { name: 'read_file', known: true },
      { name: 'of_another_program', known: false },
    ]);
  });

  it('is told in pages where it is long', () => {
    const log = longRun(400);
    const pair = requestPair(log, replies(log).at(-1)!.seq)!;
    const first = outlineOf(log, pair, 0);
    assert.deepEqual([first.total, first.messages.length, first.messages[0]!.index], [800, 60, 0]);
    assert.equal(outlineOf(log, pair).messages[0]!.state, 'new');
  });
});
