// What a hostile repository, agent or program could make of undo.
import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { BlobStore, hashOf } from '../../src/adapters/checkpoints/blobStore';
import { journalOf } from '../../src/adapters/checkpoints/journal';
import { ensureBuilt, onMachine, type Machine } from '../cli/support/commandLine';
import { reply, toolCall } from '../support/modelServer';

const command = (text: string) => toolCall('run_command', { command: text });
const done = reply('Done.');

async function worked(machine: Machine): Promise<void> {
  const { code, stderr } = await machine.run('Change files.', '--confirm', 'never');
  assert.equal(code, 0, stderr);
}

const undo = (machine: Machine, ...args: string[]) => machine.start(['undo', machine.log, ...args]).ended;

describe('undo', function () {
  this.timeout(300_000);
  before(ensureBuilt);

  it('believes no record of changes that another machine wrote, nor restores that it names', () =>
    onMachine([command('echo changed > a.txt'), done], async (machine) => {
      const { workspace, environment, log } = machine;
      workspace.place('a.txt', 'mine\n');
      await worked(machine);
      const home = environment['HOME']!;
      fs.writeFileSync(path.join(home, 'precious.txt'), 'precious\n');
      workspace.place(
        'store/restores/cut-off.json',
        JSON.stringify({
          owner: { pid: 4_190_000, start: '1' },
          journal: 'none',
          folders: [home],
          entry: { type: 'cleaned', at: 0, why: 'age' },
          files: [{ path: path.join(home, 'precious.txt'), before: null, after: null }],
          drafts: [path.join(home, 'precious.txt')],
        }),
      );
      const store = path.join(workspace.root, 'store');
      const opened = { type: 'opened', version: 1, at: 0, store, folders: [home, workspace.root] };
      const unsealed = [opened, { type: 'began', at: 1, action: 'x' }].map((entry) => `${JSON.stringify(entry)}\n`);
      fs.writeFileSync(journalOf(log), unsealed.join(''));
      const shown = await machine.start(['changes', log]).ended;
      assert.match(shown.stderr, /was not written by Waymark on this machine/);
      assert.equal((await undo(machine)).code, 1);
      assert.equal(fs.readFileSync(path.join(home, 'precious.txt'), 'utf8'), 'precious\n');
      assert.ok(fs.existsSync(path.join(workspace.root, 'store/restores/cut-off.json')), 'it was not even looked at');
    }));

  it('writes nothing through a link that took the place of a folder', () =>
    onMachine([command('rm -r sub && ln -s "$PWD/../elsewhere" sub'), done], async (machine) => {
      const { workspace } = machine;
      const elsewhere = path.join(path.dirname(workspace.root), 'elsewhere');
      fs.mkdirSync(elsewhere, { recursive: true });
      try {
        workspace.place('sub/conf.txt', 'of the repository\n');
        await worked(machine);
        const one = await undo(machine, '--file', 'sub/conf.txt');
        assert.equal(one.code, 1);
        assert.match(one.stderr, /A folder above .*conf\.txt is a link now/);
        assert.deepEqual(fs.readdirSync(elsewhere), []);
        assert.equal((await undo(machine)).code, 0, 'with the folder itself it can be undone');
        assert.equal(fs.readFileSync(path.join(workspace.root, 'sub/conf.txt'), 'utf8'), 'of the repository\n');
        assert.deepEqual(fs.readdirSync(elsewhere), []);
      } finally {
        fs.rmSync(elsewhere, { recursive: true, force: true });
      }
    }));

  it('leaves files that hold secrets as they are, says so, and undoes the rest', () =>
    onMachine([command('printf "A=1\\n" > .env; echo changed > a.txt'), done], async (machine) => {
      const { workspace } = machine;
      workspace.place('a.txt', 'mine\n');
      await worked(machine);
      const asked = await undo(machine);
      assert.equal(asked.code, 3);
      assert.match(asked.stdout, /restore {2}a\.txt/);
      assert.doesNotMatch(asked.stdout, /delete {3}\.env/);
      assert.match(asked.stdout, /\.env: Waymark copies no file that is too large, holds secrets/);
      assert.equal((await undo(machine, '--agree')).code, 0);
      assert.equal(fs.readFileSync(path.join(workspace.root, 'a.txt'), 'utf8'), 'mine\n');
      assert.equal(fs.readFileSync(path.join(workspace.root, '.env'), 'utf8'), 'A=1\n');
    }));

  it('copies no secret that a person wrote into a file meanwhile', () =>
    onMachine([command('echo "// changed" >> conf.js'), done], async (machine) => {
      const { workspace, environment } = machine;
      const secret = 'sk-live-51Hq8ZKcXw0vTn4R';
      workspace.place('.env', `API_TOKEN=${secret}\n`);
      workspace.place('conf.js', 'let a;\n');
      await worked(machine);
      fs.appendFileSync(path.join(workspace.root, 'conf.js'), `const token = "${secret}";\n`);
      const before = fs.readFileSync(path.join(workspace.root, 'conf.js'), 'utf8');
      const { code, stderr } = await undo(machine, '--agree');
      assert.equal(code, 0, stderr);
      assert.equal(fs.readFileSync(path.join(workspace.root, 'conf.js'), 'utf8'), before);
      const state = environment['XDG_STATE_HOME'] ?? path.join(environment['HOME']!, '.local/state');
      const copies = new BlobStore(path.join(state, 'waymark/checkpoints/copies'));
      assert.deepEqual(
        ['let a;\n', before].map((text) => copies.has(hashOf(Buffer.from(text)))),
        [true, false],
      );
    }));

  it('is done once where two begin at the same time', () =>
    onMachine([command('for i in $(seq 1 100); do echo changed > f$i; done'), done], async (machine) => {
      const { workspace, log } = machine;
      for (let at = 1; at <= 100; at++) workspace.place(`f${at}`, 'original\n');
      await worked(machine);
      const ends = await Promise.all([undo(machine), undo(machine)]);
      const contents = new Set(workspace.names().map((name) => fs.readFileSync(workspace.at(name), 'utf8')));
      assert.deepEqual([...contents], ['original\n'], JSON.stringify(ends));
      assert.equal(fs.readFileSync(journalOf(log), 'utf8').match(/"type":"undone"/g)?.length, 1);
    }));

  it('changes nothing where the record is damaged, unless it is agreed to', () =>
    onMachine([command('echo one > a.txt'), command('echo two > a.txt'), done], async (machine) => {
      const { workspace, log } = machine;
      workspace.place('a.txt', 'mine\n');
      await worked(machine);
      const lines = fs.readFileSync(journalOf(log), 'utf8').split('\n');
      lines[2] = lines[2]!.slice(0, 40);
      fs.writeFileSync(journalOf(log), lines.join('\n'));
      const { code, stderr } = await undo(machine);
      assert.equal(code, 1);
      assert.match(stderr, /damaged\. Nothing was changed/);
      assert.equal(fs.readFileSync(path.join(workspace.root, 'a.txt'), 'utf8'), 'two\n');
    }));
});
