import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { diskScripts } from '../../../src/adapters/scripts/diskScripts';
import { readEventLog } from '../../../src/adapters/log/eventLog';
import { gitState } from '../../../src/adapters/git/gitState';
import { GitTexts } from '../../../src/adapters/git/gitTexts';
import { findRipgrep } from '../../../src/adapters/search/ripgrepProgram';
import { onPath } from '../../../src/adapters/processes/onPath';
import { createTerminal } from '../../../src/adapters/terminal/ptyTerminal';
import { childEnvironment } from '../../../src/adapters/processes/childEnvironment';
import { chooseShell } from '../../../src/adapters/terminal/shells';
import { toolsOf } from '../../../src/core/session/sessionAgent';
import { profiles } from '../../../src/core/profiles/profiles';
import { cliFile, ensureBuilt } from '../../cli/support/commandLine';
import { reply, startModelServer, toolCall, type Answering } from '../../support/modelServer';
import { temporaryWorkspace } from '../../support/temporaryWorkspace';
import { assertAsked, command, reads, type HostileWorld } from './hostileWorld';
import { git, plant } from './hostileRepository';
import { section } from './incident';

function planted(world: HostileWorld) {
  const place = world.repository();
  plant(place.workspace);
  return place;
}

/** Loaded first in a process: records the processes it starts and the addresses it connects to. */
const spy = (report: string): string => `
const fs = require('node:fs'), net = require('node:net'), child = require('node:child_process'), dns = require('node:dns');
const note = (kind, what) => fs.appendFileSync(${JSON.stringify(report)}, JSON.stringify([kind, what]) + '\\n');
for (const name of ['spawn', 'spawnSync', 'execFile', 'execFileSync', 'exec', 'execSync', 'fork']) {
  const real = child[name];
  child[name] = function (program, ...rest) {
    note('process', [program, Array.isArray(rest[0]) ? rest[0] : []]);
    return real.call(this, program, ...rest);
  };
}
const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function (...args) {
  const [one] = [args[0]].flat();
  note('socket', one);
  return connect.apply(this, args);
};
const listen = net.Server.prototype.listen;
net.Server.prototype.listen = function (...args) {
  note('listens', 1);
  return listen.apply(this, args);
};
require('node:module').syncBuiltinESMExports();
`;

/**
 * Returns what the built command line starts and connects to when run in a hostile repository, with a model that gives
 * these answers.
 */
async function spied(answers: readonly Answering[], flags: readonly string[] = ['--trust-folder']) {
  ensureBuilt();
  const [workspace, home, server] = [temporaryWorkspace('work'), temporaryWorkspace(), await startModelServer(answers)];
  try {
    const { root } = workspace;
    plant(workspace);
    const report = home.at('spied.jsonl');
    home.place('spy.cjs', spy(report));
    home.place('spied.jsonl', '');
    const environment = {
      HOME: home.root,
      XDG_STATE_HOME: home.root,
      SHELL: '/bin/bash',
      LANG: 'C.UTF-8',
      NODE_OPTIONS: `--require ${home.at('spy.cjs')}`,
      PATH: `.:${root}:${root}/node_modules/.bin:${process.env['PATH']}`,
    };
    const child = spawn(
      process.execPath,
      [
        cliFile,
        'run',
        'Look around.',
        '--base-url',
        server.baseUrl,
        '--model',
        'gpt-5',
        '--log',
        home.at('session.jsonl'),
        ...flags,
      ],
      { cwd: root, env: environment, stdio: 'ignore' },
    );
    const [code] = (await once(child, 'close')) as [number | null];
    const seen = fs
      .readFileSync(report, 'utf8')
      .trim()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as [string, any]);
    return {
      code,
      seen,
      root,
      requests: server.requests.length,
      port: Number(new URL(server.baseUrl).port),
      harmed: fs.existsSync(path.join(root, '..', 'pwned')),
      events: readEventLog(home.at('session.jsonl')).events,
    };
  } finally {
    await server.stop();
    workspace.stop();
    home.stop();
  }
}

const ofProject = (root: string, program: unknown): boolean =>
  !path.isAbsolute(String(program)) || String(program).startsWith(root);

section('4.4 Opening a repository', 'openingRepository.ts', (incident) => {
  incident(
    {
      row: 38,
      id: 'CVE-2025-59536, CVE-2026-21852, CVE-2026-33068 Claude Code',
      happened:
        'Before the repository was trusted, hooks ran, a base URL leaked the key, and the repository skipped the dialog.',
      protects:
        'No file of the repository is a setting. Hooks run only after a person approves these very files, the model’s address comes from the machine’s settings, and an untrusted folder has no tool that writes or runs.',
    },
    {
      'opens a repository full of traps, starts nothing from it, and connects only to the chosen model': async () => {
        const { code, seen, requests, port, harmed, root } = await spied([reply('I have looked.')]);
        assert.deepEqual([code, requests, harmed], [0, 1, false]);
        assert.deepEqual(
          seen.filter(([kind]) => kind === 'listens'),
          [],
        );
        assert.deepEqual(
          [...new Set(seen.filter(([kind]) => kind === 'socket').map(([, { port: to }]) => Number(to)))],
          [port],
        );
        assert.deepEqual(
          seen.filter(([kind, what]) => kind === 'process' && ofProject(root, what[0])),
          [],
          'a program of the repository, or one that is not named in full',
        );
      },
      'offers no tool that writes or runs in an untrusted folder, in any profile, and refuses calls to them': async (
        world,
      ) => {
        for (const profile of profiles)
          assert.deepEqual(
            toolsOf({}, profile, { trusted: false })
              .filter(({ effect }) => effect === 'writes' || effect === 'executes')
              .map(({ name }) => name),
            [],
            profile.name,
          );
        const place = planted(world);
        const { run } = await world.obey(
          [
            command('touch ../pwned'),
            { tool: 'write_file', input: { path: 'made.txt', content: 'x' } },
            reads('a.txt'),
          ],
          { place, mode: 'auto', parts: { trusted: false } },
        );
        assert.deepEqual([world.harmed(place), place.workspace.bytes('made.txt')], [false, undefined]);
        assert.ok(
          !run.conversation.history.some((event) => event.type === 'action_started' && event.actionId === 'injected-0'),
        );
      },
    },
  );
  incident(
    {
      row: 39,
      id: 'CVE-2025-61260 Codex',
      happened: 'A .env file and a configuration of the project started MCP servers.',
      protects:
        'Waymark reads a .env file only to mask its values. It starts nothing named by a configuration before a person agrees.',
    },
    {
      'uses no address or program from a .env file or a configuration of the project': async () => {
        const { code, seen, port, harmed } = await spied([
          toolCall('read_file', { path: '.codex/config.toml' }),
          reply('Done.'),
        ]);
        assert.deepEqual([code, harmed], [0, false]);
        assert.deepEqual(
          [...new Set(seen.filter(([kind]) => kind === 'socket').map(([, { port: to }]) => Number(to)))],
          [port],
          'the address in .env is 127.0.0.1:9',
        );
      },
    },
  );
  incident(
    {
      row: 40,
      id: 'CVE-2026-12537, GHSA-wpqr-6v78-jr5g Gemini CLI',
      happened: 'Without a terminal, the folder was trusted automatically, and its .gemini/.env was read.',
      protects:
        'Without a terminal, no run starts in an untrusted folder; `--trust-folder` trusts it for one run. An action that needs a question does not run, and the run exits with 3.',
    },
    {
      'does not start there, and reads nothing of the folder, without an explicit flag': async () => {
        const { code, harmed, requests, seen } = await spied([reply('Done.')], []);
        assert.deepEqual([code, harmed, requests], [3, false, 0]);
        assert.deepEqual(
          seen.filter(([kind]) => kind !== 'process'),
          [],
        );
      },
      'runs nothing dangerous if nobody can be asked, whatever the folder says': async () => {
        const { code, harmed, events } = await spied([
          toolCall('run_command', { command: 'touch ../pwned' }),
          reply('Done.'),
        ]);
        assert.deepEqual([code, harmed], [3, false]);
        assert.ok(!events.some(({ type }) => type === 'action_started'));
      },
    },
  );
  incident(
    {
      row: 41,
      id: 'CVE-2026-85674 Aider',
      happened: 'A test command in the repository’s configuration ran at the start.',
      protects: 'Waymark runs no command on its own: each is a call of the model, and is judged.',
    },
    {
      'runs no configured command when a run starts, edits and ends': async () => {
        const { code, harmed, seen, root } = await spied([
          toolCall('write_file', { path: 'new.txt', content: 'x\n' }),
          toolCall('finish', { summary: 'Done.' }),
        ]);
        assert.deepEqual([code, harmed], [0, false]);
        assert.deepEqual(
          seen.filter(([kind, what]) => kind === 'process' && ofProject(root, what[0])),
          [],
        );
      },
    },
  );
  incident(
    {
      row: 42,
      id: 'CVE-2025-59041 Claude Code, CVE-2026-72718 Goose, CVE-2026-44465 Zed, Codex (BeyondTrust), CVE-2026-48719 Warp',
      happened: 'Settings, attributes and branch names of a repository ran code when Git only read.',
      protects:
        'Waymark’s own Git calls disable everything that a repository can name, and pass arguments separately. The agent’s Git calls are high risk after such settings changed.',
    },
    {
      'runs nothing from a hostile repository when it calls Git': async (world) => {
        const place = planted(world);
        const { root } = place.workspace;
        git(root, 'status'); // shows that the trap works
        assert.equal(world.harmed(place), true, 'the fixture is a sham');
        fs.rmSync(path.join(root, '..', 'pwned'));
        const texts = await GitTexts.inFolder(root);
        assert.ok(texts);
        const head = await texts.head();
        assert.ok((await texts.changedFiles(100))?.includes('a.txt'), 'Git was asked');
        for (const name of ['a.txt', 'missing.txt', '-a.txt', '$(touch ../pwned)']) await texts.texts(head!, [name]);
        await texts.texts('f'.repeat(40), ['a.txt']);
        await texts.timeOf(head!);
        await diskScripts(root).gitSettings();
        assert.match((await gitState(root)) ?? '', /changed file/);
        assert.equal(world.harmed(place), false);
      },
      'asks before Git is used after its settings, attributes or hooks changed': async (world) => {
        for (const [file, text] of [
          ['.git/config', '[core]\n\tfsmonitor = ./evil.sh\n'],
          ['.gitattributes', '* filter=evil\n'],
          ['.git/hooks/post-index-change', '#!/bin/sh\n'],
        ] as const) {
          const place = world.repository({ 'a.txt': 'a\n' });
          git(place.workspace.root, 'init', '-q');
          const obeyed = await world.obey(command('ls'), { place });
          place.workspace.place(file, text);
          const { run } = obeyed;
          run.conversation.say('Go on.');
          await run.conversation.rested();
          const after = await world.obey(command('git status'), {
            place,
            saved: run.conversation.history.filter(({ type }) => type === 'task_started'),
          });
          assertAsked(after, /repository settings that changed/, file);
        }
      },
    },
  );
  incident(
    {
      row: 43,
      id: 'CVE-2026-40068 Claude Code',
      happened: 'A forged commondir made a folder inherit the trust of another.',
      protects:
        'Trust is VS Code’s, per folder. Sessions, allow rules and rules of folders are stored by real path, and a .git file cannot change that.',
    },
    {
      'identifies a folder by its location, not by the content of its .git': async (world) => {
        const [trusted, forged] = [world.repository({ 'a.txt': 'a\n' }), world.repository({ 'a.txt': 'a\n' })];
        git(trusted.workspace.root, 'init', '-q');
        forged.workspace.place('.git', `gitdir: ${trusted.workspace.at('.git')}\n`);
        forged.workspace.place('commondir', trusted.workspace.at('.git'));
        const rule = { tool: 'run_command', key: 'touch ../pwned', cwd: trusted.workspace.root };
        assertAsked(
          await world.obey(command('touch ../pwned'), { place: forged, allowed: [rule] }),
          /outside/,
          'a permission of the other folder',
        );
      },
    },
  );
  incident(
    {
      row: 44,
      id: 'Cursor, CVE-2026-10591 Kiro',
      happened: 'A git.exe in the repository was started instead of the real one.',
      protects: 'Waymark starts its own programs by full path, from absolute PATH folders outside the workspace.',
    },
    {
      'uses no program of the workspace as ripgrep, Git, the sandbox or the shell': async (world) => {
        const {
          workspace: { root },
        } = planted(world);
        const environment = {
          PATH: ['.', '', 'node_modules/.bin', root, path.join(root, 'node_modules/.bin'), process.env['PATH']].join(
            path.delimiter,
          ),
        };
        for (const name of ['git', 'rg', 'bwrap', 'bash', 'sh', 'evil.sh'])
          for (const found of onPath(name, [root], environment))
            assert.ok(path.isAbsolute(found) && !found.startsWith(root), found);
        const { program } = chooseShell('bash', environment, root);
        assert.ok(path.isAbsolute(program) && !program.startsWith(root), program);
        assert.ok(!findRipgrep({ folders: [root] })?.startsWith(root));
        const { code, harmed } = await spied([
          toolCall('search_text', { pattern: 'a' }),
          toolCall('run_command', { command: 'echo alive' }),
          reply('Done.'),
        ]);
        assert.deepEqual([code, harmed], [0, false]);
      },
    },
  );
  incident(
    {
      row: 45,
      id: 'CVE-2025-59828, CVE-2025-65099 Claude Code',
      happened: '`yarn --version` at the start ran code of the repository.',
      protects: 'Waymark itself runs no package manager.',
    },
    {
      'does not start any package manager by itself': async () => {
        const { seen, harmed } = await spied([reply('Done.')]);
        assert.equal(harmed, false);
        assert.deepEqual(
          seen.filter(
            ([kind, what]) =>
              kind === 'process' &&
              /(^|\/)(npm|npx|yarn|pnpm|bun|corepack|pip|cargo|go)(\.cmd|\.exe)?$/.test(String(what[0])),
          ),
          [],
        );
      },
    },
  );
  incident(
    {
      row: 46,
      id: 'CVE-2026-12957 Amazon Q',
      happened: 'Programs started by the workspace inherited the person’s credentials.',
      protects: 'Programs get only allowed environment variables.',
    },
    {
      'passes no credentials of the person to a command': async (world) => {
        const names = [
          'AWS_ACCESS_KEY_ID',
          'AWS_SECRET_ACCESS_KEY',
          'AWS_SESSION_TOKEN',
          'GITHUB_TOKEN',
          'GH_TOKEN',
          'NPM_TOKEN',
          'OPENAI_API_KEY',
          'ANTHROPIC_API_KEY',
          'AZURE_CLIENT_SECRET',
          'GOOGLE_APPLICATION_CREDENTIALS',
          'SSH_AUTH_SOCK',
          'DATABASE_URL',
          'VSCODE_IPC_HOOK_CLI',
          'KUBECONFIG',
          'DOCKER_CONFIG',
          'VAULT_TOKEN',
          'MY_PASSWORD',
        ];
        const value = 'borrowed-credential';
        const place = world.repository();
        const terminal = createTerminal({
          cwd: place.workspace.root,
          outputFolder: path.join(place.workspace.root, '..', 'outputs-2'),
          shell: '/bin/bash',
          environment: { ...process.env, ...Object.fromEntries(names.map((name) => [name, value])) },
          passEnvironment: ['AWS_SECRET_ACCESS_KEY'],
        });
        world.after(() => terminal.dispose());
        const { result } = await world.obey(command('env | sort'), {
          place: { ...place, environment: { ...place.environment, terminal } },
          mode: 'auto',
        });
        assert.match(result!, /PATH=/);
        assert.doesNotMatch(result!, new RegExp(value));
        assert.deepEqual(
          Object.values(childEnvironment(Object.fromEntries(names.map((name) => [name, value])))).filter(
            (one) => one === value,
          ),
          [],
        );
      },
    },
  );
});
