import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { toolCall } from '../../support/modelServer';
import { httpServer } from '../../adapters/mcp/support';
import { finish, gate, goOnFromEachOther, until, useAgentWindow } from '../support/agentWindow';

const marker = path.join(os.tmpdir(), `waymark-mcp-window-${process.pid}`);
const server = path.join(process.env.REPOSITORY!, 'test/fixtures/mcp/server.mjs');

describe('an MCP server in a window', function () {
  this.timeout(240_000);
  goOnFromEachOther(this);
  const agent = useAgentWindow({
    files: {
      '.mcp.json': JSON.stringify({
        mcpServers: {
          notes: { command: process.execPath, args: [server, '--marker', marker], env: { NOTES_KEY: 'x' } },
        },
      }),
    },
  });
  const started = (): number[] =>
    fs.existsSync(marker) ? fs.readFileSync(marker, 'utf8').trim().split('\n').map(Number) : [];
  const dialog = () => agent().page.locator('.monaco-dialog-box');
  after(() => fs.rmSync(marker, { force: true }));

  it('starts with a task after its whole command line was approved, and its calls are asked about', async () => {
    agent().model(toolCall('mcp_notes_lookup', { query: 'plans' }), finish('Looked it up.'));
    const task = agent().task('Look it up.');
    await dialog().waitFor();
    const words = await dialog().innerText();
    for (const part of ['Start the MCP server notes?', '.mcp.json:1', `${server} --marker ${marker}`, 'NOTES_KEY'])
      assert.ok(words.includes(part), `${part} is missing in ${words}`);
    await agent().window.screenshot('mcp-consent');
    assert.deepEqual(started(), []);
    assert.equal(
      await dialog().locator('.dialog-buttons :focus').innerText(),
      'Show File',
      'Enter alone consents to nothing',
    );
    await dialog().getByRole('button', { name: 'Start Server' }).click();
    await task;
    await agent().view.getByTestId('approval').waitFor();
    await agent().view.getByText('lookup of the MCP server notes').first().waitFor();
    await agent().window.screenshot('mcp-approval');
    assert.equal(started().length, 1);
    await agent().command('Waymark: Approve Pending Action');
    await agent().reaches('finished');
    await agent().finished();
    assert.match(agent().of('observation')[0]!.worded!, /\[From the MCP server notes\..*Note on plans/s);
  });

  it('is listed in a tree with its tools, and its prompts are commands', async () => {
    await agent().command('Waymark: Focus on MCP Servers View');
    const row = (name: string) =>
      agent().page.locator('.pane', { hasText: 'MCP Servers' }).locator('.monaco-list-row', { hasText: name }).first();
    await row('running').waitFor();
    await row('running').click();
    await row('lookup').waitFor();
    await agent().window.screenshot('mcp-tree');
    await agent().view.getByTestId('composer').focus();
    await agent().page.keyboard.type('/notes');
    await agent().view.getByTestId('completions').getByRole('option').filter({ hasText: '/notes:review' }).waitFor();
    await agent().window.screenshot('mcp-prompt');
  });

  it('completes resource addresses and template variables', async () => {
    const options = agent().view.getByTestId('completions').getByRole('option');
    const box = agent().view.getByTestId('composer');
    await box.fill('');
    await box.pressSequentially('@resource:notes:she');
    await options.filter({ hasText: 'shelf://{colour}/{fruit}' }).click();
    await options.filter({ hasText: 'colour: dark green' }).waitFor();
    await agent().window.screenshot('mcp-template');
    await options.filter({ hasText: 'colour: dark green' }).click();
    await options.filter({ hasText: 'fruit: pears' }).click();
    await until(
      'the whole address',
      async () => (await box.inputValue()).trim() === '@resource:notes:shelf://dark%20green/pears',
    );
    agent().model(finish('Seen.'));
    await agent().page.keyboard.press('Enter');
    await until('what it shows, in a request', () =>
      JSON.stringify(agent().server.requests.at(-1)!.body.messages).includes('pears from dark green'),
    );
    await agent().reaches('finished', 2);
    await agent().finished();
  });

  it('shows the progress of a call, and asks its person in a list that names the server', async () => {
    const schema = {
      type: 'object',
      properties: {
        branch: { type: 'string', title: 'Branch', description: 'Where it goes' },
        kind: { type: 'string', enum: ['fix', 'feature'] },
      },
      required: ['branch', 'kind'],
    };
    agent().model(toolCall('mcp_notes_wait', {}), toolCall('mcp_notes_ask', { schema }), finish('Asked.'));
    const task = agent().task('Ask me.');
    await agent()
      .view.getByTestId('circumstances')
      .getByText('Only the MCP server notes knows what it changes')
      .waitFor();
    await task;
    await agent().command('Waymark: Approve Pending Action');
    await agent().view.getByText('reading (').first().waitFor();
    assert.equal(await agent().view.getByText('Show terminal').count(), 0, 'it runs in no terminal');
    await agent().window.screenshot('mcp-progress');
    await agent().reaches('confirmation_requested', 2);
    await agent().command('Waymark: Approve Pending Action');
    const widget = agent().page.locator('.quick-input-widget');
    await widget.getByText('The MCP server notes asks you').waitFor();
    await widget.getByText('Asks for: Branch, kind').waitFor();
    await agent().window.screenshot('mcp-asks');
    await agent().page.keyboard.press('ArrowDown');
    await agent().page.keyboard.press('Enter');
    await widget.getByText('Branch – Where it goes').waitFor();
    await agent().page.keyboard.press('Enter');
    await widget.getByText('Enter a value.').waitFor();
    await agent().page.keyboard.type('main');
    await agent().window.screenshot('mcp-asks-value');
    await agent().page.keyboard.press('Enter');
    await widget.locator('.monaco-list-row', { hasText: 'feature' }).waitFor();
    await agent().page.keyboard.type('feature');
    await agent().page.keyboard.press('Enter');
    const observation = await agent().reaches('observation', 2);
    assert.match(observation.content, /\{"action":"accept","content":\{"branch":"main","kind":"feature"\}\}/);
    await agent().finished();
  });

  it('can be mentioned in a message, and Show Context lists everything that the request then contains', async () => {
    const { page } = agent();
    const options = () => agent().view.getByTestId('completions').getByRole('option');
    await agent().command('Waymark: New Session');
    await agent().view.getByTestId('composer').fill('');
    await page.keyboard.type('Sum up @reso');
    await options().filter({ hasText: '@resource' }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.type('note://one');
    await until(
      'the resource alone',
      async () =>
        (await options().count()) === 1 && (await options().first().innerText()).includes('@resource:notes:note://one'),
    );
    await agent().window.screenshot('mcp-resource');
    await page.keyboard.press('Enter');
    const words = 'Sum up @resource:notes:note://one';
    assert.equal((await agent().view.getByTestId('composer').inputValue()).trim(), words);
    await agent().view.getByTestId('show-context').click();
    const [, tokens, parts] = await until(
      'the sum of all parts',
      async () =>
        /About ([\d,]+) tokens in (\d+) parts/.exec(
          (await page.locator('.editor-instance .view-lines').first().innerText()).replace(/\s+/g, ' '),
        ) ?? undefined,
    );
    agent().model(finish('It says hello.'));
    await agent().view.getByTestId('composer').press('Enter');
    await agent().finished();
    const { task, context } = await agent().reaches('task_started');
    assert.equal(task, words);
    assert.deepEqual(
      context?.map(({ kind, source, trust }) => [kind, source, trust]),
      [['resource', 'the MCP server notes', 'others']],
    );
    const { body, text } = agent().server.requests.at(-1)!;
    assert.ok(text.includes('The first note says hello.'));
    const tools = body.tools!.map(({ function: { name, description, parameters } }) =>
      JSON.stringify({ name, description, parameters }),
    );
    const sent = [...body.messages.map(({ content }) => String(content)), ...tools].join('').length / 4;
    assert.ok(
      Math.abs(Number(tokens!.replaceAll(',', '')) - sent) < sent / 50,
      `${tokens} tokens were told of, ${sent} were sent`,
    );
    assert.equal(Number(parts), tools.length + 3, 'the system prompt, the tools, the words and what they point at');
  });

  it('gives its prompt after asking for missing values', async () => {
    const { page } = agent();
    await agent().command('Waymark: New Session');
    await agent().view.getByTestId('composer').fill('');
    await page.keyboard.type('/notes:r');
    await agent()
      .view.getByTestId('completions')
      .getByRole('option')
      .filter({ hasText: '/notes:review <change>' })
      .waitFor();
    await page.keyboard.press('Enter');
    agent().model(finish('Reviewed.'));
    await page.keyboard.press('Enter');
    await page.locator('.quick-input-widget', { hasText: 'change: which change' }).waitFor();
    await agent().window.screenshot('mcp-prompt-input');
    await page.keyboard.type('the last one');
    await page.keyboard.press('Enter');
    await agent().finished();
    const { task, context } = await agent().reaches('task_started');
    assert.equal(task, '/notes:review change="the last one"');
    assert.ok(
      context?.some(({ kind, text }) => kind === 'prompt' && text.includes('Review the last one in a plain tone.')),
    );
    assert.ok(agent().server.requests.at(-1)!.text.includes('Review the last one in a plain tone.'));
  });

  it('ends when everything is stopped', async () => {
    await agent().command('Waymark: Stop Everything');
    await until('the end of its process', () => {
      try {
        process.kill(started()[0]!, 0);
        return false;
      } catch {
        return true;
      }
    });
  });
});

describe('an MCP server that requires a sign-in, in a window', function () {
  this.timeout(240_000);
  const agent = useAgentWindow();
  const dialog = () => agent().page.locator('.monaco-dialog-box');
  const openBrowser = () => dialog().getByRole('button', { name: 'Open Browser' }).click();
  const row = (words: string) =>
    agent().page.locator('.pane', { hasText: 'MCP Servers' }).locator('.monaco-list-row', { hasText: words }).first();

  it('asks to sign in before a task and during a call, and is listed as waiting meanwhile', () =>
    httpServer(async (address, server) => {
      const file = path.join(agent().window.workspace, '.mcp.json');
      fs.writeFileSync(file, JSON.stringify({ mcpServers: { notes: { url: address } } }));
      agent().model(finish('Signed in.'));
      const task = agent().task('Start the server.');
      await dialog().getByRole('button', { name: 'Start Server' }).click();
      await dialog().getByText('The MCP server notes wants you to sign in at 127.0.0.1').waitFor();
      await agent().window.screenshot('mcp-sign-in');
      await openBrowser();
      await task;
      await agent().reaches('finished');

      await server.tell('/expire?all');
      const [asked, person] = [gate(), gate()];
      await agent()
        .page.context()
        .route('**/authorize**', async (route) => {
          asked.open();
          await person.opened;
          await route.continue();
        });
      agent().model(toolCall('mcp_notes_echo', { words: 'on' }), finish('Echoed.'));
      await agent().task('Echo.');
      await agent().reaches('confirmation_requested');
      await agent().command('Waymark: Approve Pending Action');
      await openBrowser();
      await asked.opened;
      await agent().page.bringToFront();
      await agent().command('Waymark: Focus on MCP Servers View');
      await row('waiting for your sign-in').waitFor();
      await agent().view.getByText('Waiting for your sign-in to notes.').waitFor();
      await agent().window.screenshot('mcp-waits-for-sign-in');
      person.open();
      await agent().reaches('finished');
      assert.match(agent().of('observation')[0]!.worded!, /You said: on/);
      await row('running').waitFor();
    }, '--oauth'));
});
