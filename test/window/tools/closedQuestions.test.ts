import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { finish, pause, pressOnCard, run, until, useAgentWindow, type AgentWindow } from '../support/agentWindow';

const marker = path.join(os.tmpdir(), `waymark-closed-${process.pid}`);
const server = path.join(process.env.REPOSITORY!, 'test/fixtures/mcp/server.mjs');
const servers = {
  inputs: [
    { id: 'colour', type: 'pickString', description: 'Which colour', options: ['red', 'blue'] },
    { id: 'key', type: 'promptString', description: 'Key of the notes', password: true },
  ],
  servers: {
    notes: {
      type: 'stdio',
      command: process.execPath,
      args: [server, '--marker', marker, '--colour', '${input:colour}'],
      env: { NOTES_KEY: '${input:key}' },
    },
  },
};

/** What a person sees and presses in a list or a box of VS Code. */
const questionsOf = (agent: () => AgentWindow) => {
  const widget = () => agent().page.locator('.quick-input-widget');
  const input = () => widget().locator('.quick-input-box input');
  return {
    widget,
    /** Searches in a list. */
    type: (words: string) => input().fill(words),
    /**
     * Presses a key in the list or box. VS Code may still move the focus after it opened: a key pressed without
     * looking would reach the conversation or an editor, and the question would stay open.
     */
    press: (key: string) => input().press(key),
    asks: (words: string) => widget().getByText(words).first().waitFor(),
    closed: () => widget().waitFor({ state: 'hidden' }),
  };
};

describe('a question about settings that is closed with Esc', function () {
  this.timeout(240_000);
  const agent = useAgentWindow({
    settings: { 'waymark.model.headers': { 'x-one': '${secret:ONE}', 'x-two': '${secret:TWO}' } },
  });
  const { widget, type, press, asks, closed } = questionsOf(agent);
  const settings = (): string =>
    ['User', 'Machine']
      .map((name) => fs.readFileSync(path.join(agent().window.server.userData, name, 'settings.json'), 'utf8'))
      .join('\n');

  it('about a header secret stores nothing and asks for no value', async () => {
    await agent().command('Waymark: Set Header Secret…');
    await asks('Header Secret');
    await widget().locator('.monaco-list-row', { hasText: 'TWO' }).waitFor();
    await press('Escape');
    await closed();
    await pause(300);
    assert.equal(await widget().isVisible(), false);
    // A value that is closed is no value, either.
    await agent().command('Waymark: Set Header Secret…');
    await asks('Header Secret');
    await widget().locator('.monaco-list-row.focused', { hasText: 'ONE' }).waitFor();
    await press('Enter');
    await asks('Value of the Secret ONE');
    await press('Escape');
    await closed();
  });

  it('about toolsets leaves the setting alone, whatever was checked', async () => {
    const before = settings();
    await agent().command('Waymark: Task Options…');
    await widget().locator('.monaco-list-row', { hasText: 'Disabled Toolsets' }).waitFor();
    await type('Disabled');
    await until('one row', async () => (await widget().locator('.monaco-list-row').count()) === 1);
    await press('Enter');
    await widget().locator('.quick-input-title', { hasText: 'Disabled Toolsets' }).waitFor();
    const boxes = widget().locator('.monaco-list-row');
    await boxes.first().click();
    await press('Escape');
    await pause(300);
    assert.equal(settings(), before);
    while (await widget().isVisible()) await press('Escape');
  });
});

describe('a question of a task that is closed with Esc', function () {
  this.timeout(240_000);
  const agent = useAgentWindow({ files: { '.vscode/mcp.json': JSON.stringify(servers) } });
  const { widget, press, asks, closed } = questionsOf(agent);
  after(() => fs.rmSync(marker, { force: true }));

  it('about an input of an MCP server starts no server, in a list and in a box', async () => {
    // Exactly this row: the palette that starts the task has rows with "red" in a word, too.
    const list = () => widget().locator('.monaco-list-row .label-name').getByText('red', { exact: true }).waitFor();
    for (const isBox of [false, true]) {
      agent().model(finish('Did it without notes.'));
      const task = agent().task(isBox ? 'Do it again.' : 'Do it.');
      const start = agent().page.locator('.monaco-dialog-box').getByRole('button', { name: 'Start Server' });
      if (!isBox) await start.click();
      await list();
      if (isBox) {
        await press('Enter');
        await asks('Key of the notes');
      }
      await press('Escape');
      await closed();
      await task;
      await agent().reaches('finished');
      await agent().finished();
      await pause(500);
      assert.equal(fs.existsSync(marker), false, 'no process was started');
      await agent().command('Waymark: New Session');
    }
    await agent().command('Waymark: Focus on MCP Servers View');
    const pane = agent().page.locator('.pane', { hasText: 'MCP Servers' });
    await pane.locator('.monaco-list-row', { hasText: 'notes' }).first().waitFor();
    await agent().window.screenshot('mcp-input-closed');
  });

  it('about allow rules removes none', async () => {
    const risky = run('rm -rf old && echo ran >> times');
    agent().model(risky, finish('Did it.'));
    await agent().task('Do it once and always.');
    await until(
      'the key asked about',
      async () => (await widget().isVisible()) || agent().of('confirmation_requested').length > 0,
    );
    if (await widget().isVisible()) await press('Escape');
    await pressOnCard(agent().view, 'always-allow');
    await pressOnCard(agent().view, 'allow-workspace');
    await agent().reaches('finished');
    await agent().finished();
    await agent().command('Waymark: Allow Rules…');
    await asks('Select the rules to remove');
    await widget().locator('.monaco-list-row', { hasText: 'rm -rf old' }).first().click();
    await press('Escape');
    await closed();
    await agent().command('Waymark: Allow Rules…');
    await widget().locator('.monaco-list-row', { hasText: 'rm -rf old' }).first().waitFor();
    await press('Escape');
    assert.equal(
      agent()
        .of('allow_rule_added')
        .filter(({ revoked }) => revoked).length,
      0,
    );
  });
});
