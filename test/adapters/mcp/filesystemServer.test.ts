// The reference filesystem server as users install it: it replaces the folders of its command line with the roots of
// its client.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { agreed, onMachine, type Machine } from './support';
import { toolContext } from '../../support/toolContext';

const program = path.join(
  process.env.REPOSITORY!,
  'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js',
);

async function withServer(
  args: (elsewhere: string) => readonly string[],
  more: object,
  use: (parts: {
    readonly call: (tool: string, input?: object) => Promise<string>;
    readonly elsewhere: string;
    readonly machine: Machine;
  }) => Promise<void>,
): Promise<void> {
  const elsewhere = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-elsewhere-')));
  fs.writeFileSync(path.join(elsewhere, 'note.txt'), 'first\nsecond\n');
  const server = { command: process.execPath, args: [program, ...args(elsewhere)], ...more };
  try {
    await onMachine({ '.mcp.json': { mcpServers: { files: server } } }, async (machine) => {
      const { servers } = machine;
      await agreed(servers, 'files');
      await servers.prepare(new AbortController().signal);
      const call = async (name: string, input: object = {}): Promise<string> => {
        const tool = servers.tools().find((each) => each.name === `mcp_files_${name}`);
        assert.ok(tool, servers.serverNamed('files')!.reason);
        return (await tool.bind(input).run(toolContext())).content;
      };
      await use({ call, elsewhere, machine });
    });
  } finally {
    fs.rmSync(elsewhere, { recursive: true, force: true });
  }
}

/**
 * After the handshake the server requests the workspace folders. Until it receives them, it answers calls by its
 * arguments.
 */
async function answersInTheEnd(call: (tool: string) => Promise<string>, wanted: string): Promise<void> {
  const until = Date.now() + 20_000;
  let told = await call('list_allowed_directories');
  while (told !== wanted && Date.now() < until) {
    await setTimeout(50);
    told = await call('list_allowed_directories');
  }
  assert.equal(told, wanted);
}

describe('the reference filesystem MCP server', () => {
  it('keeps the folder named in its arguments', () =>
    withServer(
      (elsewhere) => [elsewhere],
      {},
      async ({ call, elsewhere, machine }) => {
        assert.equal(await call('list_allowed_directories'), `Allowed directories:\n${elsewhere}`);
        assert.match(
          machine.servers.serverNamed('files')!.log.text,
          /Its arguments name folders, so it does not receive the workspace folders/,
        );
      },
    ));

  it('keeps several folders, including a relative one', () =>
    withServer(
      (elsewhere) => ['.', elsewhere],
      {},
      async ({ call, elsewhere, machine }) => {
        assert.equal(await call('list_allowed_directories'), `Allowed directories:\n${machine.folder}\n${elsewhere}`);
      },
    ));

  it('gets the workspace folders if its arguments name none', () =>
    withServer(
      () => [],
      {},
      async ({ call, machine }) => {
        await answersInTheEnd(call, `Allowed directories:\n${machine.folder}`);
      },
    ));

  it('gets the workspace folders if its entry asks for them', () =>
    withServer(
      (elsewhere) => [elsewhere],
      { roots: true },
      async ({ call, machine }) => {
        await answersInTheEnd(call, `Allowed directories:\n${machine.folder}`);
      },
    ));

  it('returns the text of a file once', () =>
    withServer(
      (elsewhere) => [elsewhere],
      {},
      async ({ call, elsewhere }) => {
        assert.equal(await call('read_text_file', { path: path.join(elsewhere, 'note.txt') }), 'first\nsecond\n');
        assert.equal(await call('list_directory', { path: elsewhere }), '[FILE] note.txt');
      },
    ));
});

describe('folders in server arguments', () => {
  const here = process.env.REPOSITORY!;
  const named = async (...args: string[]): Promise<boolean> => {
    const { namesFolders } = await import('../../../src/adapters/mcp/namesFolders');
    return namesFolders({
      kind: 'stdio',
      name: 'x',
      file: '',
      from: { line: 1, column: 1 },
      folder: here,
      own: false,
      disabled: false,
      timeoutMs: 1,
      inputs: [],
      command: 'x',
      args,
      env: {},
    });
  };

  for (const args of [
    [here],
    ['-y', '@modelcontextprotocol/server-filesystem', here],
    ['.'],
    ['./src'],
    ['~'],
    [`--root=${here}`],
    ['--root', here],
  ]) {
    it(`are recognized in ${args.join(' ').replaceAll(here, 'FOLDER')}`, async () =>
      assert.equal(await named(...args), true));
  }
  for (const args of [
    [],
    ['src'],
    [`${here}/package.json`],
    [`${here}/nowhere`],
    ['--directory', here, 'run', 'server'],
    [`--directory=${here}`],
    ['run', '--project', here],
    ['-y', 'some-server'],
  ]) {
    it(`are not assumed in "${args.join(' ').replaceAll(here, 'FOLDER')}"`, async () =>
      assert.equal(await named(...args), false));
  }
});
