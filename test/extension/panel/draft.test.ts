import { strict as assert } from 'node:assert';
import type * as vscode from 'vscode';
import { forgetDraft, sidebarDraft, TabDraft } from '../../../src/extension/panel/draft';
import { takeForgotten, WaitingTask } from '../../../src/extension/panel/waitingTask';

/** In-memory workspace state. */
function memento(): vscode.Memento {
  const kept = new Map<string, unknown>();
  return {
    keys: () => [...kept.keys()],
    get: <Value>(key: string, fallback?: Value) => (kept.has(key) ? (kept.get(key) as Value) : fallback),
    update: async (key: string, value: unknown) => void (value === undefined ? kept.delete(key) : kept.set(key, value)),
  } as vscode.Memento;
}

describe('an unsent draft of a tab', () => {
  it('is restored when its session is opened again, and in no other place', async () => {
    const state = memento();
    await new TabDraft(state, 'a').keep('Half a thought');
    assert.equal(new TabDraft(state, 'a').text, 'Half a thought');
    assert.deepEqual([new TabDraft(state, 'b').text, new TabDraft(state, undefined).text], ['', '']);
    assert.equal(sidebarDraft(state).text, '');
  });

  it('keeps pasted long texts until they are sent', async () => {
    const state = memento();
    const draft = new TabDraft(state, undefined);
    await draft.keepPastes(['a long text']);
    await draft.moveTo('a');
    assert.deepEqual(new TabDraft(state, 'a').pastes, ['a long text']);
    assert.deepEqual([new TabDraft(state, undefined).pastes, sidebarDraft(state).pastes], [[], []]);
    await draft.keepPastes([]);
    assert.deepEqual(state.keys(), []);
  });

  it('is separate for each tab without a session', async () => {
    const state = memento();
    const taken = new Set<number>();
    await new TabDraft(state, undefined, taken).keep('One');
    const second = new TabDraft(state, undefined, taken);
    assert.equal(second.text, '');
    await second.keep('Two');
    await second.moveTo('b');
    assert.deepEqual([new TabDraft(state, undefined).text, new TabDraft(state, 'b').text], ['One', 'Two']);
  });

  it('appears in the next new tab, however many tabs with sessions were open', async () => {
    const state = memento();
    const taken = new Set<number>();
    const [session, begun] = [new TabDraft(state, 'a', taken), new TabDraft(state, undefined, taken)];
    await begun.keep('A task');
    for (const tab of [session, begun]) tab.freeNumber();
    const next = new TabDraft(state, undefined, taken);
    assert.equal(next.text, 'A task');
    await next.moveTo('b');
    assert.equal(new TabDraft(state, undefined, taken).text, '', 'its number is free, and its words went along');
  });

  it('is deleted with its session', async () => {
    const state = memento();
    await new TabDraft(state, 'a').keep('Half a thought');
    await new TabDraft(state, 'a').keepPastes(['a long text']);
    await new TabDraft(state, 'b').keep('Another');
    await forgetDraft(state, 'a');
    assert.deepEqual([new TabDraft(state, 'a').text, new TabDraft(state, 'b').text], ['', 'Another']);
  });

  it('moves along if the tab shows another session', async () => {
    const state = memento();
    const draft = new TabDraft(state, undefined);
    await draft.keep('A task');
    await draft.moveTo('a');
    assert.equal(draft.text, 'A task');
    assert.equal(new TabDraft(state, undefined).text, '');
  });

  it('stays if the session that the tab shows next has its own draft', async () => {
    const state = memento();
    await new TabDraft(state, 'b').keep('Of b');
    const draft = new TabDraft(state, 'a');
    await draft.keep('Of a');
    await draft.moveTo('b');
    assert.equal(draft.text, 'Of b');
    assert.equal(new TabDraft(state, 'a').text, 'Of a');
  });

  it('keeps pasted pictures while the tab is open, whichever session it shows', async () => {
    const draft = new TabDraft(memento(), undefined);
    draft.pictures = [{ mediaType: 'image/png', data: 'AAAA' }];
    await draft.moveTo('a');
    assert.equal(draft.pictures.length, 1);
  });

  it('is deleted when it is sent', async () => {
    const state = memento();
    const draft = new TabDraft(state, 'a');
    await draft.keep('Sent');
    await draft.keep('');
    assert.deepEqual(state.keys(), []);
  });
});

describe('a task that waits for a model', () => {
  const forgotten = async (state: vscode.Memento): Promise<string | undefined> => {
    let taken: string | undefined;
    await takeForgotten(state, async (tasks) => {
      taken = tasks;
    });
    return taken;
  };

  it('belongs to its place and does not affect a task that waits elsewhere', async () => {
    const state = memento();
    const [sidebar, tab] = [new WaitingTask(state), new WaitingTask(state)];
    await sidebar.keep('Of the side bar');
    assert.equal(tab.task, undefined);
    await tab.keep('Of the tab');
    assert.deepEqual([sidebar.task, tab.task], ['Of the side bar', 'Of the tab']);
    await tab.handOver(() => Promise.resolve());
    assert.deepEqual([sidebar.task, tab.task], ['Of the side bar', undefined]);
    assert.equal(await forgotten(state), 'Of the side bar');
    assert.deepEqual(state.keys(), []);
  });

  it('is taken back once: then it neither starts nor returns after a reload', async () => {
    const state = memento();
    const [here, elsewhere] = [new WaitingTask(state), new WaitingTask(state)];
    await here.keep('Fix it.');
    await elsewhere.keep('Fix it.');
    assert.equal(await here.takeBack(), 'Fix it.');
    assert.deepEqual([here.task, await here.takeBack()], [undefined, undefined]);
    await here.handOver(() => assert.fail('it was taken back'));
    assert.equal(await forgotten(state), 'Fix it.', 'that of the other place');
  });

  it('is started once, and a task kept here in the meantime waits', async () => {
    const state = memento();
    const waiting = new WaitingTask(state);
    await waiting.keep('First');
    const started: string[] = [];
    let review = (): void => undefined;
    const reviewed = new Promise<void>((resolve) => {
      review = resolve;
    });
    const start = (task: string): Promise<void> => {
      started.push(task);
      return reviewed;
    };
    const first = waiting.handOver(start);
    assert.equal(waiting.task, undefined);
    await waiting.handOver(start);
    assert.deepEqual(started, ['First']);
    assert.deepEqual(state.get('waymark.unstartedTask'), ['First'], 'it outlives the window until it has begun');
    await waiting.keep('Second');
    review();
    await first;
    assert.equal(waiting.task, 'Second');
    assert.equal(await forgotten(state), 'Second');
  });

  it('does not restart by itself after a failure, and waits if there is still no model', async () => {
    const state = memento();
    const waiting = new WaitingTask(state);
    await waiting.keep('Task');
    await assert.rejects(
      waiting.handOver(() => Promise.reject(new Error('No worktree.'))),
      /No worktree/,
    );
    assert.deepEqual([waiting.task, state.keys()], [undefined, []]);
    await waiting.keep('Task');
    await waiting.handOver((task) => waiting.keep(task));
    assert.equal(waiting.task, 'Task');
    assert.equal(await forgotten(state), 'Task');
  });

  it('is restored after the window was closed, with those of other places and of an older version', async () => {
    const state = memento();
    await new WaitingTask(state).keep('One');
    const other = new WaitingTask(state);
    await other.keep('Two');
    await other.keep('Three');
    assert.equal(await forgotten(state), 'One\n\nThree');
    assert.equal(await forgotten(state), undefined);
    await state.update('waymark.unstartedTask', 'As a text alone');
    assert.equal(await forgotten(state), 'As a text alone');
  });
});
