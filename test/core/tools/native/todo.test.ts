import assert from 'node:assert/strict';
import type { Event } from '../../../../src/protocol/events/event';
import { taskTracker } from '../../../../src/core/tools/openhands/taskTracker';
import { todo, todosInWords, todosOf } from '../../../../src/core/tools/native/todo';
import { toolBench, type ToolBench } from '../../../support/toolBench';

describe('todo', () => {
  let bench: ToolBench;
  beforeEach(() => {
    bench = toolBench();
  });
  afterEach(() => bench.stop());
  const items = async (input: unknown) => {
    const { details, content } = await bench.use(todo, input);
    assert.ok(details?.kind === 'todo', content);
    return details.items;
  };
  const plan = {
    todos: [
      { id: 'a', content: 'Read', status: 'completed' },
      { id: 'b', content: 'Fix', status: 'in_progress' },
      { id: 'c', content: 'Test', status: 'pending' },
    ],
  };

  it('replaces the list and says what is next', async () => {
    assert.deepEqual(await items(plan), [
      { id: 'a', text: 'Read', state: 'done' },
      { id: 'b', text: 'Fix', state: 'active' },
      { id: 'c', text: 'Test', state: 'pending' },
    ]);
    assert.equal(todo.bind(plan).summary, 'Plan: 1 of 3 done');
    assert.equal((await bench.use(todo, { todos: [{ id: '1', content: 'Other' }] })).content, 'Next: Other');
    assert.equal((await bench.use(todo, { todos: [] })).content, 'The list is empty.');
  });

  it('shows the list without arguments', async () => {
    assert.equal((await bench.use(todo, {})).content, 'The list is empty.');
    await bench.use(todo, plan);
    assert.equal((await bench.use(todo, {})).content, 'Next: Fix\n[x] a. Read\n[>] b. Fix\n[ ] c. Test');
    assert.equal((await items({})).length, 3);
  });

  it('changes and adds steps by id when it merges', async () => {
    await bench.use(todo, plan);
    assert.deepEqual(
      await items({
        merge: true,
        todos: [
          { id: 'b', status: 'cancelled' },
          { id: 'c', content: 'Test all' },
          { id: 'd', content: 'Tell' },
        ],
      }),
      [
        { id: 'a', text: 'Read', state: 'done' },
        { id: 'b', text: 'Fix', state: 'cancelled' },
        { id: 'c', text: 'Test all', state: 'pending' },
        { id: 'd', text: 'Tell', state: 'pending' },
      ],
    );
    const unknown = await bench.use(todo, { merge: true, todos: [{ id: 'z', status: 'completed' }] });
    assert.equal(unknown.failed, true);
    assert.match(unknown.content, /no step z to change.*\n\[x\] a\. Read/);
    assert.equal((await items({})).length, 4, 'the refused change left the list as it was');
  });

  it('takes lists in the other forms that are in use', async () => {
    assert.deepEqual(
      await items({
        items: [
          { text: 'Read', state: 'done' },
          { text: 'Fix', state: 'active' },
        ],
      }),
      [
        { id: '1', text: 'Read', state: 'done' },
        { id: '2', text: 'Fix', state: 'active' },
      ],
    );
    assert.deepEqual(await items({ todos: '[{"id":7,"content":"One","status":"in_progress"}]' }), [
      { id: '7', text: 'One', state: 'active' },
    ]);
    assert.deepEqual(await items({ todos: ['One', 'Two'] }), [
      { id: '1', text: 'One', state: 'pending' },
      { id: '2', text: 'Two', state: 'pending' },
    ]);
  });

  it('refuses a new step without words, an unknown state and an id twice', () => {
    for (const todos of [
      [{ id: '1' }],
      [{ id: '1', content: 'x', status: 'later' }],
      [
        { id: '1', content: 'x' },
        { id: '1', content: 'y' },
      ],
      'none',
      5,
    ])
      assert.throws(() => todo.bind({ todos }), /Invalid input/, JSON.stringify(todos));
  });

  it('is a projection of the log that a condensation does not touch', () => {
    const log = [
      {
        seq: 0,
        at: 0,
        type: 'observation',
        actionId: '1',
        outcome: 'ok',
        content: '',
        details: { kind: 'todo', items: [{ id: '1', text: 'Old', state: 'pending' }] },
      },
      {
        seq: 1,
        at: 0,
        type: 'observation',
        actionId: '2',
        outcome: 'ok',
        content: '',
        details: {
          kind: 'todo',
          items: [
            { id: '1', text: 'Done', state: 'done' },
            { id: '2', text: 'Open', state: 'active' },
          ],
        },
      },
      { seq: 2, at: 0, type: 'condensation', forgotten: [0, 1], summary: 'What was.' },
    ] satisfies Event[];
    assert.equal(todosInWords(todosOf(log)), '[x] 1. Done\n[>] 2. Open');
  });

  it('is the same list under the names of OpenHands', async () => {
    const { details } = await bench.use(taskTracker, {
      command: 'plan',
      task_list: [
        { title: 'Read', status: 'done' },
        { title: 'Fix', notes: 'the sign', status: 'in_progress' },
        { title: 'Test' },
      ],
    });
    assert.ok(details?.kind === 'todo');
    assert.deepEqual(
      details.items.map(({ text, state }) => [text, state]),
      [
        ['Read', 'done'],
        ['Fix (the sign)', 'active'],
        ['Test', 'pending'],
      ],
    );
    assert.match((await bench.use(taskTracker, { command: 'view' })).content, /^Next: Fix \(the sign\)\n/);
    assert.match((await bench.use(todo, {})).content, /^Next: Fix/);
    assert.throws(() => taskTracker.bind({ command: 'plan' }), /needs task_list/);
  });
});
