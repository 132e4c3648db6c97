import { strict as assert } from 'node:assert';
import type * as vscode from 'vscode';
import { forgetDraft, sidebarDraft, TabDraft } from '../../../src/extension/panel/draft';

/** What VS Code keeps for a workspace. */
function memento(): vscode.Memento {
  const kept = new Map<string, unknown>();
  return {
    keys: () => [...kept.keys()],
    get: <Value>(key: string, fallback?: Value) => (kept.has(key) ? (kept.get(key) as Value) : fallback),
    update: async (key: string, value: unknown) => void (value === undefined ? kept.delete(key) : kept.set(key, value)),
  } as vscode.Memento;
}

describe('what was typed in a tab and not sent', () => {
  it('is there when the session is opened again, and in no other place', async () => {
    const state = memento();
    await new TabDraft(state, 'a').keep('Half a thought');
    assert.equal(new TabDraft(state, 'a').text, 'Half a thought');
    assert.deepEqual([new TabDraft(state, 'b').text, new TabDraft(state, undefined).text], ['', '']);
    assert.equal(sidebarDraft(state).text, '');
  });

  it('holds the long texts that were pasted, as long as they are not sent', async () => {
    const state = memento();
    const draft = new TabDraft(state, undefined);
    await draft.keepPastes(['a long text']);
    await draft.moveTo('a');
    assert.deepEqual(new TabDraft(state, 'a').pastes, ['a long text']);
    assert.deepEqual([new TabDraft(state, undefined).pastes, sidebarDraft(state).pastes], [[], []]);
    await draft.keepPastes([]);
    assert.deepEqual(state.keys(), []);
  });

  it('is apart for each tab in which nothing has begun', async () => {
    const state = memento();
    const taken = new Set<number>();
    await new TabDraft(state, undefined, taken).keep('One');
    const second = new TabDraft(state, undefined, taken);
    assert.equal(second.text, '');
    await second.keep('Two');
    await second.moveTo('b');
    assert.deepEqual([new TabDraft(state, undefined).text, new TabDraft(state, 'b').text], ['One', 'Two']);
  });

  it('is there in the next new tab, however many tabs with sessions were open', async () => {
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

  it('is forgotten with its session', async () => {
    const state = memento();
    await new TabDraft(state, 'a').keep('Half a thought');
    await new TabDraft(state, 'a').keepPastes(['a long text']);
    await new TabDraft(state, 'b').keep('Another');
    await forgetDraft(state, 'a');
    assert.deepEqual([new TabDraft(state, 'a').text, new TabDraft(state, 'b').text], ['', 'Another']);
  });

  it('goes along when the tab shows another session', async () => {
    const state = memento();
    const draft = new TabDraft(state, undefined);
    await draft.keep('A task');
    await draft.moveTo('a');
    assert.equal(draft.text, 'A task');
    assert.equal(new TabDraft(state, undefined).text, '');
  });

  it('stays where it was when other words wait in the session that the tab shows then', async () => {
    const state = memento();
    await new TabDraft(state, 'b').keep('Of b');
    const draft = new TabDraft(state, 'a');
    await draft.keep('Of a');
    await draft.moveTo('b');
    assert.equal(draft.text, 'Of b');
    assert.equal(new TabDraft(state, 'a').text, 'Of a');
  });

  it('is forgotten when it was sent', async () => {
    const state = memento();
    const draft = new TabDraft(state, 'a');
    await draft.keep('Sent');
    await draft.keep('');
    assert.deepEqual(state.keys(), []);
  });
});
