import assert from 'node:assert/strict';
import { pendingRetry, reuseUnchanged, rowsOf, waitingIn } from '../../../webview-ui/state/rows';
import { lineOf } from '../../../webview-ui/steps/stepWords';
import { action, command, log, observed, reply, started, task } from '../support/events';

const read = (id: string) =>
  [
    action(id, 'read_file', { path: id }, `Read ${id}`),
    observed(id, '', { kind: 'read', path: id, version: '1', fromLine: 1, toLine: 9, totalLines: 9 }),
  ] as const;
const kinds = (...events: Parameters<typeof log>) => rowsOf(log(...events)).map((row) => row.kind);

describe('the rows of the feed', () => {
  it('merge consecutive reads', () => {
    const reads = ['a', 'b', 'c'].map(read);
    assert.deepEqual(
      kinds(
        task('t'),
        reply(
          '',
          reads.map(([one]) => one),
        ),
        ...reads.map(([, seen]) => seen),
      ),
      ['message', 'reads'],
    );
  });

  it('keep a single read and a failed one separate', () => {
    const [one, seen] = read('a');
    assert.deepEqual(kinds(task('t'), reply('', [one]), seen), ['message', 'step']);
    const [two] = read('b');
    assert.deepEqual(kinds(task('t'), reply('', [one, two]), seen, observed('b', 'no such file', undefined, 'error')), [
      'message',
      'step',
      'step',
    ]);
  });

  it('show an approval while it waits and a step after the decision', () => {
    const asked = [
      task('t'),
      reply('', [action('a', 'run_command', { command: 'rm x' }, 'Run rm x')]),
      { type: 'confirmation_requested' as const, actionIds: ['a'] },
    ];
    assert.deepEqual(kinds(...asked), ['message', 'approval']);
    assert.deepEqual(
      kinds(...asked, { type: 'confirmation_resolved', actionIds: ['a'], approved: true, by: 'person' }),
      ['message', 'step'],
    );
  });

  it('close an approval that was interrupted before a decision', () => {
    assert.deepEqual(
      kinds(
        task('t'),
        reply('', [action('a', 'run_command', {}, 'Run x')]),
        { type: 'confirmation_requested', actionIds: ['a'] },
        observed('a', '', undefined, 'interrupted'),
      ),
      ['message', 'step'],
    );
  });

  it('offer to continue after a failure until the run continues, even if another model was chosen', () => {
    const failed = [
      task('t'),
      { type: 'finished' as const, status: 'failed' as const, summary: '' },
      { type: 'settings_changed' as const, title: 'Another' },
    ];
    const offered = (...events: Parameters<typeof log>) =>
      rowsOf(log(...events)).flatMap((row) => (row.kind === 'finished' ? [row.last] : []));
    assert.deepEqual(offered(...failed), [true]);
    assert.deepEqual(offered(...failed, { type: 'resumed' }), [false]);
  });

  it('show a change of the mode once, and plan mode of a task that starts in it', () => {
    const told = { type: 'feedback' as const, cause: 'mode_changed' as const, text: 'Plan mode: …' };
    assert.deepEqual(kinds(task('t'), { type: 'settings_changed', mode: 'plan' }, told), ['message', 'notice']);
    assert.deepEqual(kinds(task('t'), told), ['message', 'notice']);
  });

  it('are reused while they are equal', () => {
    const events = log(
      task('t'),
      reply('', [action('a', 'delegate', { task: 'x' }, 'Delegate x'), action('b', 'run_command', {}, 'Run b')]),
      { type: 'child_started', actionId: 'a', session: 's2', title: 'x' },
      { type: 'finished', status: 'stopped', summary: '' },
      started('b'),
    );
    const before = rowsOf(events.slice(0, 4));
    const again = rowsOf(events.slice(0, 4));
    assert.ok(again.every((row, index) => row !== before[index]));
    assert.equal(reuseUnchanged(before, again), before);
    const after = reuseUnchanged(before, rowsOf(events));
    assert.deepEqual(
      after.map((row) => before.includes(row)),
      [true, true, false, false],
    );
    assert.deepEqual(after, rowsOf(events));
  });

  it('number approvals that wait at the same time', () => {
    const rows = rowsOf(
      log(task('t'), reply('', [action('a', 'x', {}, 'A'), action('b', 'x', {}, 'B')]), {
        type: 'confirmation_requested',
        actionIds: ['a', 'b'],
      }),
    );
    assert.deepEqual(
      rows.flatMap((row) => (row.kind === 'approval' ? [[row.position, row.count]] : [])),
      [
        [1, 2],
        [2, 2],
      ],
    );
  });

  it('show a retry only until something follows it', () => {
    const retry = { type: 'retry_scheduled' as const, attempt: 1, delayMs: 1000, why: 'busy' };
    assert.deepEqual(kinds(task('t'), retry), ['message', 'retry']);
    assert.deepEqual(kinds(task('t'), retry, reply('hello', [])), ['message', 'reply']);
  });

  it('show a retry until the run goes on, last, whatever the person does meanwhile', () => {
    const retry = { type: 'retry_scheduled' as const, attempt: 1, delayMs: 600_000, why: 'busy' };
    const meanwhile = [
      { type: 'user_message' as const, text: 'also this' },
      { type: 'message_changed' as const, message: 2, change: 'held' as const },
      { type: 'settings_changed' as const, stepping: true },
      { type: 'feedback' as const, cause: 'mode_changed' as const, text: 'Plan mode is on.' },
      { type: 'condensation_requested' as const, by: 'person' as const },
    ];
    assert.equal(kinds(task('t'), retry, ...meanwhile).at(-1), 'retry');
    assert.ok(!kinds(task('t'), retry, ...meanwhile, { type: 'paused', reason: '' }).includes('retry'));
  });

  it('do not show a retry whose time was over when the person wrote, such as that of an interrupted run', () => {
    const retry = { type: 'retry_scheduled' as const, attempt: 1, delayMs: 0, why: 'busy' };
    const events = log(task('t'), retry, { type: 'user_message', text: 'go on' });
    assert.equal(pendingRetry(events), undefined);
    assert.equal(pendingRetry(events.slice(0, 2))?.seq, 1);
  });

  it('show a message that waited when the run was stopped before the one that continues it', () => {
    const stopped = [
      task('t'),
      reply('', [action('a', 'x', {}, 'A')]),
      { type: 'user_message' as const, text: 'sent first' },
      observed('a', ''),
      { type: 'finished' as const, status: 'stopped' as const, summary: '' },
      { type: 'user_message' as const, text: 'sent second' },
    ];
    for (const events of [stopped, [...stopped, reply('Read.', [], { readUpTo: 6 })]])
      assert.deepEqual(
        [
          ...rowsOf(log(...events)).flatMap((row) => (row.kind === 'message' ? [row.text] : [])),
          ...waitingIn(log(...events)).map(({ event }) => event.text),
        ],
        ['t', 'sent first', 'sent second'],
      );
  });

  it('omit a message until a request contains it, and then show it where it was read', () => {
    const wordsIn = (reading: number, ...events: Parameters<typeof log>) => ({
      feed: rowsOf(log(...events), reading).map((row) => (row.kind === 'message' ? row.text : row.kind)),
      waiting: waitingIn(log(...events), reading).map(({ event }) => event.text),
    });
    const busy = [
      task('t'),
      reply('', [action('a', 'x', {}, 'A')]),
      { type: 'user_message' as const, text: 'also this' },
      observed('a', ''),
    ];
    const another = (readUpTo: number) => reply('', [action('b', 'x', {}, 'B')], { readUpTo });
    assert.deepEqual(wordsIn(0, ...busy), { feed: ['t', 'step'], waiting: ['also this'] });
    assert.deepEqual(wordsIn(4, ...busy), { feed: ['t', 'step', 'also this'], waiting: [] });
    assert.deepEqual(wordsIn(0, ...busy, another(2)), { feed: ['t', 'step', 'step'], waiting: ['also this'] });
    assert.deepEqual(wordsIn(0, ...busy, another(4)), { feed: ['t', 'step', 'also this', 'step'], waiting: [] });
    const said = { type: 'user_message' as const, text: 'next' };
    assert.deepEqual(wordsIn(0, task('t'), reply('done', []), said), { feed: ['t', 'reply', 'next'], waiting: [] });
  });

  it('show messages in the order they were read, without removed ones', () => {
    const says = (text: string, instead?: number) => ({
      type: 'user_message' as const,
      text,
      ...(instead !== undefined && { instead }),
    });
    const events = [
      task('t'),
      reply('', [action('a', 'x', {}, 'A')]),
      says('one'),
      says('two'),
      says('three'),
      { type: 'message_changed' as const, message: 4, change: 'moved' as const, before: 2 },
      { type: 'message_changed' as const, message: 2, change: 'held' as const },
    ];
    const told = (...more: Parameters<typeof log>) => waitingIn(log(...events, ...more)).map(({ event }) => event.text);
    assert.deepEqual(told(), ['three', 'one', 'two']);
    assert.deepEqual(told(says('one, changed', 2)), ['three', 'one, changed', 'two']);
    const read = log(
      ...events,
      says('one, changed', 2),
      { type: 'message_changed', message: 3, change: 'taken_back' },
      observed('a', ''),
      reply('Read.', [], { readUpTo: 10 }),
    );
    assert.deepEqual(
      rowsOf(read).map((row) => (row.kind === 'message' ? row.text : row.kind)),
      ['t', 'step', 'three', 'one, changed', 'reply'],
    );
  });

  it('show the folder where a command would run: that of the previous command', () => {
    const rows = rowsOf(
      log(
        task('t'),
        reply('', [action('a', 'run_command', { command: 'cd src' }, 'Run cd src')]),
        started('a'),
        observed('a', '', { ...command(0)!, cwd: '/home/ada/first-run/src' } as never),
        reply('', [action('b', 'run_command', { command: 'ls' }, 'Run ls')]),
        { type: 'confirmation_requested', actionIds: ['b'] },
      ),
    );
    assert.equal(rows.flatMap((row) => (row.kind === 'approval' ? [row.step.cwd] : []))[0], '/home/ada/first-run/src');
  });

  it('keep their keys as the log grows', () => {
    const events = log(
      task('t'),
      reply('', [action('a', 'x', {}, 'A')]),
      started('a'),
      observed('a', ''),
      reply('done', []),
    );
    for (let length = 1; length < events.length; length++) {
      const before = rowsOf(events.slice(0, length)).map((row) => row.key);
      assert.deepEqual(
        rowsOf(events.slice(0, length + 1))
          .map((row) => row.key)
          .slice(0, before.length),
        before,
      );
    }
  });

  it('omit the call that ended the task, because the end repeats it', () => {
    assert.deepEqual(
      kinds(task('t'), reply('', [action('f', 'finish', { summary: 's' }, 'Finish the task')]), observed('f', 's'), {
        type: 'finished',
        status: 'submitted',
        summary: 's',
      }),
      ['message', 'finished'],
    );
  });

  it('use the available events if the log is loaded from its middle', () => {
    const events = log(task('t'), reply('', [action('a', 'x', {}, 'A')]), observed('a', ''), reply('done', []));
    assert.deepEqual(
      rowsOf(events.slice(2)).map((row) => row.kind),
      ['reply'],
    );
  });
});

describe('the row of a step', () => {
  const line = (...events: Parameters<typeof log>) => lineWhile(true, ...events);
  const lineWhile = (running: boolean, ...events: Parameters<typeof log>) => {
    const row = rowsOf(log(task('t'), ...events)).find((one) => one.kind === 'step');
    return row?.kind === 'step' ? lineOf(row.step, { running }) : undefined;
  };
  const npmTest = reply('', [action('a', 'run_command', { command: 'npm test' }, 'Run npm test')]);

  it('shows what ran, its outcome and its duration', () => {
    assert.deepEqual(line(npmTest, started('a'), observed('a', '', command(1))), {
      verb: 'Ran',
      target: 'npm test',
      code: true,
      meta: 'exit 1 · 2.3 s',
      tone: 'bad',
    });
    assert.equal(
      line(
        npmTest,
        started('a'),
        observed('a', '', { ...command(0)!, end: 'timed_out', exitCode: null } as never, 'timeout'),
      )?.meta,
      'timed out · 2.3 s',
    );
  });
  it('shows running, waiting and refused', () => {
    assert.equal(line(npmTest)?.meta, 'waiting');
    assert.equal(line(npmTest, started('a'))?.tone, 'running');
    assert.equal(line(npmTest, observed('a', '', undefined, 'rejected'))?.meta, 'refused');
    assert.equal(line(npmTest, started('a'), observed('a', '', undefined, 'unknown'))?.meta, 'outcome unknown');
  });
  it('shows an unknown outcome for a started action when nothing runs', () => {
    assert.deepEqual(lineWhile(false, npmTest, started('a')), {
      verb: 'Run',
      target: 'npm test',
      code: true,
      meta: 'outcome unknown',
      tone: 'warn',
    });
    assert.equal(lineWhile(false, npmTest)?.meta, 'waiting');
    assert.equal(lineWhile(false, npmTest, started('a'), observed('a', '', command(0)))?.meta, 'exit 0 · 2.3 s');
  });
  it('counts added and removed lines of an edit', () => {
    const seen = line(
      reply('', [action('a', 'edit_file', {}, 'Edit a.ts')]),
      observed('a', '', {
        kind: 'edit',
        changes: [{ path: 'a.ts', kind: 'modified', added: 3, removed: 1, hunks: [] }],
      }),
    );
    assert.deepEqual([seen?.verb, seen?.target, seen?.added, seen?.removed], ['Edited', 'a.ts', 3, 1]);
  });
  it('says that a call is invalid, instead of its tool name alone', () => {
    const call = { ...action('a', 'run_command', {}, 'run_command'), problem: 'The arguments are not valid JSON.' };
    const seen = line(reply('', [call]), observed('a', 'Not valid JSON.', undefined, 'error'));
    assert.deepEqual(seen, {
      verb: 'Invalid call',
      target: 'run_command',
      code: true,
      meta: 'not run',
      tone: 'bad',
    });
  });
  it('says where a file was moved from and to', () => {
    const moved = (more: object) =>
      line(
        reply('', [action('a', 'move_file', {}, 'Move a.ts to b.ts')]),
        observed('a', '', {
          kind: 'edit',
          changes: [{ path: 'b.ts', from: 'a.ts', kind: 'modified', added: 0, removed: 0, hunks: [], ...more }],
        }),
      );
    assert.deepEqual(moved({}), { verb: 'Moved', target: 'a.ts → b.ts', tone: 'plain' });
    assert.equal(moved({ added: 1 })?.added, 1);
  });
});
