import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { reply, startModelServer, toolCall, type ModelServer } from '../support/modelServer';
import { sessionNamed, until, workspace, type Session, setSettings } from './support/session';

describe('sessions in worktrees', function () {
  this.timeout(180_000);
  let server: ModelServer;
  const at = (name: string): string => path.join(workspace(), name);
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], {
      cwd: workspace(),
      encoding: 'utf8',
      stdio: 'pipe',
    });
  const run = async (task: string): Promise<Session> => {
    const given = { task, uncommitted: true };
    const started = await vscode.commands.executeCommand<{ sessionId: string } | undefined>(
      'waymark.runTaskInWorktree',
      given,
    );
    assert.ok(started, 'the task was not started');
    const session = sessionNamed(started.sessionId);
    await until(
      'the end of the run',
      () =>
        session.of('observation').length > 0 &&
        session.types().includes('agent_response') &&
        session.of('agent_response').length > 1,
    );
    return session;
  };
  const rootOf = (session: Session): string => session.of('task_started')[0]!.cwd;

  before(async () => {
    server = await startModelServer((request) => {
      if (request.text.includes('was written') || /"role":"tool"/.test(JSON.stringify(request.body)))
        return reply('Done.');
      const word = request.text.includes('Say two.') ? 'two' : 'one';
      return toolCall('write_file', { path: 'of-worktree.txt', content: `${word}\n` });
    });
    await setSettings({
      'model.provider': 'openai',
      'model.baseUrl': server.baseUrl,
      'model.name': 'test-model',
      confirmation: 'never',
    });
    git('init', '-q');
    fs.writeFileSync(at('committed.txt'), 'x\n');
    git('add', 'committed.txt');
    git('commit', '-qm', 'First.');
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('waymark.newSession');
    fs.rmSync(at('.git'), { recursive: true, force: true });
    for (const name of ['committed.txt', 'of-worktree.txt']) fs.rmSync(at(name), { force: true });
    await setSettings({
      'model.provider': undefined,
      'model.baseUrl': undefined,
      'model.name': undefined,
      confirmation: undefined,
      followAgent: undefined,
    });
    await server.stop();
  });

  it('leave the workspace unchanged, bring changes back and undo that, and can be compared', async () => {
    const first = await run('Say one.');
    assert.notEqual(rootOf(first), workspace());
    assert.equal(first.of('task_started')[0]!.worktree?.of, fs.realpathSync(workspace()));
    assert.equal(fs.readFileSync(path.join(rootOf(first), 'of-worktree.txt'), 'utf8'), 'one\n');
    assert.equal(fs.existsSync(at('of-worktree.txt')), false, 'the workspace is as it was');

    await vscode.commands.executeCommand('waymark.bringBackAll');
    await until('the file comes', () => fs.existsSync(at('of-worktree.txt')));
    assert.equal(fs.readFileSync(at('of-worktree.txt'), 'utf8'), 'one\n');
    await vscode.commands.executeCommand('waymark.undoBringBack');
    await until('the file goes', () => !fs.existsSync(at('of-worktree.txt')));

    await setSettings({ followAgent: true });
    const second = await run('Say two.');
    const edited = path.join(rootOf(second), 'of-worktree.txt');
    await until('the edited file is shown', () =>
      vscode.window.visibleTextEditors.some(({ document }) => fs.realpathSync(document.uri.fsPath) === edited),
    );
    await vscode.commands.executeCommand('waymark.compareResults', [first.id, second.id]);
    const compared = await until('the comparison', () =>
      vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).find(({ label }) => label.includes('↔')),
    );
    assert.match(compared.label, /Say (?:one|two)\..*↔.*Say (?:one|two)\./);
  });
});
