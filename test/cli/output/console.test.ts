import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { temporaryWorkspace } from '../../support/temporaryWorkspace';
import { cliFile, ensureBuilt } from '../support/commandLine';

describe('what packages print with console', () => {
  before(ensureBuilt);

  it('goes to stderr, formatted as Node does and without control characters', () => {
    const words = `"said %s","it\\x1b[2J",Object.create(null)`;
    const program = `process.on("exit",()=>console.log(${words}))`;
    const { stdout, stderr, status } = spawnSync(process.execPath, [cliFile, '--version'], {
      env: { ...process.env, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(program)}` },
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    assert.equal(stderr, 'said it\\u{1b}[2J [Object: null prototype] {}\n');
    assert.match(stdout, /^\S+\n$/);
  });

  it('contains no secrets of an MCP server', () => {
    const workspace = temporaryWorkspace();
    try {
      const token = 'a-token-of-the-server-0123456789';
      const headers = { Authorization: 'Bearer ${env:NOTES_TOKEN}' };
      const mcpServers = { notes: { url: 'http://127.0.0.1:9/mcp', headers } };
      workspace.place('.mcp.json', JSON.stringify({ mcpServers }));
      const program = `process.on("exit",()=>console.warn("[mcp-sdk] Cause: %s",${JSON.stringify(token)}))`;
      const { stderr } = spawnSync(
        process.execPath,
        [cliFile, 'mcp', '--start', 'notes', '--agree', '--cwd', workspace.root],
        {
          env: {
            ...process.env,
            NOTES_TOKEN: token,
            XDG_STATE_HOME: workspace.at('state'),
            NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(program)}`,
          },
          encoding: 'utf8',
        },
      );
      assert.match(stderr, /notes[^]*\[mcp-sdk\] Cause: \[masked secret\]\n$/);
    } finally {
      workspace.stop();
    }
  });
});
