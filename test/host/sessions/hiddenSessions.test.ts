// Sessions that no place shows: the last few idle ones stay open, and those that somebody needs. The others release
// their log and end their shell.
import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { reply, startModelServer, toolCall, type ModelServer } from '../../support/modelServer';
import { inspectFile } from '../../../src/extension/inspector/inspectFile';
import { statusOf } from '../../../src/core/log/status';
import type { Model } from '../../../src/core/ports/model';
import type { TaskChoices } from '../../../src/core/session/openSession';
import type { LiveSession } from '../../../src/extension/sessions/liveSession';
import type { ToInspector } from '../../../src/protocol/inspector/inspector';
import { fullRun } from '../../support/trajectory';
import { openSecondWindow, type SecondWindow } from '../support/secondWindow';
import {
  decided,
  pause,
  processesWith,
  runTask,
  until,
  workspace,
  type Session,
  command,
  setSettings,
} from '../support/session';

describe('sessions that no place shows', () => {
  let server: ModelServer;
  /** Commands that tasks run, by task. */
  const commands = new Map<string, string>();

  before(async () => {
    server = await startModelServer(({ body: { messages } }) => {
      const task = String(messages.find(({ role }) => role === 'user')!['content']);
      const asked = [...commands].find(([name]) => task.includes(name));
      return asked && messages.at(-1)!.role !== 'tool'
        ? toolCall('run_command', { command: asked[1] })
        : reply('Done.');
    });
    await setSettings({ 'model.provider': 'openai', 'model.baseUrl': server.baseUrl, 'model.name': 'test-model' });
  });
  after(async () => {
    await setSettings({ 'model.provider': undefined, 'model.baseUrl': undefined, 'model.name': undefined });
    await server.stop();
  });
  afterEach(() => commands.clear());

  const isOpen = ({ folder }: Session): boolean => fs.existsSync(path.join(folder, 'session.waymark.jsonl.lock'));
  /** True if a process of its shell or sandbox exists: their command lines name the folder of its outputs. */
  const hasShell = ({ id }: Session): boolean => processesWith(id).length > 0;
  /** Runs a task to its end, in the side bar. */
  async function runToEnd(task: string, run?: string): Promise<Session> {
    if (run !== undefined) commands.set(task, run);
    const session = await runTask(task);
    await session.reaches('agent_response', run === undefined ? 1 : 2);
    return session;
  }
  /** Starts as many tasks as stay open when no place shows them, and one more, which is on display. */
  async function startOthers(): Promise<readonly Session[]> {
    const others: Session[] = [];
    for (const name of ['one', 'two', 'three', 'four', 'on display'])
      others.push(await runToEnd(`Another task, ${name}.`));
    return others;
  }

  it('are closed if they are idle, except the last four, and can be continued', async () => {
    const first = await runToEnd('Run a command.', 'true');
    assert.deepEqual([isOpen(first), hasShell(first)], [true, true]);
    const others = await startOthers();
    await until('the first session is closed', () => !isOpen(first));
    assert.deepEqual(others.map(isOpen), [true, true, true, true, true]);
    assert.equal(hasShell(first), false);

    await command('waymark.openSession', first.id);
    await command('waymark.condense');
    await first.reaches('condensation_requested');
    assert.ok(isOpen(first));
  });

  it('stay open while a process of theirs runs, or while they wait for the user', async () => {
    const serving = await runToEnd('Start a server.', 'sleep 3127 & echo started');
    fs.mkdirSync(path.join(workspace(), 'old'), { recursive: true });
    commands.set('Delete the folder.', 'rm -rf old');
    const asking = await runTask('Delete the folder.');
    const { actionIds } = await asking.reaches('confirmation_requested');
    await startOthers();
    const last = await runToEnd('The last task.');
    await runToEnd('After the last task.');
    assert.deepEqual([serving, asking, last].map(isOpen), [true, true, true]);
    assert.equal(processesWith('sleep 3127').length > 0, true);
    await decided('waymark.refuse', { sessionId: asking.id, action: { id: actionIds[0] } });
    await command('waymark.openSession', serving.id);
    await command('waymark.stopEverything');
    fs.rmdirSync(path.join(workspace(), 'old'));
  });
});

/** Opens another window for each test, with a folder of its own for its sessions. */
function useSecondWindow(): { readonly storage: string; readonly second: SecondWindow } {
  const own = {} as { storage: string; second: SecondWindow };
  beforeEach(() => {
    own.storage = fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-hidden-'));
    own.second = openSecondWindow(own.storage);
  });
  afterEach(async () => {
    await own.second.close();
    fs.rmSync(own.storage, { recursive: true, force: true });
  });
  return own;
}

describe('sessions that become hidden', () => {
  const own = useSecondWindow();

  /** Opens a session with the first events of a run, all by default, and waits until they are on disk. */
  async function open(count?: number): Promise<LiveSession> {
    const session = own.second.window.sessions.openSession();
    for (const event of fullRun().slice(0, count)) session.conversation.append(event);
    await session.durable();
    return session;
  }
  /** Opens a session that waits for approval of a command. */
  async function openAsking(): Promise<LiveSession> {
    const session = await open(4);
    session.conversation.append({ type: 'confirmation_requested', actionIds: ['c1'] });
    await session.durable();
    return session;
  }
  const openIds = (): string[] => own.second.window.sessions.all.map(({ id }) => id);
  /** Opens four ended sessions that nobody shows: as many as stay open. */
  async function openFour(): Promise<readonly string[]> {
    const ids: string[] = [];
    for (let count = 0; count < 4; count++) ids.push((await open()).id);
    await pause(100);
    return ids;
  }

  it('are closed when their place shows another session or none', async () => {
    const { sidebar } = own.second.window;
    const shown = await open();
    await sidebar.shown.show(shown);
    const others = await openFour();
    assert.deepEqual(openIds(), [shown.id, ...others]);
    await sidebar.shown.show(undefined);
    await until('the hidden session is closed', () => !openIds().includes(shown.id));
    assert.deepEqual(openIds(), others);
  });

  it('are closed when their run ends, or nobody holds them any more', async () => {
    const { sessions } = own.second.window;
    const held = await open();
    const hold = sessions.keepOpen(held.id);
    const asking = await openAsking();
    const others = await openFour();
    assert.deepEqual(openIds(), [held.id, asking.id, ...others]);
    hold.dispose();
    await until('the first one is closed', () => !openIds().includes(held.id));
    assert.deepEqual(openIds(), [asking.id, ...others]);
    await asking.stop();
    await until('the stopped one is closed', () => !openIds().includes(asking.id));
    assert.deepEqual(openIds(), others);
  });

  it('are closed if they are read-only, or if their run was cut off', async () => {
    const { sessions } = own.second.window;
    const elsewhere = openSecondWindow(own.storage);
    try {
      const cutOff = await open(6);
      assert.equal(statusOf(cutOff.conversation.savedHistory), 'ready');
      const asking = await openAsking();
      await sessions.close(asking.id);
      elsewhere.window.sessions.openSession(asking.id);
      const readOnly = sessions.openSession(asking.id);
      assert.deepEqual(
        [readOnly.writable, statusOf(readOnly.conversation.savedHistory)],
        [false, 'waiting_for_confirmation'],
      );
      const others = await openFour();
      await until('both are closed', () => openIds().length === 4);
      assert.deepEqual(openIds(), others);
      const again = await sessions.openStored(cutOff.id);
      assert.deepEqual([again.writable, again.conversation.history.length], [true, cutOff.conversation.history.length]);
    } finally {
      await elsewhere.close();
    }
  });

  it('stay open while they start or wait for the user', async () => {
    const { sessions } = own.second.window;
    const asking = await openAsking();
    const starting = sessions.openSession();
    starting.conversation.append({ type: 'allow_rule_added', rule: { tool: 'run_command', key: 'ls' } });
    await starting.durable();
    let prepared = (): void => undefined;
    sessions.added.add({ tools: () => [], prepare: () => new Promise((resolve) => (prepared = resolve)) });
    const choices = { profile: 'none-like-this', limits: {}, allowPatterns: [] } as unknown as TaskChoices;
    const model: Model = {
      info: { name: 'unused', provider: 'none', contextWindow: null },
      complete: () => assert.fail('The task does not start.'),
    };
    const failed = assert.rejects(starting.start('Task.', model, choices), /none-like-this/);
    const others = await openFour();
    await open();
    await until('one of the others is closed', () => !openIds().includes(others[0]!));
    assert.ok(sessions.get(asking.id) && sessions.get(starting.id));
    prepared();
    await failed;
  });
});

describe('a session that is being closed', () => {
  const own = useSecondWindow();

  /** Opens a session that has ended. */
  async function openEnded(): Promise<LiveSession> {
    const session = own.second.window.sessions.openSession();
    for (const event of fullRun()) session.conversation.append(event);
    await session.durable();
    return session;
  }
  const turns = async (isDone: () => boolean): Promise<void> => {
    while (!isDone()) await new Promise(setImmediate);
  };

  it('says that it is loading, and opens again', async () => {
    const { sessions, sidebar } = own.second.window;
    const { id, conversation } = await openEnded();
    const closed = sessions.close(id);
    await sidebar.shown.showStored(id);
    const { problem, writable } = sidebar.facts();
    assert.deepEqual([problem, writable], ['Loading the session…', false]);
    const again = await sidebar.shown.openedSession();
    await closed;
    const { length } = conversation.history;
    assert.deepEqual([again?.id, again?.problem, again?.conversation.history.length], [id, undefined, length]);
    assert.deepEqual([sidebar.facts().problem, own.second.problems.length], [undefined, 0]);
  });

  it('does not open again in a window that is closing', async () => {
    const { sessions } = own.second.window;
    const { id } = await openEnded();
    void sessions.close(id);
    const opening = assert.rejects(sessions.openStored(id), /The window is closing/);
    await sessions.closeAll();
    await opening;
    assert.deepEqual(sessions.all, []);
  });

  it('stays open if it is used again before', async () => {
    const { sessions } = own.second.window;
    const { id } = await openEnded();
    let answer: (count: number) => void = () => assert.fail('its processes are not counted yet');
    const counted = new Promise<number>((resolve) => {
      answer = resolve;
    });
    Object.assign(sessions.environmentOf(id)!, { processes: () => counted });
    for (let others = 0; others < 5; others++) await openEnded();
    const used = await sessions.openStored(id);
    answer(0);
    await pause(200);
    assert.ok(sessions.get(id) === used);
  });

  it('stays open if it is shown while an event is added to it', async () => {
    const { sessions, sidebar } = own.second.window;
    const { id } = await openEnded();
    await sessions.close(id);
    const noted = sessions.note(id, { type: 'settings_changed', title: 'Renamed' });
    await turns(() => sessions.get(id) !== undefined);
    await sidebar.shown.showStored(id);
    await noted;
    assert.ok(sidebar.shown.live && sidebar.shown.live === sessions.get(id));
  });

  it('is still followed by its inspector when it goes on', async () => {
    const { sessions } = own.second.window;
    const { id } = await openEnded();
    const [told, said] = [new vscode.EventEmitter<unknown>(), new vscode.EventEmitter<void>()];
    const posted: ToInspector[] = [];
    const webview = {
      asWebviewUri: (uri: vscode.Uri) => uri,
      onDidReceiveMessage: told.event,
      postMessage: async (message: ToInspector) => posted.push(message),
    };
    const panel = { webview, onDidDispose: said.event } as unknown as vscode.WebviewPanel;
    inspectFile(vscode.Uri.file(sessions.stored.logOf(id)), panel, own.second.window);
    try {
      told.fire({ type: 'ready' });
      await turns(() => posted.some(({ type }) => type === 'run'));
      await sessions.close(id);
      const again = await sessions.openStored(id);
      posted.length = 0;
      again.conversation.append({ type: 'notice', level: 'info', text: 'It goes on.' });
      await until('the inspector shows the event', () => JSON.stringify(posted).includes('It goes on.'), 5);
    } finally {
      said.fire();
    }
  });

  it('gets no message while it is opened again with the tools of a trusted workspace', async () => {
    const { sessions, sidebar } = own.second.window;
    const session = await openEnded();
    await sidebar.shown.show(session);
    const renewed = own.second.window['watch'].trustGranted();
    const meant = await sidebar.shown.openedSession();
    await renewed;
    assert.ok(meant && meant !== session && meant === sessions.get(session.id));
    assert.ok(sidebar.shown.live === meant);
  });

  it('tells those who wait for its end, even if closing it fails', async () => {
    const { sessions } = own.second.window;
    const { id } = await openEnded();
    let isTold = false;
    const watch = sessions.watch(id, () => {
      isTold = true;
    });
    Object.assign(sessions.environmentOf(id)!, { dispose: () => Promise.reject(new Error('No shell.')) });
    await assert.rejects(sessions.close(id), /No shell/);
    await turns(() => isTold);
    watch.dispose();
  });
});
