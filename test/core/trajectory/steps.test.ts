import { strict as assert } from 'node:assert';
import type { Event } from '../../../src/protocol/events/event';
import { findSteps, stepsOf } from '../../../src/core/trajectory/steps';
import { stepDetails } from '../../../src/core/trajectory/stepDetails';
import { answer, began, begin, fullRun, logOfRun, longRun, otherRun, seen } from '../../support/trajectory';
import { alignSteps } from '../../../src/core/trajectory/alignSteps';
import { figuresOf } from '../../../src/core/trajectory/figures';
import { action, taskStarted, uncounted } from '../../support/newEvents';

const lines = (log: readonly Event[]): string[] =>
  stepsOf(log).rows.map(({ kind, number, line }) => `${kind}${number === undefined ? '' : ` ${number}`}: ${line}`);

describe('the steps of a log', () => {
  it('are one row for each call of the model with all its actions, and one for what stands beside', () => {
    assert.deepEqual(lines(fullRun()).slice(0, 6), [
      'task: The test in test/add.test.ts fails. Find out why, fix it, and make sure that everything passes.',
      'step 1: Read test/add.test.ts · Read src/add.ts · Run npm test',
      'step 2: Edit src/add.ts',
      'step 3: Run rm -rf dist ../shared-cache && npm run build',
      'step 4: Run rm -rf dist && npm run build',
      'message: Also look whether anything else subtracts where it should add.',
    ]);
  });

  it('say how each ended, what it changed and what it took', () => {
    const { rows } = stepsOf(fullRun());
    assert.deepEqual(
      rows.slice(1, 5).map(({ outcome, exitCode, added, removed, tags }) => ({
        outcome,
        exitCode,
        added,
        removed,
        tags: [...tags].sort(),
      })),
      [
        { outcome: undefined, exitCode: 1, added: undefined, removed: undefined, tags: ['command', 'error', 'look'] },
        { outcome: undefined, exitCode: undefined, added: 2, removed: 1, tags: ['edit'] },
        { outcome: 'rejected', exitCode: undefined, added: undefined, removed: undefined, tags: ['asked', 'command'] },
        { outcome: undefined, exitCode: 0, added: undefined, removed: undefined, tags: ['candidates', 'command'] },
      ],
    );
    assert.equal(rows[1]!.durationMs, 900 + 1800 + 14 + 14 + 2310);
  });

  it('are the same whether the log is read at once or as it grows', () => {
    const whole = fullRun();
    const growing: Event[] = [];
    for (const event of whole) {
      growing.push(event);
      stepsOf(growing);
    }
    assert.deepEqual(stepsOf(growing), stepsOf(whole));
  });

  it('hold every event once, a failed attempt with the step that it was for', () => {
    const log = fullRun();
    const { rows, owner } = stepsOf(log);
    assert.equal(owner.length, log.length);
    const retry = log.find(({ type }) => type === 'retry_scheduled')!;
    assert.equal(rows[owner[retry.seq]!]!.number, 4);
    const collected = rows.flatMap(({ seq }) => stepDetails(log, seq)!.events.map((event) => event.seq));
    assert.deepEqual(
      [...collected].sort((a, b) => a - b),
      log.map(({ seq }) => seq),
    );
  });

  it('are open while an action has not reported, in any prefix of a log', () => {
    const log = logOfRun([
      begin('t'),
      answer('', [
        action('a', 'run_command', { command: 'x' }, 'Run x'),
        action('b', 'run_command', { command: 'y' }, 'Run y'),
      ]),
      began('a'),
      seen('a', ''),
      seen('b', ''),
    ]);
    assert.deepEqual(
      log.map((_event, index) => stepsOf(log.slice(0, index + 1)).rows[1]?.outcome),
      [undefined, 'open', 'open', 'open', undefined],
    );
  });

  it('are found by words in arguments, output and reasoning, all of them in one step', () => {
    const log = fullRun();
    const numbers = (words: string): (number | undefined)[] =>
      findSteps(log, words).map((seq) => stepsOf(log).rows.find((row) => row.seq === seq)!.number);
    assert.deepEqual(numbers('assertionerror'), [1]);
    assert.deepEqual(numbers('const SUM'), [2]);
    assert.deepEqual(numbers('both files read at once'), [1]);
    assert.deepEqual(numbers('assertionerror const'), []);
    assert.equal(numbers('').length, stepsOf(log).rows.length);
  });

  it('count as user input only if a person did it, not if Waymark recorded which tools servers offer', () => {
    const tool = { name: 'mcp_notes_send', description: 'd', parameters: {}, from: { source: 's', tool: 'send' } };
    const log = logOfRun([
      taskStarted('Do it.'),
      { type: 'settings_changed', addedTools: [tool, { ...tool, name: 'mcp_notes_list' }] },
      { type: 'settings_changed', mode: 'plan' },
      { type: 'user_message', text: 'Go on.' },
    ]);
    assert.deepEqual(
      stepsOf(log).rows.map(({ line, tags }) => [line, ...tags]),
      [['Do it.', 'person'], ['tools of servers and extensions: 2'], ['mode: plan', 'person'], ['Go on.', 'person']],
    );
  });

  it('survive logs that hold what no loop writes', () => {
    const strange = logOfRun([
      seen('nobody', 'x'),
      { type: 'action_started', actionId: 'nobody' },
      { type: 'confirmation_requested', actionIds: [] },
      answer('Hello.'),
    ]);
    assert.deepEqual(lines(strange), ['step 1: Hello.']);
    assert.ok(stepDetails(strange, 0));
    assert.deepEqual(stepsOf([]).rows, []);
    assert.equal(stepDetails([], 0), undefined);
  });
});

describe('two runs beside each other', () => {
  it('stand in one line where they do the same, and in order between such lines', async () => {
    const [left, right] = [fullRun(), otherRun()];
    const [ours, theirs] = [stepsOf(left).rows, stepsOf(right).rows];
    const pairs = (await alignSteps(left, right)).map((pair) => [
      pair.left === undefined ? '' : ours[pair.left]!.line.slice(0, 14),
      pair.right === undefined ? '' : theirs[pair.right]!.line.slice(0, 14),
      pair.same,
    ]);
    assert.deepEqual(pairs.slice(0, 4), [
      ['The test in te', 'The test in te', true],
      ['Read test/add.', 'Read test/add.', true],
      ['Edit src/add.t', 'Edit src/add.t', true],
      ['Run rm -rf dis', '', false],
    ]);
    assert.deepEqual(
      pairs
        .filter(([, , same]) => same)
        .map(([what]) => what)
        .slice(3),
      ['Run npm test', 'Finish the tas'],
    );
    assert.deepEqual(pairs.at(-1), ['`add` subtract', 'The sign is co', false]);
  });

  it('hold every row of both exactly once', async () => {
    for (const [left, right] of [
      [fullRun(), otherRun()],
      [otherRun(), longRun(40)],
      [longRun(12), longRun(20)],
      [fullRun(), []],
    ] as const) {
      const pairs = await alignSteps(left, right);
      assert.deepEqual(
        pairs.flatMap((pair) => pair.left ?? []),
        stepsOf(left).rows.map((_row, index) => index),
      );
      assert.deepEqual(
        pairs.flatMap((pair) => pair.right ?? []),
        stepsOf(right).rows.map((_row, index) => index),
      );
    }
  });
});

describe('the figures of a run', () => {
  it('are a point for each step, with what was cached apart from what was not', () => {
    const { points, contextWindow } = figuresOf(fullRun());
    assert.equal(points.length, 8);
    assert.deepEqual(points[0], {
      number: 1,
      count: 1,
      seq: 1,
      modelMs: 2700,
      actionMs: 2338,
      inputTokens: 2400,
      cachedTokens: 1800,
      outputTokens: 560,
      cost: 0.0021 + 1800 / 4_000_000,
      context: 4200,
    });
    assert.equal(contextWindow, 32_000);
  });

  it('are put together in a long run without losing anything', () => {
    const log = longRun(3001);
    const { points } = figuresOf(log);
    assert.ok(points.length <= 240);
    assert.equal(
      points.reduce((sum, { count }) => sum + count, 0),
      3001,
    );
    const output = log.reduce(
      (sum, event) => (event.type === 'agent_response' ? sum + event.usage.outputTokens! : sum),
      0,
    );
    assert.equal(
      points.reduce((sum, { outputTokens }) => sum + outputTokens!, 0),
      output,
    );
  });

  it('leave unknown what no provider said, and estimate the context then', () => {
    const [point] = figuresOf(logOfRun([begin('t'.repeat(4000)), answer('Hello.', [], { usage: uncounted })])).points;
    assert.deepEqual([point!.inputTokens, point!.cost, point!.context > 1000], [null, null, true]);
  });

  it('draw steps that did several things and the sessions that they began, as far as a picture can hold them', () => {
    const { nodes, edges, more } = figuresOf(fullRun()).graph;
    assert.deepEqual(nodes.map(({ kind, words, state }) => [kind, words, state]).slice(1), [
      ['step', '1', ''],
      ['group', 'Read test/add.test.ts', 'ok'],
      ['group', 'Read src/add.ts', 'ok'],
      ['group', 'Run npm test', 'error'],
      ['step', '5', ''],
      ['group', 'Delegate 2 tasks', 'ok'],
      ['child', 'Read the parser', 'answered'],
      ['child', 'Look at the tests', 'failed'],
    ]);
    assert.deepEqual(edges, [
      [0, 1],
      [1, 2],
      [1, 3],
      [2, 4],
      [3, 4],
      [4, 5],
      [5, 6],
      [6, 7],
      [6, 8],
    ]);
    assert.equal(more, 0);
    const wide = logOfRun([
      begin('t'),
      answer(
        '',
        Array.from({ length: 100 }, (_, index) => action(`a${index}`, 'read_file', {}, `Read ${index}`)),
      ),
    ]);
    const big = figuresOf(wide).graph;
    assert.deepEqual([big.nodes.length, big.more], [60, 42]);
  });
});
