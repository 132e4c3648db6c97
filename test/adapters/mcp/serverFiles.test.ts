import assert from 'node:assert/strict';
import fs from 'node:fs';
import { findServers } from '../../../src/adapters/mcp/mcpServers';
import { temporaryWorkspace } from '../../support/temporaryWorkspace';

describe('a file that configures MCP servers', () => {
  it('is read up to 128 KB; a larger file is reported, and the other files are used', async () => {
    const workspace = temporaryWorkspace();
    try {
      const server = JSON.stringify({ servers: { notes: { command: 'notes' } } });
      const limit = 128 * 1024;
      workspace.place('.mcp.json', server.padEnd(limit));
      workspace.place('.vscode/mcp.json', server.padEnd(limit + 1));
      const { servers, problems } = await findServers([workspace.root], undefined);
      assert.deepEqual(
        servers.map(({ name, file }) => [name, file]),
        [['notes', '.mcp.json']],
      );
      assert.deepEqual(
        problems.map(({ severity, file, message }) => [severity, file, message]),
        [
          [
            'error',
            '.vscode/mcp.json',
            'None of its servers are used: it has 131,073 bytes, and files over 128 KB are not read. Remove everything except servers.',
          ],
        ],
      );
    } finally {
      workspace.stop();
    }
  });

  it('is shown with its folder, by the absolute path if folders have the same name, and read once through a link', async () => {
    const workspace = temporaryWorkspace();
    try {
      for (const name of ['first', 'one/lib', 'two/lib'])
        workspace.place(
          `${name}/.mcp.json`,
          JSON.stringify({ servers: { [name.replace('/', '-')]: { command: 'notes' } } }),
        );
      fs.symlinkSync(workspace.at('first'), workspace.at('link'));
      const filesOf = async (...names: string[]): Promise<string[]> => {
        const { servers, problems } = await findServers(
          names.map((name) => workspace.at(name)),
          undefined,
        );
        assert.deepEqual(problems, []);
        return servers.map(({ file }) => file);
      };
      assert.deepEqual(await filesOf('first', 'one/lib', 'link'), ['.mcp.json', 'lib/.mcp.json']);
      assert.deepEqual(await filesOf('first', 'one/lib', 'two/lib'), [
        '.mcp.json',
        workspace.at('one/lib/.mcp.json'),
        workspace.at('two/lib/.mcp.json'),
      ]);
      assert.deepEqual(await filesOf('one/lib', 'two/lib'), ['.mcp.json', workspace.at('two/lib/.mcp.json')]);
    } finally {
      workspace.stop();
    }
  });
});
