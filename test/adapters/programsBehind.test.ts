import assert from 'node:assert/strict';
import fs from 'node:fs';
import { namedFiles } from '../../src/adapters/mcp/serverFiles';
import { programsBehind } from '../../src/adapters/programsBehind';
import type { StdioServer } from '../../src/core/mcp/server';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace';

describe('the programs behind a command line', () => {
  let workspace: TemporaryWorkspace;
  beforeEach(() => { workspace = temporaryWorkspace('work'); });
  afterEach(() => workspace.stop());
  const behind = (command: string) => programsBehind([{ command }], workspace.root);

  it('have another hash when they change, also those that are no text or larger than anybody reads', async () => {
    for (const [name, one, other] of [['guard', '#!/bin/sh\nexit 2\n', '#!/bin/sh\nexit 0\n'], ['tool.jar', 'PK\0one', 'PK\0two'], ['large.mjs', `//${'x'.repeat(1_100_000)}1`, `//${'x'.repeat(1_100_000)}2`]] as const) {
      workspace.place(name, one);
      const before = (await behind(`unheard-of ./${name}`)).get(name)!;
      workspace.place(name, other);
      const after = (await behind(`unheard-of ./${name}`)).get(name)!;
      assert.notEqual(before.hash, after.hash);
      assert.equal(after.text, name === 'guard' ? other : undefined);
    }
  });

  it('hold a script that a script of the folder runs, and only what is run of package.json', async () => {
    workspace.place('one.sh', 'cd deep\nsh ./two.sh\n');
    workspace.place('deep/two.sh', 'npm run check\n');
    workspace.place('package.json', JSON.stringify({ version: '1', scripts: { check: 'node check.mjs' } }));
    workspace.place('deep/check.mjs', '1');
    const before = await behind('sh one.sh');
    assert.deepEqual([...before.keys()], ['deep/check.mjs', 'deep/two.sh', 'one.sh', 'package.json#check']);
    workspace.place('package.json', JSON.stringify({ version: '2', scripts: { check: 'node check.mjs', precheck: 'sh one.sh' } }));
    assert.deepEqual([...(await behind('sh one.sh'))].map(([name, { hash }]) => [name, before.get(name)?.hash === hash]), [...[...before.keys()].map(name => [name, true] as [string, boolean]), ['package.json#precheck', false]]);
  });

  it('are found through scripts that call each other without end', async () => {
    workspace.place('a.sh', 'sh b.sh\n');
    workspace.place('b.sh', 'sh a.sh\n');
    assert.deepEqual([...(await behind('sh a.sh')).keys()], ['a.sh', 'b.sh']);
  });

  const server = (command: string, args: readonly string[], more: Partial<StdioServer> = {}): StdioServer =>
    ({ kind: 'stdio', name: 'notes', file: '.mcp.json', from: { line: 1, column: 1 }, folder: workspace.root, own: false, disabled: false, timeoutMs: 1_000, inputs: [], command, args, env: {}, ...more });

  for (const [command, args, cwd] of [
    ['node', ['./srv.mjs']], ['sh', ['-c', 'exec node ./srv.mjs']], ['bash', ['-lc', 'cd scr && exec ./run "$@"']], ['env', ['MODE=1', 'nice', '-n', '5', 'node', 'srv.mjs']], ['node', ['run.mjs'], '${workspaceFolder}/scr'], ['node', ['--import', '${workspaceFolder}/srv.mjs', '-e', '1']],
    ['npx', ['tsx', 'srv.mjs']], ['./my tools/it’s.sh', []],
  ] as const) {
    it(`of an MCP server are bound to the consent: ${[command, ...args].join(' ')}${cwd === undefined ? '' : ' in a folder'}`, async () => {
      const names = ['srv.mjs', 'scr/run', 'scr/run.mjs', 'my tools/it’s.sh'];
      for (const name of names) workspace.place(name, '#!/bin/sh\nexit 0\n');
      for (const name of ['notes.db', 'scr/notes.json']) workspace.place(name, '1');
      const named = server(command, [...args, './notes.db', 'notes.json'], cwd === undefined ? {} : { cwd });
      const before = await namedFiles(named);
      const [program, ...more] = Object.keys(before);
      assert.ok(names.includes(program!) && more.length === 0, Object.keys(before).join());
      fs.appendFileSync(workspace.at(program!), 'echo changed\n');
      assert.notEqual((await namedFiles(named))[program!], before[program!]);
    });
  }
});
