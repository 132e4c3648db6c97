// Sessions that no place shows: the last few idle ones stay open, and those that somebody needs. The others release
// their log and end their shell.
import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { reply, startModelServer, toolCall, type ModelServer } from '../support/modelServer';
import { openSecondWindow } from './support/secondWindow';
import { decided, processesWith, runTask, until, workspace, type Session } from './support/session';

const command = <Answer>(name: string, ...args: unknown[]) => vscode.commands.executeCommand<Answer>(name, ...args);
const set = async (values: Readonly<Record<string, unknown>>): Promise<void> => {
  for (const [key, value] of Object.entries(values))
    await vscode.workspace.getConfiguration('waymark').update(key, value, vscode.ConfigurationTarget.Global);
};

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
    await set({ 'model.provider': 'openai', 'model.baseUrl': server.baseUrl, 'model.name': 'test-model' });
  });
  after(async () => {
    await set({ 'model.provider': undefined, 'model.baseUrl': undefined, 'model.name': undefined });
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

  it('are opened again while they are being closed', async () => {
    const storage = fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-hidden-'));
    const { window, problems, close } = openSecondWindow(storage);
    try {
      const { sessions, sidebar } = window;
      const { id, conversation } = sessions.openSession();
      conversation.append({ type: 'notice', level: 'info', text: 'Before.' });
      const closed = sessions.close(id);
      await sidebar.shown.showStored(id);
      const again = await sidebar.shown.openedSession();
      await closed;
      assert.deepEqual([again?.id, again?.problem, again?.conversation.history.length], [id, undefined, 1]);
      assert.deepEqual(problems, []);
    } finally {
      await close();
      fs.rmSync(storage, { recursive: true, force: true });
    }
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
