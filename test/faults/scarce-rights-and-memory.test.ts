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
