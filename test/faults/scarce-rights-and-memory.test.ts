import { strict as assert } from 'node:assert';
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { accounts, nodeForAll } from '../adapters/support/sandboxedCommands';
import { wholeTree } from '../adapters/checkpoints/wholeTree';
import { cliFile, ensureBuilt, onMachine, type Ended, type Machine } from '../cli/support/commandLine';
import { afterLongOutput, reply, toolCall } from '../support/modelServer';

/** An account without other processes. */
const account = 43_000 + (process.pid % 1000);
const isRoot = process.getuid?.() === 0;

/** Starts Waymark as an ordinary user, who is subject to permissions: root may read everything. */
function asOrdinaryUser({ environment, workspace }: Machine, args: readonly string[]): Promise<Ended> {
  const become = isRoot ? ['setpriv', `--reuid=${account}`, `--regid=${account}`, '--clear-groups', '--'] : [];
  const [program, ...more] = [...become, isRoot ? nodeForAll() : process.execPath, cliFile, ...args];
  const child = spawn(program!, more, { cwd: workspace.root, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      printed[stream] += text;
    });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...printed }));
  });
}

function handOver({ workspace, log }: Machine): void {
  if (!isRoot) return;
  const owner = `${account}:${account}`;
  for (const folder of [workspace.root, path.dirname(log)])
    assert.equal(spawnSync('chown', ['-R', owner, folder]).status, 0);
}

const resultsOf = ({ events }: Machine): string[] =>
  events().flatMap((event) => (event.type === 'observation' ? [event.content] : []));

describe('files without read or write permission', function () {
  this.timeout(300_000);
  before(function () {
    if (process.platform === 'win32') this.skip();
    ensureBuilt();
    const canBecome = spawnSync('setpriv', ['--reuid=65534', '--clear-groups', '--', 'true']).status === 0;
    const isReachable = accounts.some(({ id }) => id !== undefined);
    if (isRoot && !(canBecome && isReachable)) this.skip(); // root bypasses permissions and cannot switch to another account here
  });

  it('are reported; a search covers the rest, and undo restores all files or none', () =>
    onMachine(
      [
        toolCall('read_file', { path: 'secretive.txt' }),
        toolCall('search_text', { pattern: 'needle' }),
        toolCall('run_command', { command: 'echo more >> plain.txt; echo more >> locked/inner.txt' }),
        reply('Done.'),
      ],
      async (machine) => {
        const { workspace } = machine;
        workspace.place('plain.txt', 'needle in the open\n');
        workspace.place('locked/inner.txt', 'needle inside\n');
        workspace.place('secretive.txt', 'needle that nobody finds\n');
        workspace.place('closed/inner.txt', 'needle that nobody reaches\n');
        handOver(machine);
        fs.chmodSync(workspace.at('secretive.txt'), 0);
        fs.chmodSync(workspace.at('closed'), 0);
        try {
          const args = machine.args('Look.', '--confirm', 'never', '--sandbox', 'off');
          const ran = await asOrdinaryUser(machine, args);
          assert.equal(ran.code, 0, ran.stdout + ran.stderr);
          const [read, found] = resultsOf(machine);
          assert.match(read!, /secretive\.txt.*(permission|EACCES)|(permission|EACCES).*secretive\.txt/i);
          assert.match(found!, /plain\.txt/);
          assert.match(found!, /inner\.txt/);
          assert.doesNotMatch(found!, /nobody/);

          fs.chmodSync(workspace.at('closed'), 0o755);
          const after = wholeTree(workspace.root);
          fs.chmodSync(workspace.at('locked'), 0o555);
          const refused = await asOrdinaryUser(machine, ['undo', machine.log]);
          assert.equal(refused.code, 1, refused.stdout + refused.stderr);
          assert.match(refused.stdout + refused.stderr, /permission|EACCES/i);
          assert.doesNotMatch(refused.stderr, /^\s+at .+:\d+:\d+\)?$/m);
          fs.chmodSync(workspace.at('locked'), 0o755);
          assert.deepEqual(wholeTree(workspace.root), after, 'nothing is put back where not all can be');

          const undone = await asOrdinaryUser(machine, ['undo', machine.log]);
          assert.equal(undone.code, 0, undone.stdout + undone.stderr);
          assert.equal(workspace.bytes('plain.txt')?.toString(), 'needle in the open\n');
          assert.equal(workspace.bytes('locked/inner.txt')?.toString(), 'needle inside\n');
        } finally {
          for (const name of ['closed', 'locked']) fs.chmodSync(workspace.at(name), 0o755);
        }
      },
    ));

  it('include folders that a command closed: undo and redo change their files and modes', () =>
    onMachine(
      [
        toolCall('run_command', {
          command: 'echo 2 > shut/file.txt; rm shut/old.txt; echo n > shut/new; chmod 555 shut',
        }),
        toolCall('run_command', {
          command: 'chmod 000 hidden; mkdir -p made/in; echo 1 > made/in/x; chmod 500 made/in',
        }),
        toolCall('run_command', { command: 'echo 3 > plain.txt' }),
        reply('Done.'),
      ],
      async (machine) => {
        const { workspace, log } = machine;
        for (const name of ['shut/file.txt', 'shut/old.txt', 'hidden/deep/file.txt', 'plain.txt'])
          workspace.place(name, '1\n');
        handOver(machine);
        const before = wholeTree(workspace.root);
        const modes = (): string[] =>
          ['shut', 'hidden', 'made/in']
            .map((name) => fs.statSync(workspace.at(name), { throwIfNoEntry: false }))
            .map((stat) => (stat ? (stat.mode & 0o777).toString(8) : 'none'));
        try {
          const ran = await asOrdinaryUser(machine, machine.args('Work.', '--confirm', 'never', '--sandbox', 'off'));
          assert.equal(ran.code, 0, ran.stdout + ran.stderr);
          assert.deepEqual(modes(), ['555', '0', '500']);
          const changes = await asOrdinaryUser(machine, ['changes', log]);
          assert.equal(changes.code, 0, changes.stderr);
          assert.match(changes.stdout, /^M {2}hidden\/ /m);
          assert.doesNotMatch(changes.stdout, /hidden\/deep/, 'a file that cannot be reached is not deleted');
          assert.match(changes.stdout, /^Step 2: These folders could not be read after this step, .*: hidden\.$/m);

          const undone = await asOrdinaryUser(machine, ['undo', log, '--agree']);
          assert.equal(undone.code, 0, undone.stdout + undone.stderr);
          assert.deepEqual(wholeTree(workspace.root), before);

          const redone = await asOrdinaryUser(machine, ['undo', log, '--redo']);
          assert.equal(redone.code, 0, redone.stdout + redone.stderr);
          assert.deepEqual(modes(), ['555', '0', '500']);
          assert.equal(workspace.bytes('shut/file.txt')?.toString(), '2\n');
        } finally {
          spawnSync('chmod', ['-R', 'u+rwx', workspace.root]);
        }
      },
    ));

  it('are not changed by undo if the user closed the folder, which is named', () =>
    onMachine([toolCall('run_command', { command: 'echo 2 > mine/file.txt' }), reply('Done.')], async (machine) => {
      const { workspace, log } = machine;
      workspace.place('mine/file.txt', '1\n');
      handOver(machine);
      await asOrdinaryUser(machine, machine.args('Work.', '--confirm', 'never', '--sandbox', 'off'));
      fs.chmodSync(workspace.at('mine'), 0o555);
      try {
        const refused = await asOrdinaryUser(machine, ['undo', log]);
        assert.equal(refused.code, 1);
        assert.match(refused.stderr, /You do not have permission to change .*mine\/file\.txt\. Nothing was restored\./);
        assert.equal(workspace.bytes('mine/file.txt')?.toString(), '2\n');
      } finally {
        fs.chmodSync(workspace.at('mine'), 0o755);
      }
    }));

  it('do not count as created by the command that opened their folder', () =>
    onMachine(
      [toolCall('run_command', { command: 'chmod 755 closed; echo n > plain.txt' }), reply('Done.')],
      async (machine) => {
        const { workspace, log } = machine;
        workspace.place('closed/deep/mine.txt', 'only here\n');
        workspace.place('plain.txt', '1\n');
        handOver(machine);
        fs.chmodSync(workspace.at('closed'), 0);
        try {
          await asOrdinaryUser(machine, machine.args('Work.', '--confirm', 'never', '--sandbox', 'off'));
          const unsure = await asOrdinaryUser(machine, ['undo', log]);
          assert.equal(unsure.code, 3, unsure.stdout + unsure.stderr);
          assert.match(unsure.stdout, /^Step 1: Waymark had no copies of .* Undo keeps them: deep\.$/m);
          const undone = await asOrdinaryUser(machine, ['undo', log, '--agree']);
          assert.equal(undone.code, 0, undone.stdout + undone.stderr);
          assert.equal(fs.statSync(workspace.at('closed')).mode & 0o777, 0);
          fs.chmodSync(workspace.at('closed'), 0o755);
          assert.equal(workspace.bytes('closed/deep/mine.txt')?.toString(), 'only here\n');
          assert.equal(workspace.bytes('plain.txt')?.toString(), '1\n');
        } finally {
          spawnSync('chmod', ['-R', 'u+rwx', workspace.root]);
        }
      },
    ));
});

describe('little memory', function () {
  this.timeout(600_000);
  before(ensureBuilt);

  it('is enough for a command with much output, for its checkpoints and for undoing it', () =>
    onMachine(
      [
        toolCall('run_command', {
          command:
            'seq 1 4000000; for i in $(seq 1 40); do head -c 1500000 /dev/zero | tr "\\0" "$((i % 10))" > big-$i; done; rm old-*',
        }),
        reply('Done.', afterLongOutput),
      ],
      async (machine) => {
        const { workspace, log } = machine;
        for (let at = 0; at < 40; at++) workspace.place(`old-${at}`, String(at % 10).repeat(1_500_000));
        const names = workspace.names();
        const memory = { NODE_OPTIONS: '--max-old-space-size=256' };
        const ran = await machine.start(machine.args('Work.', '--confirm', 'never', '--sandbox', 'off'), memory).ended;
        assert.equal(ran.code, 0, ran.stderr);
        assert.ok(fs.statSync(log).size < 2_000_000, 'the output is not kept whole in the log');
        assert.equal(workspace.names().length, 40);
        const undone = await machine.start(['undo', log], memory).ended;
        assert.equal(undone.code, 0, undone.stderr);
        assert.deepEqual(workspace.names(), names);
        assert.equal(workspace.bytes('old-7')?.toString(), '7'.repeat(1_500_000));
      },
    ));
});
