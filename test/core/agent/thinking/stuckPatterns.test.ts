import { strict as assert } from 'node:assert';
import { detectLoop } from '../../../../src/core/agent/thinking/detectLoop';
import { stuckThresholds } from '../../../../src/core/profiles/waymark';
import type { StuckThresholds } from '../../../../src/core/ports/profile';
import { hermesProfile } from '../../../../src/core/profiles/hermes';
import { openhandsProfile } from '../../../../src/core/profiles/openhands';
import type { Event, NewEvent } from '../../../../src/protocol/events/event';
import { task, usage } from '../story';
import { agentResponse } from '../../../support/newEvents';

type Step = readonly [call: string, result: string, outcome?: 'ok' | 'error'];

let ids = 0;
const reply = (text: string, ...calls: string[]): Extract<NewEvent, { type: 'agent_response' }> =>
  agentResponse(text, {
    readUpTo: 0,
    usage,
    actions: calls.map((name) => ({
      id: `call_${++ids}`,
      tool: 'look',
      input: { name },
      summary: `look ${name}`,
      group: 0,
      risk: { level: 'low', reasons: [] },
      effect: 'reads',
    })),
  });
const says = (text = 'Hm.') => [reply(text)];
function step([name, content, outcome = 'ok']: Step): NewEvent[] {
  const response = reply('', name);
  return [
    response,
    { type: 'observation', actionId: response.actions[0]!.id, outcome, content, durationMs: Math.random() },
  ];
}
const steps = (count: number, ...cycle: Step[]): NewEvent[] =>
  Array.from({ length: count }, (_step, index) => step(cycle[index % cycle.length]!)).flat();
const logOf = (...events: NewEvent[][]): Event[] =>
  [task, ...events.flat()].map((event, seq) => ({ ...event, seq, at: Math.random() * 1e9 }) as Event);
const seen = (thresholds: StuckThresholds | null | undefined, ...events: NewEvent[][]): string => {
  const circle = detectLoop(logOf(...events), thresholds);
  return circle ? `${circle.pattern} ${circle.stop ? 'stop' : 'hint'}` : 'none';
};

const same: Step = ['a', 'same'];
const error: Step = ['a', 'no such file', 'error'];

describe('stuck patterns', () => {
  const table: [pattern: string, round: (count: number) => NewEvent[], counts: Record<number, string>][] = [
    [
      'the same call with the same result',
      (count) => steps(count, same),
      { 1: 'none', 2: 'none', 3: 'same_result hint', 4: 'same_result stop', 7: 'same_result stop' },
    ],
    [
      'the same call that fails',
      (count) => steps(count, error),
      { 2: 'none', 3: 'same_error hint', 4: 'same_error stop' },
    ],
    [
      'the same call that fails with different errors',
      (count) => Array.from({ length: count }, (_step, index) => step(['a', `failure ${index}`, 'error'])).flat(),
      { 2: 'none', 3: 'same_error hint', 4: 'same_error stop' },
    ],
    [
      'two alternating steps',
      (count) => steps(count, same, ['b', 'other']),
      { 4: 'none', 5: 'alternating hint', 6: 'alternating stop' },
    ],
    [
      'replies without actions',
      (count) => Array.from({ length: count }, () => says()).flat(),
      { 1: 'none', 2: 'none', 3: 'monologue stop' },
    ],
  ];
  for (const [pattern, round, counts] of table) {
    it(`include ${pattern}`, () => {
      for (const [count, expected] of Object.entries(counts))
        assert.equal(seen(undefined, round(Number(count))), expected, `${count} times`);
    });
  }

  it('follow the OpenHands reference: they stop a run, with a hint only for the same error', () => {
    const { stuck } = openhandsProfile;
    assert.deepEqual(
      [3, 4].map((count) => seen(stuck, steps(count, same))),
      ['none', 'same_result stop'],
    );
    assert.deepEqual(
      [2, 3, 4].map((count) => seen(stuck, steps(count, error))),
      ['none', 'same_error hint', 'same_error stop'],
    );
    assert.deepEqual(
      [5, 6].map((count) => seen(stuck, steps(count, same, ['b', 'other']))),
      ['none', 'alternating stop'],
    );
    assert.deepEqual(
      [2, 3].map((count) => seen(stuck, Array.from({ length: count }, () => says()).flat())),
      ['none', 'monologue stop'],
    );
    assert.equal(stuck?.window, 20);
  });

  it('only warn in the Hermes profile, once per streak', () => {
    assert.deepEqual(
      [1, 2, 3, 9].map((count) => seen(hermesProfile.stuck, steps(count, same))),
      ['none', 'same_result hint', 'none', 'none'],
    );
    assert.equal(seen(hermesProfile.stuck, steps(2, error), steps(1, ['b', 'x']), steps(2, error)), 'same_error hint');
  });

  it('are described in words', () => {
    assert.equal(
      detectLoop(logOf(steps(4, same)))?.words,
      'The last 4 steps made the same call with the same result (same result).',
    );
    assert.equal(
      detectLoop(logOf(steps(4, error)))?.words,
      'The last 4 steps made the same call, and it failed each time (same error).',
    );
    for (const last of ['timed out', 'no such file'])
      assert.equal(
        detectLoop(logOf(steps(2, error), step(['a', 'denied', 'error']), step(['a', last, 'error'])))?.words,
        'The last 4 steps made the same call, and it failed each time with another error (same call).',
      );
    assert.match(
      detectLoop(logOf(steps(6, same, ['b', 'x'])))!.words,
      /^The last 6 steps alternate between .* \(alternating\)\.$/,
    );
  });

  it('end when the user sends a message, acts or resumes', () => {
    const breaks: NewEvent[] = [
      { type: 'user_message', text: 'Go on.' },
      { type: 'resumed' },
      { ...reply('', 'a'), by: 'person' },
    ];
    for (const event of breaks) {
      assert.equal(seen(undefined, steps(3, same), [event], steps(2, same)), 'none', event.type);
      assert.equal(seen(undefined, says(), says(), [event], says()), 'none', event.type);
    }
  });

  it('are not interrupted by a summary, a hint or a notice', () => {
    for (const event of [
      { type: 'condensation', forgotten: [], summary: 's' },
      { type: 'feedback', cause: 'going_in_circles', text: 'x' },
      { type: 'notice', level: 'info', text: 'x' },
    ] satisfies NewEvent[]) {
      assert.equal(seen(undefined, steps(3, same), [event], steps(1, same)), 'same_result stop', event.type);
      assert.equal(seen(undefined, says(), says(), [event], says()), 'monologue stop', event.type);
    }
  });

  it('are not found if a result or a call changes', () => {
    assert.equal(seen(undefined, steps(3, same), steps(1, ['a', 'changed'])), 'none');
    assert.equal(seen(undefined, steps(5, same, ['b', 'x']), steps(1, ['b', 'changed'])), 'none');
    assert.equal(seen(undefined, says(), says(), steps(1, same), says()), 'none');
  });

  it('are not found in a truncated reply that is continued', () => {
    const cut: NewEvent[] = [{ type: 'feedback', cause: 'reply_cut', text: 'Go on.' }];
    assert.equal(seen(undefined, says('one'), cut, says('two'), cut, says('three'), cut, says('end')), 'none');
  });

  it('are searched for only in the window', () => {
    assert.equal(seen({ ...stuckThresholds, sameResult: { hint: 0, stop: 5 }, window: 4 }, steps(6, same)), 'none');
    assert.equal(
      seen({ ...stuckThresholds, sameResult: { hint: 0, stop: 5 }, window: 5 }, steps(6, same)),
      'same_result stop',
    );
  });

  it('can be turned off, together or one by one', () => {
    assert.equal(seen(null, steps(9, same)), 'none');
    assert.equal(seen({ ...stuckThresholds, sameResult: null }, steps(9, same)), 'none');
    assert.equal(seen({ ...stuckThresholds, sameError: null }, steps(4, error)), 'same_result stop');
    assert.equal(seen({ ...stuckThresholds, alternating: null }, steps(9, same, ['b', 'x'])), 'none');
    assert.equal(seen({ ...stuckThresholds, monologue: null }, says(), says(), says(), says()), 'none');
  });
});
