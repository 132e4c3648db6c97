import assert from 'node:assert/strict';
import type { AgentResult } from '../../../src/protocol/events/event';
import type { PastChange } from '../../../src/protocol/panel/panel';
import { action, command, log, observed, page, reply, started, task } from '../support/events';
import { usePanel } from '../support/usePanel';

const copies = action('a1', 'run_command', { command: 'cp -r out copy' }, 'Run cp -r out copy', {
  risk: { level: 'medium', reasons: ['Writes copy/.'] },
});
const results: AgentResult[] = [
  { id: 'a1', action: 'run_command', summary: 'Run cp -r out copy', files: [], state: 'ok' },
  { id: 'a2', action: 'write_file', summary: 'Write made.txt', files: ['made.txt'], state: 'error' },
];

const noneLeft = { type: 'changes' as const, session: 's1', kept: true, total: 0, files: [] };
const past = (...files: PastChange[]) => ({ type: 'past_changes' as const, session: 's1', files });

describe('the results of a task, in Chromium', function () {
  const { panel, byId } = usePanel(this);

  it('shows a warning in the row of a medium-risk action that ran without a question', async () => {
    const history = log(task('Copy it.'), reply('I copy.', [copies]), started('a1'), observed('a1', '', command(0)));
    await panel().send(page(history, { status: 'ready' }));
    assert.match(await byId('ran-medium').innerText(), /Ran, medium risk: Writes copy\/\./);
  });

  it('shows no line counts of a file without changed lines, such as an empty or a renamed one', async () => {
    const history = log(task('Make it.'), { type: 'finished', status: 'submitted', summary: 'Made.' });
    const file = (shown: string, kind: 'created' | 'renamed', added: number) => ({
      ...{ path: `/w/${shown}`, shown, kind, added, removed: 0 },
    });
    const files = [file('empty.log', 'created', 0), file('a → b', 'renamed', 0), file('c', 'created', 2)];
    await panel().send(page(history, { status: 'finished' }), {
      type: 'changes',
      session: 's1',
      kept: true,
      total: files.length,
      files,
    });
    await byId('review-list').locator('li').nth(2).waitFor();
    const rows = await byId('review-list').locator('li').allInnerTexts();
    assert.deepEqual(
      rows.map((row) => row.replace(/\s+/g, ' ').trim()),
      ['empty.log', 'a → b', 'c +2 −0'],
    );
  });

  it('lists what commands changed, also once nothing is left to review, and in an earlier run', async () => {
    const end = { type: 'finished' as const, status: 'submitted' as const, summary: 'Done.' };
    const run = (id: string) => [
      reply('', [action(id, 'run_command', { command: 'rm -r dist' }, 'Run rm -r dist')]),
      started(id),
      observed(id, '', command(0)),
    ];
    const first: PastChange = { action: 'c1', shown: 'dist/x', kind: 'deleted', byCommand: true };
    await panel().send(page(log(task('t'), ...run('c1'), end), { status: 'finished' }), noneLeft, past(first));
    const words = async (): Promise<string[]> =>
      (await byId('finished').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
    assert.match((await words())[0]!, /Changes, none left to review \S* ?dist\/x/);
    const next = { type: 'user_message' as const, text: 'Go on.' };
    const second: PastChange = { action: 'c2', shown: 'made', kind: 'created', byCommand: true };
    await panel().send(
      page(log(task('t'), ...run('c1'), end, next, ...run('c2'), end), { status: 'finished' }),
      noneLeft,
      past(first, second),
    );
    const [one, two] = await words();
    assert.match(one!, /Changes \S* ?dist\/x/);
    assert.match(two!, /Changes, none left to review \S* ?made/);
    assert.doesNotMatch(one!, /made/);
  });

  it('marks the files that are as before the run, also in a later change of them, and asks once for each change', async () => {
    const edit = (id: string, ...files: string[]) => [
      reply('', [action(id, 'write_file', { path: files[0]! }, `Write ${files[0]!}`)]),
      started(id),
      observed(id, '', {
        kind: 'edit' as const,
        changes: files.map((path) => ({ path, kind: 'modified' as const, added: 1, removed: 0, hunks: [] })),
      }),
    ];
    const end = { type: 'finished' as const, status: 'submitted' as const, summary: 'Done.' };
    const history = log(task('t'), ...edit('e1', 'src/a.ts', 'src/b.ts'), ...edit('e2', 'src/a.ts'), end);
    const at = (id: string, shown: string, ...more: 'reverted'[]): PastChange => ({
      ...{ action: id, shown, kind: 'modified' },
      ...(more.length > 0 && { reverted: true }),
    });
    await panel().send(page(history, { status: 'finished' }), noneLeft);
    await panel().reports('past_changes', () => true);
    const items = async (): Promise<string[]> =>
      (await byId('finished').locator('li').allInnerTexts()).map((row) => row.replace(/\s+/g, ' ').trim());
    await panel().send(past(at('e1', 'src/a.ts'), at('e1', 'src/b.ts', 'reverted'), at('e2', 'src/a.ts', 'reverted')));
    assert.deepEqual(await items(), ['src/a.ts', 'src/b.ts Reverted']);
    // The same facts again: nothing to ask.
    await panel().send(page(history, { status: 'finished' }));
    assert.equal((await panel().postedOf('past_changes')).length, 1);
    await panel().send({ ...noneLeft });
    await panel().send(past(at('e1', 'src/a.ts', 'reverted'), at('e1', 'src/b.ts'), at('e2', 'src/a.ts')));
    assert.deepEqual(await items(), ['src/a.ts Reverted', 'src/b.ts +1 −0']);
    assert.equal((await panel().postedOf('past_changes')).length, 2);
  });

  it('asks for past changes once nothing is left to review, after the person undid something', async () => {
    const end = { type: 'finished' as const, status: 'submitted' as const, summary: 'Done.' };
    const undone = { type: 'feedback' as const, cause: 'changes_undone' as const, text: 'The user undid it.' };
    const file = { path: '/w/a', shown: 'a', kind: 'created' as const };
    await panel().send(page(log(task('t'), end), { status: 'finished' }), { ...noneLeft, total: 1, files: [file] });
    await byId('review-list').waitFor();
    await panel().send(page(log(task('t'), end, undone), { status: 'finished' }));
    await panel().send({ ...noneLeft });
    await panel().reports('past_changes', () => true);
  });

  it('does not ask for past changes while files wait for review or the agent works', async () => {
    const end = { type: 'finished' as const, status: 'submitted' as const, summary: 'Done.' };
    const file = { path: '/w/a', shown: 'a', kind: 'created' as const };
    const waiting = { ...noneLeft, total: 1, files: [file] };
    await panel().send(page(log(task('t'), end), { status: 'finished' }), waiting);
    await byId('review-list').waitFor();
    const next = { type: 'user_message' as const, text: 'Go on.' };
    await panel().send(page(log(task('t'), end, next), { running: true }), { ...noneLeft });
    await panel().send({ ...noneLeft });
    assert.deepEqual(await panel().postedOf('past_changes'), []);
  });

  it('does not ask for past changes if the files to review arrive just after the card was rendered', async () => {
    const end = { type: 'finished' as const, status: 'submitted' as const, summary: 'Done.' };
    const waiting = { ...noneLeft, total: 1, files: [{ path: '/w/a', shown: 'a', kind: 'created' as const }] };
    // Dispatched rather than posted, to come before the effects of that rendering, which Preact delays to the next frame.
    await panel().page.evaluate(`
      new MutationObserver((_, observer) => {
        if (!document.querySelector('[data-testid=finished]')) return;
        observer.disconnect();
        window.dispatchEvent(new MessageEvent('message', { data: ${JSON.stringify(waiting)} }));
      }).observe(document.body, { childList: true, subtree: true });
    `);
    await panel().send(page(log(task('t'), end), { status: 'finished' }));
    await byId('review-list').waitFor();
    assert.deepEqual(await panel().postedOf('past_changes'), []);
  });

  it('does not say of another action than a command that it ran', async () => {
    const moves = action('a1', 'move_file', { from: 'a', to: 'b' }, 'Move a to b', {
      risk: { level: 'medium', reasons: ["Moves 'a' to 'b'."] },
    });
    const history = log(task('Move it.'), reply('', [moves]), started('a1'), observed('a1', 'No.', undefined, 'error'));
    await panel().send(page(history, { status: 'ready' }));
    assert.match(await byId('ran-medium').innerText(), /^\W*Medium risk: Moves/);
  });

  it('does not repeat under a move that it moved, but other reasons', async () => {
    const moves = (id: string, ...more: string[]) =>
      action(id, 'move_file', { from: 'a', to: 'b' }, 'Move a to b', {
        risk: { level: 'medium', reasons: ['Moves a to b.', ...more] },
      });
    const moved = { path: 'b', from: 'a', kind: 'modified' as const, added: 0, removed: 0, hunks: [] };
    const details = { kind: 'edit' as const, changes: [moved] };
    const history = log(
      task('Move it.'),
      reply('', [moves('a1'), moves('a2', 'Changes b, which is read-only.')]),
      ...['a1', 'a2'].map(started),
      ...['a1', 'a2'].map((id) => observed(id, 'Moved.', details)),
    );
    await panel().send(page(history, { status: 'ready' }));
    assert.deepEqual(await byId('ran-medium').allInnerTexts(), [' Medium risk: Changes b, which is read-only.']);
  });

  it('marks the commands that failed at the end of a run, with their exit codes', async () => {
    const ran = (id: string, line: string) => action(id, 'run_command', { command: line }, `Run ${line}`);
    const died = { ...command(2), end: 'shell_died' } as ReturnType<typeof command>;
    const history = log(
      task('Check it.'),
      reply('', [ran('a', 'npm test'), ran('b', 'npm run lint'), ran('c', 'exit 2')]),
      ...['a', 'b', 'c'].map(started),
      observed('a', '', command(0)),
      observed('b', '', command(1)),
      observed('c', '', died),
      { type: 'finished', status: 'submitted', summary: 'Checked.' },
    );
    await panel().send(page(history, { status: 'finished' }));
    const rows = byId('finished').locator('li', { has: panel().page.locator('.code-font') });
    assert.deepEqual(
      await rows.evaluateAll((all) =>
        all.map((row) => `${row.querySelector('.codicon')!.className} ${row.textContent}`),
      ),
      [
        'codicon codicon-check good npm testexit 0',
        'codicon codicon-error bad npm run lintexit 1',
        'codicon codicon-error bad exit 2exit 2 · shell ended',
      ],
    );
  });

  it('shows no warning for an approved action', async () => {
    const history = log(
      task('Copy it.'),
      reply('I copy.', [copies]),
      { type: 'confirmation_requested', actionIds: ['a1'] },
      { type: 'confirmation_resolved', actionIds: ['a1'], approved: true, by: 'person' },
      started('a1'),
      observed('a1', '', command(0)),
    );
    await panel().send(page(history, { status: 'ready' }));
    await byId('step-row').first().waitFor();
    assert.equal(await byId('ran-medium').count(), 0);
  });

  it('lists the results on the finished card with their outcomes', async () => {
    const end = { type: 'finished', status: 'submitted', summary: 'Copied.', results } as const;
    await panel().send(page(log(task('Copy it.'), end), { status: 'finished' }));
    const words = await byId('results').innerText();
    assert.match(words, /Run cp -r out copy\s+done/);
    assert.match(words, /Write made\.txt\s+failed/);
    assert.deepEqual(
      await byId('results')
        .locator('.codicon')
        .evaluateAll((all) => all.map((icon) => icon.className)),
      ['codicon codicon-check good', 'codicon codicon-error bad'],
    );
  });

  it('does not show an answer twice', async () => {
    const end = { type: 'finished', status: 'submitted', cause: 'answer', summary: 'It is 42.' } as const;
    await panel().send(page(log(task('What is it?'), reply('It is 42.', []), end), { status: 'finished' }));
    await byId('finished').waitFor();
    assert.equal(await panel().page.getByText('It is 42.').count(), 1);
  });
});
