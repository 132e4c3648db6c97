// Objects opened and closed in a window leave nothing behind: no listener, no reachable object of ours and no growing
// memory.
import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import v8 from 'node:v8';
import vm from 'node:vm';
import * as vscode from 'vscode';
import { Conversation } from '../../src/core/session/conversation';
import { inspectFile } from '../../src/extension/inspector/inspectFile';
import { InspectorChannel } from '../../src/extension/inspector/inspectorChannel';
import { PanelChannel } from '../../src/extension/panel/panelChannel';
import { PanelPlace } from '../../src/extension/panel/panelPlace';
import { PanelView } from '../../src/extension/panel/panelView';
import { LiveSession } from '../../src/extension/sessions/liveSession';
import type { WaymarkWindow } from '../../src/extension/window/waymarkWindow';
import { fullRun } from '../support/trajectory';
import { countRegistrations } from './support/registrations';
import { openSecondWindow } from './support/secondWindow';
import { note, workspace } from './support/session';

/** Number of rounds in each half. */
const half = 100;
/** Number of rounds after which two tabs are opened and closed. */
const tabsEvery = 8;
/** Large session content, so that a leaked session shows up in the heap. */
const said = 'x'.repeat(120_000);
/** Maximum heap growth in the second half, in bytes: 20 kB a round. A leaked session takes 50 kB. */
const mostGrowth = half * 20_000;
/** VS Code may still reference the most recently closed objects. */
const mostHeld = 3;

/** Classes whose instances must be released on close. One of each lives as long as the window: the side bar. */
const counted = { LiveSession, Conversation, PanelPlace, PanelChannel, InspectorChannel };

/** The VS Code tabs created, latest last. */
function notePanels(): { readonly made: vscode.WebviewPanel[]; stop(): void } {
  const { window } = vscode;
  const real = window.createWebviewPanel;
  const made: vscode.WebviewPanel[] = [];
  const noting: typeof real = (...given) => {
    const panel = real.apply(window, given);
    made.push(panel);
    return panel;
  };
  Object.defineProperty(window, 'createWebviewPanel', { value: noting, configurable: true, writable: true });
  const stop = (): void =>
    void Object.defineProperty(window, 'createWebviewPanel', { value: real, configurable: true, writable: true });
  return { made, stop };
}

interface Opened {
  readonly window: WaymarkWindow;
  readonly panels: vscode.WebviewPanel[];
  readonly log: vscode.Uri;
}

/** Starts a session that says something and is shown, then closes and deletes it. */
async function openSession({ window }: Opened, shown: (session: LiveSession) => Promise<void> = async () => {}) {
  const { sessions } = window;
  const session = sessions.openSession();
  session.conversation.append({ type: 'notice', level: 'info', text: said });
  await session.durable();
  await shown(session);
  await window.places.leave(session.id);
  await sessions.close(session.id);
  await sessions.delete(session.id);
}

/** Closes the most recently created tab. */
async function closeTab({ panels }: Opened): Promise<void> {
  const tab = panels.pop()!;
  const gone = new Promise<void>((resolve) => tab.onDidDispose(() => resolve()));
  tab.dispose();
  await gone;
}

const newTab = (name: string): vscode.WebviewPanel =>
  vscode.window.createWebviewPanel('waymark.compare', name, {
    viewColumn: vscode.ViewColumn.Active,
    preserveFocus: true,
  });

/** Draws the side bar panel in a real webview and closes it, sometimes before it is complete. */
async function openView(opened: Opened, isSlow: boolean): Promise<void> {
  const { sidebar, extension } = opened.window;
  const tab = newTab('View');
  const gone = new Promise<void>((resolve) => tab.onDidDispose(() => resolve()));
  const view = {
    webview: tab.webview,
    visible: true,
    onDidDispose: tab.onDidDispose,
    onDidChangeVisibility: tab.onDidChangeViewState,
  } as unknown as vscode.WebviewView;
  const drawn = new PanelView(extension, () => (isSlow ? gone.then(() => sidebar) : Promise.resolve(sidebar)));
  const resolved = drawn.resolveWebviewView(view);
  if (!isSlow) await resolved;
  sidebar.outlet.post({ type: 'focus', what: 'composer' });
  await closeTab(opened);
  await resolved;
  sidebar.outlet.post({ type: 'focus', what: 'composer' });
}

/** Shows a session in two editor tabs, one of which shows nothing at first, and closes them while the session runs. */
async function openTabs(opened: Opened, isHasty: boolean): Promise<void> {
  const { window } = opened;
  await openSession(opened, async (session) => {
    const shown = window.tabs.open(session.id);
    if (!isHasty) await shown;
    await window.tabs.open(undefined);
    const empty = window.places.tabs.at(-1)!;
    if (!isHasty) await empty.shown.show(session);
    session.conversation.append({ type: 'notice', level: 'info', text: 'More.' });
    await session.durable();
    await closeTab(opened);
    await closeTab(opened);
    await shown;
    assert.deepEqual([window.places.tabs.length, window.places.current === window.sidebar], [0, true]);
  });
}

/** Shows a log in an inspector and closes it. */
async function openInspector(opened: Opened): Promise<void> {
  inspectFile(opened.log, newTab('Inspector'), opened.window);
  await closeTab(opened);
}

/** Opens the diff of an edit that waits for approval. It is closed when the edit is decided. */
async function openDiff({ window: { changes } }: Opened, round: number): Promise<void> {
  const question = { sessionId: `s${round}`, actionId: 'a' };
  await changes.showProposed(question, 'leaks.txt', { before: null, after: 'y'.repeat(10_000) }, workspace());
  await changes.closeProposed(question);
}

type Class = abstract new (...given: never[]) => object;
type QueryObjects = (of: Class, options: { readonly format: 'count' }) => number;

/** Returns how many objects of each class are still reachable after garbage collection. */
function alive<Name extends string>(classes: Readonly<Record<Name, Class>>): Record<Name, number> {
  const { queryObjects } = v8 as unknown as { readonly queryObjects: QueryObjects };
  const counts = Object.entries<Class>(classes).map(([name, of]) => [name, queryObjects(of, { format: 'count' })]);
  return Object.fromEntries(counts) as Record<Name, number>;
}

/** Returns the used heap in bytes, after garbage collection. */
async function heapUsed(): Promise<number> {
  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc') as () => void;
  // VS Code reports closed objects to the window and releases them after the answer.
  for (let turn = 0; turn < 3; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    collect();
  }
  return process.memoryUsage().heapUsed;
}

describe('opening and closing things in a window', function () {
  this.timeout(300_000);
  let folder: string;
  let log: vscode.Uri;
  const undone: (() => void)[] = [];
  before(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-leaks-'));
    const lines = [{ waymark: 1 }, ...fullRun()].map((line) => `${JSON.stringify(line)}\n`);
    log = vscode.Uri.file(path.join(folder, 'run.waymark.jsonl'));
    fs.writeFileSync(log.fsPath, lines.join(''));
  });
  after(() => {
    for (const undo of undone.toReversed()) undo();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  it('leaves no listeners behind, and neither instances nor memory grow', async () => {
    const panels = notePanels();
    const registrations = countRegistrations();
    undone.push(panels.stop, registrations.stop);
    const before = alive(counted);
    const { window, problems, close } = openSecondWindow(path.join(folder, 'storage'));
    const opened: Opened = { window, panels: panels.made, log };
    const rounds = async (from: number, count: number): Promise<void> => {
      for (let round = from; round < from + count; round++) {
        await openSession(opened);
        await openView(opened, round % 2 === 1);
        await openInspector(opened);
        if (round % tabsEvery === 0) await openTabs(opened, round % (2 * tabsEvery) === 0);
        if (round % 10 === 0) await openDiff(opened, round);
      }
    };
    /** Number of additional living instances per class, compared to before the window, which has its own place. */
    const held = (): Record<string, number> =>
      Object.fromEntries(
        Object.entries(alive(counted)).map(([name, count]) => [name, count - before[name as keyof typeof before]]),
      );
    // Loads everything that is loaded on first use.
    await rounds(0, tabsEvery + 1);
    const listening = registrations.living();
    assert.notDeepEqual(listening, {}, 'no registration is counted');
    const atFirst = await heapUsed();
    await rounds(half, half);
    assert.deepEqual(registrations.living(), listening, 'after the first hundred');
    const atHalf = await heapUsed();
    await rounds(2 * half, half);
    assert.deepEqual(registrations.living(), listening, 'after the second hundred');
    const atLast = await heapUsed();

    const [first, second] = [atHalf - atFirst, atLast - atHalf];
    note(`heap: ${Math.round(first / 1024)} kB in the first ${half} rounds, ${Math.round(second / 1024)} kB after`);
    const kept = held();
    note(`held after ${2 * half} rounds: ${JSON.stringify(kept)}`);
    assert.ok(kept['PanelPlace']! >= 1, 'the place of the side bar is not counted');
    for (const [name, count] of Object.entries(kept)) assert.ok(count <= mostHeld, `${count} of ${name} are held`);
    assert.ok(second < mostGrowth, `${first} bytes, then ${second} bytes more`);
    assert.deepEqual(problems, []);

    await close();
    assert.deepEqual(registrations.living(), {}, 'the parts of a window end everything that they registered');
  });
});
