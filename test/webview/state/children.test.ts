import assert from 'node:assert/strict';
import type { NewEvent } from '../../../src/protocol/events/event';
import { delegationOf } from '../../../webview-ui/state/children';
import { rowsOf, type RowOf } from '../../../webview-ui/state/rows';
import type { LiveChild } from '../../../webview-ui/state/state';
import { scenes } from '../gallery/scenes';
import { action, log, observed, page, reply, started, task } from '../support/events';
import { usePanel } from '../support/usePanel';

const stepIn = (...events: NewEvent[]) =>
  rowsOf(log(task('Do it.'), ...events)).find((row): row is RowOf<'step'> => row.kind === 'step')!.step;
const problems = ['A', 'B', 'C'].map((id) => ({ id, request: `Solve ${id}\nwell` }));
const begun = (session: string, title: string): NewEvent => ({ type: 'child_started', actionId: 'p', session, title });
const none = new Map<string, LiveChild>();

describe('the subsessions of an action', () => {
  it('are the requested ones, with the state of those that started', () => {
    const step = stepIn(
      reply('', [action('p', 'run_plan', { problems, graph: ['A -> B, C'] }, 'Plan 3 problems')]),
      started('p'),
      begun('s1', 'A: Solve A'),
    );
    const { children, edges } = delegationOf(
      step,
      new Map([['s1', { actionId: 'p', title: 'A: Solve A', status: 'waiting_for_confirmation', words: 'Run x' }]]),
      { running: true },
    );
    assert.deepEqual(edges, [
      [0, 1],
      [0, 2],
    ]);
    assert.deepEqual(
      children.map(({ title, state, session, words }) => [title, state, session, words]),
      [
        ['A: Solve A', 'needs_approval', 's1', 'Run x'],
        ['B: Solve B', 'waiting', undefined, ''],
        ['C: Solve C', 'waiting', undefined, ''],
      ],
    );
  });

  it('are in a sequence if a plan has no graph', () => {
    assert.deepEqual(
      delegationOf(stepIn(reply('', [action('p', 'run_plan', { problems }, 'Plan')])), none, { running: true }).edges,
      [
        [0, 1],
        [1, 2],
      ],
    );
  });

  it('are distinguished if two have the same title, and are interrupted if nothing runs', () => {
    const input = {
      tasks: [
        { title: 'same', task: 'a' },
        { title: 'same', task: 'b' },
      ],
    };
    const step = stepIn(
      reply('', [action('p', 'delegate', input, 'Delegate 2 tasks')]),
      started('p'),
      begun('s1', 'same'),
      begun('s2', 'same'),
    );
    assert.deepEqual(
      delegationOf(step, none, { running: false }).children.map(({ session, state }) => [session, state]),
      [
        ['s1', 'unknown'],
        ['s2', 'unknown'],
      ],
    );
  });

  it('are shown as in the report once there is one, even next to a command on a branch', () => {
    const report = {
      session: 's1',
      title: 'Run ls',
      status: 'answered' as const,
      summary: 'Nothing there.',
      steps: 1,
      seconds: 2,
      usage: { inputTokens: 1, outputTokens: 1, cachedTokens: null, cost: null },
    };
    const step = stepIn(
      reply('', [action('p', 'run_command', { command: 'ls' }, 'Run ls')]),
      started('p'),
      begun('s1', 'Run ls'),
      observed('p', '', { kind: 'delegate', children: [report] }),
    );
    assert.deepEqual(delegationOf(step, none, { running: true }), {
      edges: [],
      children: [{ title: 'Run ls', state: 'answered', words: 'Nothing there.', session: 's1', report }],
    });
  });

  it('accept invalid input', () => {
    for (const input of [null, 'x', { tasks: [1, null] }, { problems: 'x' }, { problems: [null], graph: 7 }])
      assert.ok(
        Array.isArray(
          delegationOf(stepIn(reply('', [action('p', 'delegate', input, 'Delegate')])), none, { running: true })
            .children,
        ),
      );
  });
});

describe('the panel with subsessions', function () {
  const { site, panel, byId } = usePanel(this);

  it('opens a subsession and, from there, its parent', async () => {
    await panel().send(...scenes['delegated']!.messages);
    await byId('open-child').nth(1).click();
    assert.deepEqual(await panel().postedOf('open_session'), [{ type: 'open_session', id: 'c1' }]);
    await panel().send(...scenes['child']!.messages);
    await byId('open-parent').click();
    assert.deepEqual((await panel().postedOf('open_session')).at(-1), { type: 'open_session', id: 's0' });
  });

  it('describes the state of each subsession and updates it', async () => {
    await panel().send(...scenes['delegated']!.messages);
    const rows = () =>
      byId('child')
        .allInnerTexts()
        .then((all) => all.map((words) => words.replace(/\s+/g, ' ')));
    assert.deepEqual(
      (await rows()).map((words) => words.replace(/ Open$/, '')),
      [
        'Read the parser working Read src/parse.ts',
        'Clean the build folder needs approval Run rm -rf dist',
        'Look at the tests answered There are nine tests, and none of them reads a continued line.',
      ],
    );
    assert.equal((await byId('status').innerText()).trim(), 'Needs approval');
    await panel().send({
      type: 'deltas',
      deltas: [
        {
          kind: 'child',
          actionId: 'd1',
          session: 'c1',
          title: 'Clean the build folder',
          status: 'ready',
          words: 'Run npm test',
        },
      ],
    });
    assert.match((await rows())[1]!, /working Run npm test/);
    assert.equal((await byId('status').innerText()).trim(), 'Working');
  });

  it('aligns the icon with the title and the link with the edge, in a narrow panel too', async () => {
    const narrow = await site().open({ width: 280 });
    await narrow.send(...scenes['delegated-done']!.messages);
    await narrow.page.getByTestId('child').first().waitFor();
    const aligned = await narrow.page.getByTestId('child').evaluateAll((rows) =>
      rows.map((row) => {
        const [icon, title, link] = ['.codicon', '.child-title', '.link'].map((part) =>
          row.querySelector(part)!.getBoundingClientRect(),
        );
        return Math.abs(icon!.top - title!.top) < 5 && row.getBoundingClientRect().right - link!.right < 1;
      }),
    );
    assert.deepEqual(aligned, [true, true, true]);
    await narrow.close();
  });

  it('omits how long a subsession took if that was no time', async () => {
    const events = log(
      task('t'),
      reply('', [action('d', 'delegate', { tasks: [{ title: 'Look', task: 'Look.' }] }, 'Delegate')]),
      observed('d', '…', {
        kind: 'delegate',
        children: [
          {
            session: 'c',
            title: 'Look',
            status: 'submitted',
            summary: 'Seen.',
            steps: 1,
            seconds: 0.01,
            usage: { inputTokens: null, outputTokens: null, cachedTokens: null, cost: null },
          },
        ],
      }),
    );
    await panel().send(page(events));
    assert.equal((await byId('child').innerText()).replace(/\s+/g, ' '), 'Look done Seen. 1 step Open');
  });

  it('draws a plan with a script loaded on demand, under the same policy', async () => {
    await panel().send(...scenes['plan']!.messages);
    await byId('plan-graph').waitFor();
    assert.equal(await byId('plan-graph').locator('.plan-node').count(), 4);
    assert.equal(await byId('plan-graph').locator('.plan-edge').count(), 4);
    assert.deepEqual(panel().problems, []);
  });
});
