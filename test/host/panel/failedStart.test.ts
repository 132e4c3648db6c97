// A task that cannot start leaves no session behind in which the next task would end up.
import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { keepRule } from '../../../src/extension/consent/allowRules';
import type { ToPanel } from '../../../src/protocol/panel/panel';
import { reply, startModelServer, type ModelServer } from '../../support/modelServer';
import { openSecondWindow } from '../support/secondWindow';
import { until, workspace, setSettings } from '../support/session';

describe('a task that cannot start', () => {
  let server: ModelServer;
  before(async () => {
    server = await startModelServer(() => reply('Done.'));
    await setSettings({ 'model.provider': 'openai', 'model.baseUrl': server.baseUrl, 'model.name': 'test-model' });
  });
  after(async () => {
    await setSettings({ 'model.provider': undefined, 'model.baseUrl': undefined, 'model.name': undefined });
    await server.stop();
  });

  it('leaves no session, and the next message starts a task, also in a workspace with allow rules', async () => {
    const storage = fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-failed-'));
    const { window, problems, close } = openSecondWindow(storage);
    const { sessions, sidebar, workspaceState } = window;
    try {
      await keepRule({ tool: 'run_command', key: 'ls', within: { level: 'low', reasons: [] } }, workspaceState);
      await setSettings({ toolsets: ['nothing-like-this'] });
      await assert.rejects(sidebar.panel.say('Say hello.'), /nothing-like-this/);
      assert.deepEqual([sidebar.shown.id, sessions.all, sessions.list()], [undefined, [], []]);
      await setSettings({ toolsets: undefined });
      await sidebar.panel.say('Say hello.');
      const typesShown = (): string[] => sidebar.shown.history.slice(0).map(({ type }) => type);
      await until('the reply', () => typesShown().includes('agent_response'));
      assert.deepEqual(typesShown(), ['allow_rule_added', 'task_started', 'agent_response']);
      assert.deepEqual(problems, []);
    } finally {
      await setSettings({ toolsets: undefined });
      await close();
      fs.rmSync(storage, { recursive: true, force: true });
    }
  });

  it('does not take away what was typed after the message was sent', async () => {
    const storage = fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-draft-'));
    const { window, problems, close } = openSecondWindow(storage);
    const { sidebar } = window;
    try {
      const sent = sidebar.channel.receive({ type: 'send', text: 'Say hello.' });
      await sidebar.channel.receive({ type: 'draft', text: 'And then' });
      await sent;
      assert.equal(sidebar.panel.draft, 'And then');
      await sidebar.channel.receive({ type: 'draft', text: 'Say it again.' });
      await sidebar.channel.receive({ type: 'send', text: 'Say it again.' });
      assert.equal(sidebar.panel.draft, '');
      await until('the replies', () => sidebar.shown.live?.conversation.running === false);
      assert.deepEqual(problems, []);
    } finally {
      await close();
      fs.rmSync(storage, { recursive: true, force: true });
    }
  });

  it('says why a task for several candidates did not start, and gives it back', async () => {
    const storage = fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-best-'));
    const { window, close } = openSecondWindow(storage);
    const { sidebar, nextPlace } = window;
    const git = path.join(workspace(), '.git');
    const hadGit = fs.existsSync(git);
    const told: ToPanel[] = [];
    const view = sidebar.connect((message) => told.push(message));
    const problemsTold = () => told.flatMap((each) => (each.type === 'compose' ? [[each.text, each.problem]] : []));
    try {
      if (!hadGit) execFileSync('git', ['init', '-q'], { cwd: workspace() });
      await sidebar.channel.receive({ type: 'ready', cursor: 0 });
      await nextPlace.choose('best_of');
      assert.equal(nextPlace.chosen, 'best_of');
      await setSettings({ 'edits.apply': 'afterReview' });
      await sidebar.channel.receive({ type: 'send', text: 'Count.' });
      assert.match(String(problemsTold()[0]), /^Count\.,Edits are held back for review.*Set “waymark\.edits\.apply”/);
      await setSettings({ 'edits.apply': undefined });

      const sent = sidebar.channel.receive({ type: 'send', text: 'Count again.' });
      let isDone = false;
      void sent.then(() => (isDone = true));
      await until('the question is closed', async () => {
        await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
        return isDone;
      });
      assert.match(String(problemsTold()[1]), /^Count again\.,The task was not started, because you closed a question/);
      assert.deepEqual([sidebar.shown.id, problemsTold().length, nextPlace.chosen], [undefined, 2, 'best_of']);
    } finally {
      await setSettings({ 'edits.apply': undefined });
      await nextPlace.choose('workspace');
      if (!hadGit) fs.rmSync(git, { recursive: true, force: true });
      view.dispose();
      await close();
      fs.rmSync(storage, { recursive: true, force: true });
    }
  });
});
