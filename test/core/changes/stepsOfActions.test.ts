import { strict as assert } from 'node:assert';
import { stepsOfActions, textOfTurns } from '../../../src/core/changes/stepsOfActions';
import type { Event, NewEvent } from '../../../src/protocol/events/event';
import { agentResponse, leastUsage, taskStarted } from '../../support/newEvents';

const asks = (id: string, readUpTo: number): NewEvent =>
  agentResponse('', {
    readUpTo,
    actions: [
      { id, tool: 't', input: {}, summary: id, group: 0, effect: 'writes', risk: { level: 'low', reasons: [] } },
    ],
    usage: leastUsage,
    finishReason: 'tool_calls',
  });
const ended = (actionId: string): NewEvent => ({
  type: 'observation',
  actionId,
  outcome: 'ok',
  content: '',
  durationMs: 1,
});
const says = (text: string, more: Partial<Extract<NewEvent, { type: 'user_message' }>> = {}): NewEvent => ({
  type: 'user_message',
  text,
  ...more,
});
const logOf = (...events: NewEvent[]): Event[] => events.map((event, seq) => ({ ...event, seq, at: seq }) as Event);
const turnsIn = (log: readonly Event[]): [string, number][] =>
  Array.from(stepsOfActions(log), ([id, { turn }]) => [id, turn]);

describe('steps of actions', () => {
  it('belong to the turn of the last message the model read, not of a queued one', () => {
    const log = logOf(
      taskStarted('task'),
      asks('a', 1),
      says('queued'),
      ended('a'),
      asks('b', 2),
      ended('b'),
      asks('c', 6),
      ended('c'),
    );
    assert.deepEqual(turnsIn(log), [
      ['a', 1],
      ['b', 1],
      ['c', 2],
    ]);
    assert.deepEqual(textOfTurns(log), ['task', 'queued']);
  });

  it('stay in their turn after a withdrawn message; an edited message begins one turn', () => {
    const log = logOf(
      taskStarted('task'),
      asks('a', 1),
      says('never mind'),
      { type: 'message_changed', message: 2, change: 'taken_back' },
      ended('a'),
      asks('b', 5),
      says('frist'),
      { type: 'message_changed', message: 6, change: 'held' },
      ended('b'),
      asks('c', 9),
      says('first', { instead: 6 }),
      ended('c'),
      asks('d', 12),
    );
    assert.deepEqual(turnsIn(log), [
      ['a', 1],
      ['b', 1],
      ['c', 1],
      ['d', 2],
    ]);
    assert.deepEqual(textOfTurns(log), ['task', 'first']);
  });

  it('begin a turn after a steering message', () => {
    const log = logOf(
      taskStarted('task'),
      asks('a', 1),
      says('steer', { delivery: 'steer' }),
      ended('a'),
      asks('b', 4),
    );
    assert.deepEqual(turnsIn(log), [
      ['a', 1],
      ['b', 2],
    ]);
  });

  it('name the event that ends an action, even in a growing log', () => {
    const log = logOf(taskStarted('task'), asks('a', 1));
    assert.equal(stepsOfActions(log).get('a')!.endedAt, undefined);
    log.push({ ...ended('a'), seq: 2, at: 2 } as Event);
    assert.equal(stepsOfActions(log).get('a')!.endedAt, 2);
  });
});
