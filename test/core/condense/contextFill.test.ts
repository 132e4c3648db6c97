import { strict as assert } from 'node:assert';
import {
  contextFill,
  contextWindowIn,
  learnedTokenLimit,
  statedContextWindow,
} from '../../../src/core/condense/contextFill';
import type { EventOf } from '../../../src/protocol/events/event';
import { calls, logOf, person, reported, result, step, task } from './logs';

const filled = { ...task, systemPrompt: 's'.repeat(400), task: 't'.repeat(40) };

describe('the context meter', () => {
  it('estimates four characters per token until the provider reports usage', () => {
    const fill = contextFill(logOf(filled, calls(['a'], { text: 'x'.repeat(79) }), result('a', 'r'.repeat(200))), 800);
    assert.equal(fill.measured, false);
    assert.deepEqual(fill.parts, {
      system: 100,
      tools: 200,
      messages: 10,
      replies: 24,
      reasoning: 0,
      results: 50,
      summaries: 0,
    });
    assert.equal(fill.tokens, 384);
  });
  it('scales to the provider’s count for the same request', () => {
    const fill = contextFill(
      logOf(filled, calls(['a'], { text: '', usage: reported(420) }), result('a', 'r'.repeat(100))),
      400,
    );
    assert.equal(fill.measured, true);
    assert.deepEqual(
      [fill.parts.system, fill.parts.tools, fill.parts.messages, fill.parts.results],
      [200, 200, 20, 50],
    );
  });
  it('starts from the provider’s count, even if it exceeds the log', () => {
    const log = (tokens: number) =>
      logOf(filled, calls([], { text: '', usage: reported(tokens) }), person('p'.repeat(100)));
    assert.equal(contextFill(log(5000)).tokens, 5100);
  });
  it('uses the usage of the chosen candidate, not the sum of all', () => {
    const candidate = { text: '', calls: [], model: 'm', finishReason: 'stop', summary: '', usage: reported(220) };
    const sampling = {
      candidates: [candidate, candidate],
      chosen: 1,
      by: 'first_valid' as const,
      reason: '',
      outputs: [],
    };
    assert.equal(contextFill(logOf(filled, calls([], { text: '', usage: reported(440), sampling }))).tokens, 220);
  });
  it('counts reasoning only if it is sent back', () => {
    const parts = (reasoning: { text: string; field?: 'reasoning_content' }) =>
      contextFill(logOf(filled, calls([], { reasoning }))).parts.reasoning;
    assert.deepEqual(
      [parts({ text: 'x'.repeat(40) }), parts({ text: 'x'.repeat(40), field: 'reasoning_content' })],
      [0, 10],
    );
  });
  it('subtracts forgotten events and adds the summary, keeping its scale', () => {
    const log = logOf(filled, calls(['a'], { usage: reported(440) }), result('a', 'r'.repeat(1000)), step('b'));
    const before = contextFill(log);
    const after = contextFill([
      ...log,
      { type: 'condensation', seq: 5, at: 0, forgotten: [1, 2], summary: 'm'.repeat(30) },
    ]);
    assert.deepEqual(
      [before.parts.results, after.parts.results, after.parts.summaries, after.measured],
      [1011, 11, 30, true],
    );
  });
  it('excludes a reply hidden by feedback', () => {
    const log = logOf(filled, calls([], { text: 'x'.repeat(400) }), {
      type: 'feedback',
      cause: 'format_error',
      text: 'f'.repeat(40),
      hidesReply: true,
    });
    assert.deepEqual([contextFill(log).parts.replies, contextFill(log).parts.messages], [0, 20]);
  });
  it('gives the same result for a growing log as for a whole one', () => {
    const whole = logOf(
      filled,
      step('a', 'b'),
      person('More.'),
      calls(['c'], { usage: reported(99) }),
      result('c'),
      { type: 'condensation', forgotten: [1, 2, 3], summary: 'S' },
      step('d'),
    );
    const growing: typeof whole = [];
    for (const event of whole) {
      growing.push(event);
      assert.deepEqual(contextFill(growing, 10), contextFill([...growing], 10));
    }
  });
});

describe('what a refusal says about the context window', () => {
  const used = (task as EventOf<'task_started'>).model;
  const refused = { type: 'condensation_requested', by: 'context_overflow', contextWindow: 5120 } as const;
  const long = [filled, ...Array.from({ length: 9 }, (_, index) => step(`s${index}`))];
  const shortened = {
    type: 'condensation',
    forgotten: Array.from({ length: 16 }, (_, at) => at + 1),
    summary: '',
  } as const;
  const learnedBy = (...after: Parameters<typeof logOf>) => {
    const log = logOf(...long, refused, shortened, ...after);
    return [statedContextWindow(log), learnedTokenLimit(log) < Infinity];
  };
  it('holds for the rest of the session', () => assert.deepEqual(learnedBy(step('a')), [5120, true]));
  it('also holds if the session is resumed with the same model', () =>
    assert.deepEqual(learnedBy({ type: 'settings_changed', model: used }), [5120, true]));
  it('does not hold for another model', () =>
    assert.deepEqual(learnedBy({ type: 'settings_changed', model: { ...used, name: 'other' } }), [undefined, false]));
  it('does not hold once the model has read more than that', () =>
    assert.equal(learnedBy(calls([], { usage: reported(5121) }))[0], undefined));
  it('holds while the model reads no more than that', () =>
    assert.equal(learnedBy(calls([], { usage: reported(5120) }))[0], 5120));
  it('does not hold after the run ended because of it: the user may have enlarged the context', () =>
    assert.deepEqual(
      learnedBy({ type: 'finished', status: 'failed', cause: 'context_overflow', summary: '' }, { type: 'resumed' }),
      [undefined, false],
    ));
  it('never exceeds the context window that the user set', () => {
    const log = logOf(...long, refused);
    assert.deepEqual(
      [2000, 8000, null].map((expected) => contextWindowIn(log, expected)),
      [2000, 5120, 5120],
    );
    assert.equal(contextWindowIn(logOf(...long), null), null);
  });
  it('is kept if a later refusal names no number', () =>
    assert.equal(learnedBy({ type: 'condensation_requested', by: 'context_overflow' })[0], 5120));
});
