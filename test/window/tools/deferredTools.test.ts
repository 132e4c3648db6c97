// The view of MCP servers says which tools the agent gets only when it needs them; the panel shows what it found.
import path from 'node:path';
import { toolCall } from '../../support/modelServer';
import { finish, useSharedWindow } from '../support/agentWindow';

const catalog = path.join(process.env.REPOSITORY!, 'test/fixtures/mcp/catalog.mjs');

describe('many tools of an MCP server in a window', function () {
  this.timeout(240_000);
  const agent = useSharedWindow('asking', {
    files: { '.mcp.json': JSON.stringify({ mcpServers: { forge: { command: process.execPath, args: [catalog] } } }) },
  });

  it('are marked in the view, and the panel shows which ones the agent found', async () => {
    agent().model(toolCall('find_tools', { query: 'open a new issue' }), finish('Looked.'));
    const task = agent().task('Look for tools.');
    await agent().page.locator('.monaco-dialog-box').getByRole('button', { name: 'Start Server' }).click();
    await task;
    await agent().reaches('finished');
    await agent().view.getByText('“open a new issue”').first().waitFor();
    await agent().view.getByText('6 tools').first().waitFor();
    await agent().command('Waymark: Focus on MCP Servers View');
    const row = (name: string) =>
      agent().page.locator('.pane', { hasText: 'MCP Servers' }).locator('.monaco-list-row', { hasText: name }).first();
    await row('running').click();
    await row('create_issue').getByText('on demand').waitFor();
    await agent().window.screenshot('mcp-on-demand');
  });
});
