import assert from 'node:assert/strict';
import type { FileChange } from '../../src/protocol/details';
import { summaryOf } from '../../webview-ui/summary';
import { money, tokens } from '../../webview-ui/format';
import { action, command, log, observed, reply, task, usage } from './support/events';

const edit = (id: string, change: Partial<FileChange>) => [reply('', [action(id, 'edit_file', {}, 'Edit')]), observed(id, '', { kind: 'edit', changes: [{ path: 'a.ts', kind: 'modified', added: 1, removed: 0, hunks: [], ...change }] })];
const end = { type: 'finished' as const, status: 'submitted' as const, summary: 'done' };

describe('the summary of a finished task', () => {
  it('adds up changes by file, commands with their exit codes, tokens, cost and time', () => {
    const summary = summaryOf(log(task('t'), ...edit('e1', { added: 2, removed: 1 }), ...edit('e2', { added: 1 }), reply('', [action('c', 'run_command', { command: 'npm test' }, 'Run npm test')]), observed('c', '', command(0)), end));
    assert.deepEqual(summary.changes, [{ path: 'a.ts', kind: 'modified', added: 3, removed: 1, actionId: 'e2' }]);
    assert.deepEqual(summary.commands, [{ command: 'npm test', exitCode: 0, end: 'exited', durationMs: 2300 }]);
    assert.deepEqual([summary.steps, summary.usage.inputTokens, summary.durationMs, summary.complete], [3, 12_600, 7000, true]);
    assert.equal(summary.usage.cost?.toFixed(4), '0.0093');
  });
  it('says unknown when the cost of one call is unknown', () => {
    const summary = summaryOf(log(task('t'), reply('', []), reply('', [], { usage: { ...usage, cost: null } }), end));
    assert.equal(summary.usage.cost, null);
    assert.equal(money(summary.usage.cost), 'unknown');
  });
  it('does not name a file that was created and deleted again', () => {
    assert.deepEqual(summaryOf(log(task('t'), ...edit('e1', { kind: 'created' }), ...edit('e2', { kind: 'deleted' }), end)).changes, []);
    assert.equal(summaryOf(log(task('t'), ...edit('e1', { kind: 'deleted' }), ...edit('e2', { kind: 'created' }), end)).changes[0]?.kind, 'modified');
  });
  it('counts only what came after the end before', () => {
    assert.equal(summaryOf(log(task('t'), ...edit('e1', {}), end, { type: 'user_message', text: 'more' }, ...edit('e2', { path: 'b.ts' }), end)).changes[0]?.path, 'b.ts');
  });
  it('admits when the events at hand do not reach back to the start', () => {
    assert.equal(summaryOf(log(task('t'), reply('', []), end).slice(1)).complete, false);
  });
});

describe('numbers', () => {
  it('are short, and unknown stays unknown', () => {
    assert.deepEqual([950, 1234, 12_340, 999_700, 1_200_000, null].map(tokens), ['950', '1.2k', '12k', '1.0M', '1.2M', 'unknown']);
    assert.deepEqual([0, 0.004, 1.5, null].map(money), ['$0', '<\u00a0$0.01', '$1.50', 'unknown']);
  });
});
