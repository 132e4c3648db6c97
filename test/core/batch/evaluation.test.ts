import { strict as assert } from 'node:assert';
import {
  compareEvaluations,
  mcNemar,
  evaluationSummary,
  wilson,
  comparisonWords,
  evaluationTable,
} from '../../../src/core/batch/evaluation';
import { evaluationPage } from '../../../src/core/batch/evaluationPage';
import { junitText } from '../../../src/core/batch/junit';
import { type CheckResult, type TaskResult, verdictOnChecks } from '../../../src/core/batch/taskResult';

const rounded = (value: number): number => Number(value.toFixed(4));

const result = (id: string, resolved: boolean | undefined, more: Partial<TaskResult> = {}): TaskResult => ({
  index: 0,
  id,
  batch: 0,
  status: 'done',
  reason: '',
  exit_status: 'Submitted',
  completed: true,
  partial: false,
  steps: 4,
  cost: 0.5,
  input_tokens: 1,
  output_tokens: 1,
  seconds: 2,
  model: 'm',
  toolsets: [],
  tools: {},
  reasoning: { total: 1, withReasoning: 1 },
  saved: true,
  line_key: id,
  patch: '',
  log: '',
  finished_at: '2026-01-01T00:00:00Z',
  ...(resolved !== undefined && { resolved }),
  ...more,
});

const check = (kind: CheckResult['kind'], before: CheckResult['before'], after: CheckResult['after']): CheckResult => ({
  test: `${kind} test`,
  kind,
  before,
  after,
});

describe('an evaluation', () => {
  it('computes Wilson intervals that match published tables', () => {
    // The examples of Newcombe, Statistics in Medicine 17 (1998), method 3.
    const cases: [number, number, number, number][] = [
      [81, 263, 0.2553, 0.3662],
      [15, 148, 0.0624, 0.1605],
      [0, 20, 0, 0.1611],
      [1, 29, 0.0061, 0.1718],
    ];
    for (const [count, of, low, high] of cases) {
      const share = wilson(count, of);
      assert.deepEqual([rounded(share.low), rounded(share.high)], [low, high], `${count} of ${of}`);
    }
    assert.deepEqual([wilson(0, 0).low, wilson(0, 0).high], [0, 1]);
  });

  it('compares two runs by McNemar’s exact test and a paired bootstrap', () => {
    // According to binomtest of SciPy 1.17.
    const cases: [number, number, number][] = [
      [1, 6, 0.125],
      [0, 6, 0.03125],
      [0, 0, 1],
      [3, 3, 1],
      [600, 700, 0.00601579386],
      [1000, 1000, 1],
      [1100, 1000, 0.0307207079],
      [2000, 1800, 0.00124278678],
    ];
    for (const [first, second, p] of cases)
      assert.ok(
        Math.abs(mcNemar(first, second) - p) < 1e-9,
        `only ${first}, only ${second}: ${mcNemar(first, second)}`,
      );
    const ids = [...'abcdefgh'];
    const first = ids.map((id) => result(id, id < 'c'));
    const second = ids.map((id) => result(id, id < 'g' && id !== 'a'));
    const comparison = compareEvaluations(first, [...second, result('unknown', true)]);
    assert.deepEqual([comparison.pairs, comparison.onlyFirst, comparison.onlySecond], [8, ['a'], ['c', 'd', 'e', 'f']]);
    assert.equal(comparison.difference.mean, 3 / 8);
    assert.ok(comparison.difference.low < 3 / 8 && comparison.difference.high > 3 / 8);
    assert.deepEqual(compareEvaluations(first, second), compareEvaluations(first, second), 'the same each time');
    assert.deepEqual(comparisonWords(comparison, ['old', 'new']).slice(0, 1), [
      'Tasks that count in both runs: 8. Resolved only by old: 1; only by new: 4.',
    ]);
    assert.match(comparisonWords(comparison, ['old', 'new']).join(' '), /McNemar.*p = 0\.375\. This difference may be/);
  });

  it('resolves a task only if all checks pass, and gives no verdict if a check passed before the task', () => {
    assert.equal(
      verdictOnChecks([check('fail_to_pass', 'fail', 'pass'), check('pass_to_pass', 'pass', 'pass')]).resolved,
      true,
    );
    assert.equal(verdictOnChecks([check('fail_to_pass', 'fail', 'timeout')]).resolved, false);
    assert.equal(
      verdictOnChecks([check('fail_to_pass', 'fail', 'pass'), check('pass_to_pass', 'pass', 'fail')]).resolved,
      false,
    );
    const untold = verdictOnChecks([check('fail_to_pass', 'pass', 'pass')]);
    assert.deepEqual(
      [untold.resolved, untold.reason],
      [undefined, 'The checks are inconclusive: fail_to_pass test already passes before the task.'],
    );
    assert.equal(verdictOnChecks([check('fail_to_pass', 'fail', 'fail')], 'no patch').reason, 'no patch');
  });

  it('excludes a task without a verdict from the score', () => {
    const summary = evaluationSummary('one', [result('a', true), result('b', false), result('c', undefined)]);
    assert.deepEqual([summary.resolved.count, summary.resolved.of, summary.untold, summary.cost], [1, 2, 1, 1.5]);
    assert.match(
      evaluationTable({ evaluations: [{ summary, results: [] }] }),
      /1\/2 \(50\.0%\)[\s\S]*one: tasks not counted, .*: 1\./,
    );
  });

  it('makes a page that loads nothing and escapes model output', () => {
    const results = [result('<img src=x onerror=alert(1)>', false, { reason: '</script><script>alert(1)</script>' })];
    const page = evaluationPage('Report', { evaluations: [{ summary: evaluationSummary('run', results), results }] });
    assert.doesNotMatch(page, /<script|<img|https?:\/\/|@import|url\(/);
    assert.match(page, /&lt;img src=x/);
  });

  it('makes a JUnit report with correct counts and escaped text', () => {
    const text = junitText(
      'a "suite"',
      [
        { name: 'good', seconds: 1 },
        { name: 'bad', seconds: 0.5, failure: 'a < b\u0000 & c\nmore', kind: 'not_resolved' },
        { name: 'untold', seconds: 0, skipped: 'cannot tell' },
      ],
      0,
    );
    assert.match(
      text,
      /<testsuite name="a &quot;suite&quot;" tests="3" failures="1" errors="0" skipped="1" time="1\.500"/,
    );
    const ofAll = /<testsuites ([^>]*)>/.exec(text)![1]!.match(/\w+(?==)/g);
    assert.deepEqual(ofAll, ['tests', 'failures', 'errors', 'time'], 'what the schema of Jenkins knows');
    assert.match(text, /<failure message="a &lt; b &amp; c" type="not_resolved">a &lt; b &amp; c\nmore<\/failure>/);
  });
});
