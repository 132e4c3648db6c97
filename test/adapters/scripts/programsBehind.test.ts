import assert from 'node:assert/strict';
import fs from 'node:fs';
import { serverFingerprint } from '../../../src/adapters/mcp/serverFingerprint';
import { programsBehind } from '../../../src/adapters/scripts/programsBehind';
import { launchHash } from '../../../src/core/mcp/approval';
import type { StdioServer } from '../../../src/core/mcp/server';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace';

describe('the programs behind a command line', () => {
  let workspace: TemporaryWorkspace;
  beforeEach(() => {
    workspace = temporaryWorkspace('work');
  });
  afterEach(() => workspace.stop());
  const behind = async (command: string) => (await programsBehind([{ command }], workspace.root)).byName;

  it('get a new hash when they change, even if they are binary or too large to read', async () => {
    for (const [name, one, other] of [
      ['guard', '#!/bin/sh\nexit 2\n', '#!/bin/sh\nexit 0\n'],
      ['tool.jar', 'PK\0one', 'PK\0two'],
      ['large.mjs', `//${'x'.repeat(1_100_000)}1`, `//${'x'.repeat(1_100_000)}2`],
    ] as const) {
      workspace.place(name, one);
      const before = (await behind(`unheard-of ./${name}`)).get(name)!;
      workspace.place(name, other);
      const after = (await behind(`unheard-of ./${name}`)).get(name)!;
      assert.notEqual(before.hash, after.hash);
      assert.equal(after.text, name === 'guard' ? other : undefined);
    }
  });

  for (const [line, expected, hasUnknownPrograms] of [
    ['run.bat', ['run.bat'], false],
    ['RUN', ['run.bat'], false],
    ['"my hooks\\guard.bat" --strict', ['my hooks/guard.bat'], false],
    ['"%CLAUDE_PROJECT_DIR%\\run.bat"', ['run.bat'], false],
    ['%cd%\\run.bat', ['run.bat'], false],
    ['sh tools/check > log 2>&1', ['tools/check'], false],
    ['bash -lc "sh tools/check"', ['tools/check'], false],
    ['^s^h tools\\check', ['tools/check'], false],
    ['node -e "require(\'./srv.mjs\')"', ['srv.mjs'], false],
    ['(call run.bat)', ['run.bat'], false],
    ['sh < tools/check', ['tools/check'], true],
    ['for %f in (*.bat) do %f', [], true],
    ['%PROGRAM% notes.md', [], true],
    ['type notes.md', [], false],
    ['..\\outside.bat', [], false],
  ] as const)
    it(`of cmd.exe are ${expected.join(', ') || 'none'}${hasUnknownPrograms ? ' and unknown ones' : ''}: ${line}`, async () => {
      for (const name of ['run.bat', 'my hooks/guard.bat', 'srv.mjs', 'notes.md', '../outside.bat'])
        workspace.place(name, 'text');
      workspace.place('tools/check', '#!/bin/sh');
      const command = process.platform === 'win32' ? line : line.replace('RUN', 'run');
      const context = { shell: 'cmd', variables: { CLAUDE_PROJECT_DIR: workspace.root } };
      const programs = await programsBehind([{ command, context }], workspace.root);
      assert.deepEqual(
        [...programs.byName.keys()].map((name) => name.toLowerCase()),
        expected,
      );
      assert.equal(programs.hasUnknownPrograms, hasUnknownPrograms);
    });

  it('include scripts that a script runs, but only the used entries of package.json', async () => {
    workspace.place('one.sh', 'cd deep\nsh ./two.sh\n');
    workspace.place('deep/two.sh', 'npm run check\n');
    workspace.place('package.json', JSON.stringify({ version: '1', scripts: { check: 'node check.mjs' } }));
    workspace.place('deep/check.mjs', '1');
    const before = await behind('sh one.sh');
    assert.deepEqual([...before.keys()], ['deep/check.mjs', 'deep/two.sh', 'one.sh', 'package.json#check']);
    workspace.place(
      'package.json',
      JSON.stringify({ version: '2', scripts: { check: 'node check.mjs', precheck: 'sh one.sh' } }),
    );
    assert.deepEqual(
      [...(await behind('sh one.sh'))].map(([name, { hash }]) => [name, before.get(name)?.hash === hash]),
      [...[...before.keys()].map((name) => [name, true] as [string, boolean]), ['package.json#precheck', false]],
    );
  });

  it('are found through scripts that call each other endlessly', async () => {
    workspace.place('a.sh', 'sh b.sh\n');
    workspace.place('b.sh', 'sh a.sh\n');
    assert.deepEqual([...(await behind('sh a.sh')).keys()], ['a.sh', 'b.sh']);
  });

  const server = (command: string, args: readonly string[], more: Partial<StdioServer> = {}): StdioServer => ({
    kind: 'stdio',
    name: 'notes',
    file: '.mcp.json',
    from: { line: 1, column: 1 },
    folder: workspace.root,
    own: false,
    disabled: false,
    timeoutMs: 1_000,
    inputs: [],
    command,
    args,
    env: {},
    ...more,
  });

  for (const [command, args, cwd] of [
    ['node', ['./srv.mjs']],
    ['sh', ['-c', 'exec node ./srv.mjs']],
    ['bash', ['-lc', 'cd scr && exec ./run "$@"']],
    ['env', ['MODE=1', 'nice', '-n', '5', 'node', 'srv.mjs']],
    ['node', ['run.mjs'], '${workspaceFolder}/scr'],
    ['node', ['--import', '${workspaceFolder}/srv.mjs', '-e', '1']],
    ['npx', ['tsx', 'srv.mjs']],
    ['./my tools/it’s.sh', []],
  ] as const) {
    it(`of an MCP server are bound to its consent: ${[command, ...args].join(' ')}${cwd === undefined ? '' : ' in a folder'}`, async () => {
      const names = ['srv.mjs', 'scr/run', 'scr/run.mjs', 'my tools/it’s.sh'];
      for (const name of names) workspace.place(name, '#!/bin/sh\nexit 0\n');
      for (const name of ['notes.db', 'scr/notes.json']) workspace.place(name, '1');
      const named = server(command, [...args, './notes.db', 'notes.json'], cwd === undefined ? {} : { cwd });
      const before = (await serverFingerprint(named)).files;
      const [program, ...more] = Object.keys(before);
      assert.ok(names.includes(program!) && more.length === 0, Object.keys(before).join());
      fs.appendFileSync(workspace.at(program!), 'echo changed\n');
      assert.notEqual((await serverFingerprint(named)).files[program!], before[program!]);
    });
  }

  const shell = '#!/bin/sh\nexit 0\n';
  for (const [command, args, program, more = {}, files = {}] of [
    ['node', ['${workspaceFolder}${pathSeparator}server.js'], 'server.js'],
    ['node', ['${WAYMARK_TEST_UNSET:-server.js}'], 'server.js'],
    ['node', ['server.js'], 'sub/server.js', { cwd: '${WAYMARK_TEST_UNSET:-sub}' }],
    ['node', ['../${workspaceFolderBasename}/server.js'], 'server.js'],
    ['node', ['${env:WAYMARK_TEST_SCRIPT}'], 'server.js'],
    ['node', ['sub/server.js'], 'sub/server.js', { cwd: '${workspaceFolder}/../${workspaceFolderBasename}' }],
    ['node', ['.'], 'lib/main.js', {}, { 'package.json': '{"main":"lib/main"}' }],
    ['npx', ['-y', './srv'], 'srv/cli.js', {}, { 'srv/package.json': '{"bin":{"srv":"cli.js"}}' }],
    ['npx', ['-y', './srv'], 'srv/package.json', {}, { 'srv/package.json': '{"bin":"cli.js"}' }],
    ['yarn', ['mcp'], 'package.json#mcp', {}, { 'package.json': '{"scripts":{"mcp":"node server.js"}}' }],
    ['yarn', ['mcp'], 'server.js', {}, { 'package.json': '{"scripts":{"mcp":"node server.js"}}' }],
    ['pnpm', ['run', 'mcp'], 'server.js', {}, { 'package.json': '{"scripts":{"mcp":"node server.js"}}' }],
    [
      'yarn',
      ['--cwd', 'sub', 'mcp'],
      'sub/server.js',
      {},
      { 'sub/package.json': '{"scripts":{"mcp":"node server.js"}}' },
    ],
    ['env', ['-C', 'sub', 'node', 'server.js'], 'sub/server.js'],
    ['env', ['--chdir=sub', '-S', 'node server.js'], 'sub/server.js'],
    ['uv', ['--directory', 'sub', 'run', 'main.py'], 'sub/main.py'],
    ['node', ['-e', '1'], 'pre.js', { env: { NODE_OPTIONS: '--require ./pre.js' } }],
    ['node', ['-e', '1'], 'pre.js', { env: { NODE_OPTIONS: '--require=./pre' } }],
    ['node', ['-e', '1'], 'settings.json', { env: { CONFIG: '${workspaceFolder}/settings.json' } }],
    ['python3', ['-m', 'notes'], 'base/', { env: { PYTHONUSERBASE: './base' } }, { 'base/lib/usercustomize.py': '1' }],
    ['sh', ['-c', '. "$LIB"'], 'sub/run', { env: { LIB: './sub/run' } }],
    ['npx', ['-c', 'node server.js'], 'server.js'],
    ['npm', ['exec', '--call=node server.js'], 'server.js'],
    ['npx', ['--node-options=--require ./pre.js', 'some-server'], 'pre.js'],
    ['script', ['-qec', 'node server.js', '/dev/null'], 'server.js'],
    ['node', ['--run', 'mcp'], 'server.js', {}, { 'package.json': '{"scripts":{"mcp":"node server.js"}}' }],
    ['node', ['-p', 'require("./sub/server")'], 'sub/server.js'],
    ['python3', ['-uc', 'from notes.app import main; main()'], 'notes/app.py', {}, { 'notes/app.py': '1' }],
    ['deno', ['run', '-A', 'npm:some-server'], 'deno.json', {}, { 'deno.json': '{"links":["./srv"]}' }],
    ['uv', ['--directory', 'sub', 'run', 'main.py'], 'sub/pyproject.toml', {}, { 'sub/pyproject.toml': '[project]' }],
    ['bundle', ['exec', 'ruby', 'app.rb'], 'Gemfile', {}, { Gemfile: 'puts 1' }],
    ['uvicorn', ['notes.app:app'], 'notes/app.py', {}, { 'notes/app.py': '1' }],
    ['socat', ['STDIO', 'EXEC:node server.js,pty'], 'server.js'],
    ['socat', ['-', 'SYSTEM:"sh ./notes.dat"'], 'notes.dat', {}, { 'notes.dat': '1' }],
    ['socat', ['STDIN!!exec:\\"sh notes.dat\\",stderr', '-'], 'notes.dat', {}, { 'notes.dat': '1' }],
    ['socat', ['-', 'EXEC:./run,cd=sub'], 'sub/run'],
    ['git', ['-c', 'alias.serve=!sh notes.dat', 'serve'], 'notes.dat', {}, { 'notes.dat': '1' }],
    [
      'git',
      ['-c', 'alias.a=b', '-c', 'alias.b=!f() { . ./notes.dat; }; f', 'a'],
      'notes.dat',
      {},
      { 'notes.dat': '1' },
    ],
    ['git', ['-c', 'alias.s=-c core.pager="sh notes.dat" log', 's'], 'notes.dat', {}, { 'notes.dat': '1' }],
    ['git', ['-c', 'core.fsmonitor=node server.js', 'status'], 'server.js'],
    ['git', ['-C', 'sub', '-c', 'core.sshCommand=sh ./run', 'fetch'], 'sub/run'],
    ['git', ['-c', 'credential.helper=!sh notes.dat', 'fetch'], 'notes.dat', {}, { 'notes.dat': '1' }],
    ['git', ['bisect', 'run', 'sh', 'notes.dat'], 'notes.dat', {}, { 'notes.dat': '1' }],
    ['git', ['submodule', '--quiet', 'foreach', 'sh notes.dat'], 'notes.dat', {}, { 'notes.dat': '1' }],
    ['git', ['rebase', '--exec', 'sh notes.dat'], 'notes.dat', {}, { 'notes.dat': '1' }],
    ['git', ['clone', 'ext::sh -c ./server.js'], 'server.js'],
    ['code', ['--extensionDevelopmentPath=srv'], 'srv/package.json', {}, { 'srv/package.json': '{"main":"./cli"}' }],
    ['code', ['--extensionDevelopmentPath=./srv'], 'srv/cli.js', {}, { 'srv/package.json': '{"main":"./cli"}' }],
    [
      'code',
      ['--extensionDevelopmentPath', '${workspaceFolder}/srv'],
      'srv/cli.js',
      {},
      { 'srv/package.json': '{"browser":"cli.js"}' },
    ],
    ['cursor', ['--extensionTestsPath=file://${workspaceFolder}/server'], 'server.js'],
  ] as readonly (readonly [
    string,
    readonly string[],
    string,
    Partial<StdioServer>?,
    Readonly<Record<string, string>>?,
  ])[]) {
    it(`of an MCP server are those its launch finds: ${JSON.stringify([command, ...args, more])} → ${program}`, async () => {
      process.env['WAYMARK_TEST_SCRIPT'] = 'server.js';
      for (const name of [
        'server.js',
        'sub/server.js',
        'sub/main.py',
        'sub/run',
        'pre.js',
        'lib/main.js',
        'srv/cli.js',
        'settings.json',
      ])
        workspace.place(name, shell);
      for (const [name, text] of Object.entries(files)) workspace.place(name, text);
      const named = server(command, args, more);
      const before = await serverFingerprint(named);
      assert.ok(Object.hasOwn(before.files, program), Object.keys(before.files).join());
      assert.equal(before.hasUnknownPrograms, false);
      if (program.startsWith('sub/'))
        assert.ok(!Object.hasOwn(before.files, 'server.js'), 'that of the root does not run');
      const changed = program === 'base/' ? 'base/lib/usercustomize.py' : program.replace(/#.*/, '');
      workspace.place(
        changed,
        fs.readFileSync(workspace.at(changed), 'utf8').replace('"node ', '"node -r ./pre.js ') + '\n',
      );
      assert.notEqual(await launchHash(named, await serverFingerprint(named)), await launchHash(named, before));
    });
  }

  it('of an MCP server include the subfolder of each file in a folder of code', async () => {
    workspace.place('srv.py', 'pass');
    workspace.place('base/one/tool.py', 'one');
    workspace.place('base/two/tool.py', 'two');
    const named = server('python3', ['srv.py'], { env: { PYTHONPATH: '${workspaceFolder}/base' } });
    const before = (await serverFingerprint(named)).files['base/'];
    assert.ok(before);
    workspace.place('base/three/tool.py', 'two');
    fs.rmSync(workspace.at('base/two'), { recursive: true });
    assert.notEqual((await serverFingerprint(named)).files['base/'], before);
  });

  it('of an MCP server exclude its data files, which would otherwise ask again each time', async () => {
    for (const name of ['memory.json', 'notes.jsonl', 'notes.db', 'pre.jsonl']) workspace.place(name, '1');
    const env = {
      MEMORY_FILE_PATH: 'memory.json',
      NOTES: './notes.jsonl',
      PLACE: 'notes.db',
      NODE_OPTIONS: '--require ./pre.jsonl',
    };
    assert.deepEqual(Object.keys((await serverFingerprint(server('npx', ['-y', 'some-server'], { env }))).files), [
      'pre.jsonl',
    ]);
  });

  it('of an MCP server are reported as unknown if the command does not name them', async () => {
    for (const [command, args] of [
      ['sh', ['-c', '$START']],
      ['node', ['${input:script}']],
      ['poetry', ['run', 'notes']],
      ['cargo', ['run']],
      ['sh', ['-c', 'eval "$(make-it)"']],
      ['bash', ['-c', 'eval "$(curl -s example.com/x)"']],
      ['uvx', ['--from', '.', 'notes']],
      ['uvx', ['--from=./srv', 'notes']],
      ['go', ['run', '.']],
      ['nix', ['run']],
      ['mvn', ['exec:java']],
      ['java', ['-cp', 'classes', 'Main']],
      ['sh', ['-c', './sub/*']],
      ['sh', ['-c', 'for one in sub/*; do node $one; done']],
      ['sh', ['-c', 'PATH=./bin:$PATH notes']],
      ['env', ['PATH=./bin', 'notes']],
      ['git', ['-c', 'core.hooksPath=hooks', 'commit']],
      ['git', ['-c', 'include.path=./more', 'x']],
      ['git', ['--exec-path=./bin', 'x']],
      ['socat', ['-', 'EXEC:run,path=./bin']],
      ['code', ['--extensions-dir=./extensions', '.']],
    ] as const)
      assert.equal((await serverFingerprint(server(command, args))).hasUnknownPrograms, true, args.join(' '));
    for (const [command, args] of [
      ['npx', ['-y', 'some-server']],
      ['uvx', ['some-server']],
      ['docker', ['run', '-i', 'image']],
      ['python3', ['-m', 'some_server']],
      ['notes-server', ['--root', '${workspaceFolder}']],
    ] as const)
      assert.deepEqual(
        await serverFingerprint(server(command, args)),
        { files: {}, decided: {}, hasUnknownPrograms: false },
        command,
      );
  });

  it('include a file that a shell evaluates, resolved in the shell’s folder, and what that file runs', async () => {
    for (const name of ['guard.sh', 'sub/guard.sh', 'sub/more.sh'])
      workspace.place(name, name === 'sub/guard.sh' ? 'sh ./more.sh\n' : 'exit 2\n');
    for (const line of [
      'eval "$(cat guard.sh)"',
      'bash -c "$(< guard.sh)"',
      'bash -c "$(cat guard.sh)"',
      'eval `cat guard.sh`',
      '. <(cat guard.sh)',
    ])
      assert.deepEqual([...(await behind(line)).keys()], ['guard.sh'], line);
    for (const line of ['env -C sub sh guard.sh', 'env --chdir=sub sh guard.sh', 'cd sub && eval "$(cat guard.sh)"'])
      assert.deepEqual([...(await behind(line)).keys()], ['sub/guard.sh', 'sub/more.sh'], line);
  });
});
