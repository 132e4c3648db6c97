import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { FileChange } from '../../../src/protocol/events/details';
import { summarizeRun } from '../../../webview-ui/base/summary';
import { formatMoney, formatTokens } from '../../../webview-ui/base/format';
import { longUsage, shortUsage } from '../../../webview-ui/base/usage';
import { sessionSpending } from '../../../src/core/log/spending';
import { action, command, log, observed, reply, task, usage } from '../support/events';
import { uncounted } from '../../support/newEvents';

const edit = (id: string, change: Partial<FileChange>) => [
  reply('', [action(id, 'edit_file', {}, 'Edit')]),
  observed(id, '', {
    kind: 'edit',
    changes: [{ path: 'a.ts', kind: 'modified', added: 1, removed: 0, hunks: [], ...change }],
  }),
];
const end = { type: 'finished' as const, status: 'submitted' as const, summary: 'done' };

describe('the summary of a finished task', () => {
  it('sums up changes by file, commands with exit codes, tokens, cost and time', () => {
    const summary = summarizeRun(
      log(
        task('t'),
        ...edit('e1', { added: 2, removed: 1 }),
        ...edit('e2', { added: 1 }),
        reply('', [action('c', 'run_command', { command: 'npm test' }, 'Run npm test')]),
        observed('c', '', command(0)),
        end,
      ),
    );
    assert.deepEqual(summary.changes, [
      { path: 'a.ts', kind: 'modified', added: 3, removed: 1, actionId: 'e2', edits: 2 },
    ]);
    assert.deepEqual(summary.commands, [{ command: 'npm test', runs: [{ exitCode: 0, end: 'exited' }] }]);
    assert.deepEqual(
      [summary.spent.steps, summary.spent.inputTokens, summary.durationMs, summary.complete, summary.scripted],
      [3, 12_600, 7000, true, false],
    );
    assert.equal(summary.spent.cost?.toFixed(4), '0.0093');
  });
  it('marks sums as minimums if some calls are unknown, and omits them if all are, never showing 0', () => {
    const none = uncounted;
    const words = (...usages: (typeof usage)[]) =>
      longUsage(summarizeRun(log(task('t'), ...usages.map((one) => reply('', [], { usage: one })), end)).spent, {
        scripted: false,
      });
    assert.equal(words(usage), '1 step · 4.2k in · 180 out · 3.9k cached · <\u00a0$0.01');
    assert.equal(words(usage, { ...usage, cost: null }), '2 steps · 8.4k in · 360 out · 7.8k cached · <\u00a0$0.01+');
    assert.equal(words(usage, none), '2 steps · 4.2k+ in · 180+ out · 3.9k+ cached · <\u00a0$0.01+');
    assert.equal(words(none, none), '2 steps');
    assert.equal(words({ ...usage, cachedTokens: null, cost: null }), '1 step · 4.2k in · 180 out');
  });
  it('has the same sums as the core, which the header shows', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            inputTokens: fc.option(fc.nat(1e6)),
            outputTokens: fc.option(fc.nat(1e6)),
            cachedTokens: fc.option(fc.nat(1e6)),
            cost: fc.option(fc.nat(1000)),
          }),
        ),
        (usages) => {
          const events = log(
            task('t'),
            ...usages.map((one) => reply('', [action('a', 'x', {}, 'X')], { usage: one })),
            end,
          );
          const { usage: sums, steps, uncounted, unpriced } = sessionSpending(events);
          assert.deepEqual(summarizeRun(events).spent, { ...sums, steps, uncounted, unpriced });
        },
      ),
    );
  });
  it('lists a command once, with the outcomes of its runs', () => {
    const run = (id: string, words: string, code: number) => [
      reply('', [action(id, 'run_command', { command: words }, 'Run')]),
      observed(id, '', command(code)),
    ];
    assert.deepEqual(
      summarizeRun(log(task('t'), ...run('a', 'npm test', 1), ...run('b', 'ls', 0), ...run('c', 'npm test', 0), end))
        .commands,
      [
        { command: 'ls', runs: [{ exitCode: 0, end: 'exited' }] },
        {
          command: 'npm test',
          runs: [
            { exitCode: 1, end: 'exited' },
            { exitCode: 0, end: 'exited' },
          ],
        },
      ],
    );
  });
  it('omits a file that was created and deleted again', () => {
    assert.deepEqual(
      summarizeRun(log(task('t'), ...edit('e1', { kind: 'created' }), ...edit('e2', { kind: 'deleted' }), end)).changes,
      [],
    );
    assert.equal(
      summarizeRun(log(task('t'), ...edit('e1', { kind: 'deleted' }), ...edit('e2', { kind: 'created' }), end))
        .changes[0]?.kind,
      'modified',
    );
  });
  it('counts only what came after the previous end', () => {
    assert.equal(
      summarizeRun(
        log(
          task('t'),
          ...edit('e1', {}),
          end,
          { type: 'user_message', text: 'more' },
          ...edit('e2', { path: 'b.ts' }),
          end,
        ),
      ).changes[0]?.path,
      'b.ts',
    );
  });
  it('says so if the loaded events do not reach back to the start', () => {
    assert.equal(summarizeRun(log(task('t'), reply('', []), end).slice(1)).complete, false);
  });
});

describe('numbers', () => {
  it('show input tokens and cost at a glance', () => {
    const spent = {
      inputTokens: 24_310,
      outputTokens: 1210,
      cachedTokens: null,
      cost: 0.041,
      steps: 6,
      uncounted: 0,
      unpriced: 0,
    };
    assert.equal(shortUsage(spent, { scripted: false }), '24k in · $0.04');
    assert.equal(shortUsage({ ...spent, unpriced: 2, uncounted: 1 }, { scripted: false }), '24k+ in · $0.04+');
    assert.equal(shortUsage({ ...spent, inputTokens: null, cost: null }, { scripted: false }), '6 steps');
    assert.equal(shortUsage({ ...spent, inputTokens: null, cost: 0 }, { scripted: true }), '6 steps');
    assert.equal(shortUsage({ ...spent, steps: 0 }, { scripted: false }), '');
  });
  it('are short, and unknown ones are marked as unknown', () => {
    assert.deepEqual([950, 1234, 12_340, 999_700, 1_200_000, null].map(formatTokens), [
      '950',
      '1.2k',
      '12k',
      '1.0M',
      '1.2M',
      'unknown',
    ]);
    assert.deepEqual([0, 0.004, 1.5, null].map(formatMoney), ['$0', '<\u00a0$0.01', '$1.50', 'unknown']);
  });
});
