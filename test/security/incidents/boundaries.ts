import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { AgentTerminal } from '../../../src/adapters/terminal/agentTerminal';
import { findSandbox } from '../../../src/adapters/sandbox/findSandbox';
import { accounts, sandboxed } from '../../adapters/support/sandboxedCommands';
import { commandOptions, temporaryFolder } from '../../contracts/terminal.contract';
import { ensureBuilt, onMachine, processesIn } from '../../cli/support/commandLine';
import { reply, toolCall } from '../../support/modelServer';
import { section } from './incident';

/** Like `onMachine`, but builds the shipped program first. */
const onBuiltMachine: typeof onMachine = (answers, use, options) => {
  ensureBuilt();
  return onMachine(answers, use, options);
};

/** Nothing can be checked on a machine that does not support a sandbox. */
const needs = async (): Promise<boolean> => 'sandbox' in (await findSandbox([temporaryFolder()]));

const canRefuseCalls = async (): Promise<boolean> => {
  const found = await findSandbox([temporaryFolder()]);
  return 'sandbox' in found && found.sandbox.refusesCalls === true;
};

/** Perl, for machines without Python. */
const inPerl =
  'my $ring = syscall(425, 8, "\\0" x 256); print $ring, " ", socket(my $host, 40, 1, 0) ? "socket" : "None", "\n";';

// Found by attacking Waymark itself.
section('Sandbox boundaries', 'boundaries.ts', (declare) => {
  declare(
    {
      row: 67,
      id: 'Waymark: kernel settings',
      needs,
      happened:
        'As root, a command in the sandbox wrote `kernel.core_pattern`, which names a program that the kernel starts outside.',
      protects:
        'Kernel settings are read-only inside, and root cannot create namespaces there. If this cannot be ensured, there is no sandbox for root.',
    },
    Object.fromEntries(
      accounts.map((account) => [
        `${account.name} changes no setting of the kernel`,
        async () => {
          const settings = ['/proc/sys/kernel/core_pattern', '/proc/sys/kernel/modprobe', '/proc/sys/vm/drop_caches'];
          const { results } = await sandboxed(
            account,
            settings.map((setting) => `(: >> ${setting})`),
          );
          for (const { exitCode, output } of results) assert.notEqual(exitCode, 0, output);
        },
      ]),
    ),
  );
  declare(
    {
      row: 68,
      id: 'Waymark: fork bombs',
      needs,
      happened: 'A fork bomb in the sandbox took all processes of the machine, since nothing inside was limited.',
      protects:
        'The sandbox has limits for processes, memory, disk and processor time, which the person sets. Beyond them it is killed from outside.',
    },
    Object.fromEntries(
      accounts.map((account) => [
        `of ${account.name} ends as one failed command`,
        async () => {
          // Ends by itself, so that a sandbox without limits does not take down the test machine.
          const bomb =
            'bomb() { if [ "$1" -gt 0 ]; then bomb $(($1 - 1)) & bomb $(($1 - 1)) & fi; sleep 20; }; bomb 10';
          const {
            results: [burst, next],
          } = await sandboxed(account, [bomb, 'echo usable'], { limits: { processes: 150 } });
          assert.equal(burst!.end, 'shell_died');
          assert.match(burst!.note!, /more than 150 processes/);
          assert.equal(next!.output, 'usable\n');
        },
      ]),
    ),
  );
  declare(
    {
      row: 69,
      id: 'Waymark: variables passed outside',
      needs,
      happened:
        'A variable set in the sandbox (`PYTHONPATH=.`) reached the shell outside, where the next program loaded code of the workspace.',
      protects:
        'Only a short list of variables passes from the sandbox to the shell outside. None of them names a file, a folder or a program.',
    },
    {
      'loads no workspace code outside the sandbox': async (world) => {
        const { workspace } = world.repository({ 'src/chosen.js': 'require("node:fs").writeFileSync("../pwned", "")' });
        const terminal = new AgentTerminal({
          cwd: workspace.root,
          folders: [workspace.root],
          wanted: 'on',
          outputFolder: temporaryFolder(),
          shell: '/bin/bash',
        });
        world.after(() => terminal.dispose());
        await terminal.run('export NODE_PATH=src', commandOptions());
        const load = `'${process.execPath}' -e "require('chosen')"`;
        const { exitCode, note } = await terminal.outside.run(load, commandOptions());
        assert.notEqual(exitCode, 0);
        assert.match(note!, /Not passed to it: NODE_PATH/);
        assert.equal(fs.existsSync(workspace.at('../pwned')), false);
        const known = await terminal.outside.run(`NODE_PATH=src ${load}`, commandOptions());
        assert.equal(known.exitCode, 0, 'the trick is a sham');
      },
    },
  );
  declare(
    {
      row: 73,
      id: 'Waymark: a script swapped after the last check',
      needs,
      happened:
        'A background process in the sandbox swapped a script between its last check and its start in 4 of 5 attempts, and the swapped one ran outside.',
      protects:
        'From the last check of a command outside the sandbox until it ends, every process of the sandbox is stopped, and so are other sandboxes of the same folders.',
    },
    Object.fromEntries(
      accounts.map((account) => [
        `${account.name} runs the bytes that were checked`,
        async () => {
          const swap = 'for each in good evil; do ln $each.sh next; mv next script.sh; done';
          const files = { 'good.sh': 'echo good\n', 'evil.sh': 'echo evil\n', 'script.sh': 'echo good\n' };
          const begin = `while :; do ${swap}; touch swapping; done & while [ ! -e swapping ]; do sleep 0.05; done`;
          const leaving = Array.from({ length: 15 }, () => ({
            outside: '. ./script.sh; sleep 0.02; bash script.sh',
            checked: 'script.sh',
          }));
          const {
            results: [, ...ran],
          } = await sandboxed(account, [begin, ...leaving], { files });
          for (const { checked, output } of ran) assert.equal(output, checked!.replace('echo ', '').repeat(2));
        },
      ]),
    ),
  );
  declare(
    {
      row: 78,
      id: 'Waymark: processes that the kernel continues',
      needs: canRefuseCalls,
      happened:
        'A stopped program could have the kernel continue for it: by an io_uring, or by a timer that killed it and so woke its child. An AF_VSOCK socket reached the host of a virtual machine, although there was no network.',
      protects:
        'The kernel refuses these calls in the sandbox, in all forms. While a program with such a timer runs, no command leaves the sandbox.',
    },
    Object.fromEntries(
      accounts.map((account) => [
        `${account.name} has none of them`,
        async () => {
          const calls = [
            'import ctypes, socket',
            'ring = ctypes.CDLL(None).syscall(425, 8, bytes(256))',
            'try: host = socket.socket(40, socket.SOCK_STREAM)',
            'except OSError: host = None',
            'print(ring, host)',
          ];
          const {
            results: [ran],
          } = await sandboxed(account, ['python3 calls.py || perl calls.pl'], {
            files: { 'calls.py': calls.join('\n'), 'calls.pl': inPerl },
          });
          assert.equal(ran!.output.trim().split('\n').at(-1), '-1 None');
        },
      ]),
    ),
  );
  declare(
    {
      row: 74,
      id: 'Waymark: settings in subfolders',
      needs,
      happened:
        'A command in the sandbox wrote `.cargo/config.toml`, `.yarn/releases` and `packages/a/.npmrc`, which name programs that the next build outside starts.',
      protects:
        'Existing files in the table of protected files are read-only in the sandbox at every depth. If one is created, the result of the command names it.',
    },
    Object.fromEntries(
      accounts.map((account) => [
        `${account.name} changes none, and none comes unsaid`,
        async () => {
          const make =
            'mkdir -p .cargo .yarn/releases packages/a skills/one && touch .cargo/config.toml .yarn/releases/yarn.cjs packages/a/.npmrc';
          // A new shell, so that the sandbox starts with the files that exist by then.
          const {
            results: [made, , ...changed],
          } = await sandboxed(account, [
            make,
            'exit 0',
            ...['.cargo/config.toml', '.yarn/releases/yarn.cjs', 'packages/a/.npmrc'].map(
              (file) => `echo evil >> ${file}`,
            ),
            'touch skills/one/SKILL.md',
          ]);
          for (const name of ['.cargo/config.toml', '.yarn/releases', 'packages/a/.npmrc'])
            assert.ok(made!.note!.includes(name), made!.note);
          const came = changed.pop()!;
          for (const { exitCode, output } of changed)
            assert.match(`${exitCode} ${output}`, /^1 .*Read-only file system/);
          assert.match(came.note!, /created or changed: .*skills\/one\/SKILL\.md/);
        },
      ]),
    ),
  );
  declare(
    {
      row: 75,
      id: 'Waymark: leftovers of a killed run',
      needs,
      happened:
        'A killed command line left its temporary folders and placeholders such as `.vscode` and `.git/commondir`.',
      protects:
        'Everything made for a sandbox is recorded first. The next start removes it if it is unchanged and its process is gone.',
    },
    {
      'leaves nothing behind after the next start': () =>
        onBuiltMachine(
          [toolCall('run_command', { command: 'touch running; sleep 1000' }), reply('Done.')],
          async ({ start, args, workspace, environment }) => {
            const first = start(args('Try.', '--confirm', 'never'));
            while (!fs.existsSync(workspace.at('running'))) await new Promise((resolve) => setTimeout(resolve, 20));
            first.child.kill('SIGKILL');
            await first.ended;
            while (processesIn(workspace.root).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
            assert.deepEqual(fs.readdirSync(workspace.root).sort(), ['.git', '.vscode', 'running']);
            await start(
              args(
                'Say it is done.',
                '--cwd',
                temporaryFolder(),
                '--trust-folder',
                '--log',
                `${environment['HOME']}/other.jsonl`,
              ),
            ).ended;
            assert.deepEqual(fs.readdirSync(workspace.root), ['running']);
          },
        ),
    },
  );
  declare(
    {
      row: 79,
      id: 'Waymark: renamed read-only places',
      needs,
      happened:
        'As an ordinary user, a command in the sandbox created its own namespace, unmounted everything in it, and renamed `.vscode` and `.git/hooks` through the folder that it was in; programs outside obeyed its replacements.',
      protects: 'With bubblewrap 0.8 or later, no account can create namespaces inside.',
    },
    Object.fromEntries(
      accounts.map((account) => [
        `${account.name} replaces no read-only folder`,
        async () => {
          const {
            cwd,
            results: [tried],
          } = await sandboxed(account, ['bash -c "$(cat leave.sh)"; echo ended'], {
            files: { 'leave.sh': leavesMountsBehind },
          });
          assert.match(tried!.output, /ended\n$/);
          assert.equal(fs.existsSync(path.join(cwd, '.vscode/tasks.json')), false, tried!.output);
        },
      ]),
    ),
  );
});

/**
 * Changes to a new root with the programs of the machine but none of the sandbox's mounts. Its folder stays the
 * workspace.
 */
const leavesMountsBehind = String.raw`
exec unshare -Urm bash -c '
  root=/tmp/root
  mkdir $root && mount -t tmpfs none $root && mkdir $root/old || exit
  for each in dev usr bin sbin lib lib32 lib64; do
    if [ -L /$each ]; then ln -s "$(readlink /$each)" $root/$each
    elif [ -d /$each ]; then mkdir $root/$each && mount --rbind /$each $root/$each; fi
  done
  pivot_root $root $root/old || exit
  perl -e "exit(syscall(${umount2()}, my \$old = q(/old), 2) != 0)" || exit
  mv .vscode aside && mkdir .vscode && touch .vscode/tasks.json
'`;

/** Number of the system call. The program of that name needs a list of mounts, which does not exist. */
function umount2(): number {
  return process.arch === 'arm64' ? 39 : 166;
}
