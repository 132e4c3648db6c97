// Attacks on undo by a hostile repository, agent or program.
import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { BlobStore } from '../../src/adapters/checkpoints/blobStore';
import { blobHash } from '../../src/adapters/checkpoints/packGroups';
import { journalOf } from '../../src/adapters/checkpoints/journal';
import { ensureBuilt, onMachine, until, type Machine } from '../cli/support/commandLine';
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

  it('trusts no change record of another machine, and ignores restores that it names', () =>
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

  it('writes nothing through a link that replaced a folder', () =>
    onMachine([command('rm -r sub && ln -s "$PWD/../elsewhere" sub'), done], async (machine) => {
      const { workspace } = machine;
      const elsewhere = path.join(path.dirname(workspace.root), 'elsewhere');
      fs.mkdirSync(elsewhere, { recursive: true });
      try {
        workspace.place('sub/conf.txt', 'of the repository\n');
        await worked(machine);
        const one = await undo(machine, '--file', 'sub/conf.txt');
        assert.equal(one.code, 1);
        assert.match(one.stderr, /A parent folder of .*conf\.txt is a link now/);
        assert.deepEqual(fs.readdirSync(elsewhere), []);
        assert.equal((await undo(machine)).code, 0, 'with the folder itself it can be undone');
        assert.equal(fs.readFileSync(path.join(workspace.root, 'sub/conf.txt'), 'utf8'), 'of the repository\n');
        assert.deepEqual(fs.readdirSync(elsewhere), []);
      } finally {
        fs.rmSync(elsewhere, { recursive: true, force: true });
      }
    }));

  it('leaves files with secrets unchanged, says so, and undoes the rest', () =>
    onMachine([command('printf "A=1\\n" > .env; echo changed > a.txt'), done], async (machine) => {
      const { workspace } = machine;
      workspace.place('a.txt', 'mine\n');
      await worked(machine);
      const asked = await undo(machine);
      assert.equal(asked.code, 3);
      assert.match(asked.stdout, /restore {2}a\.txt/);
      assert.doesNotMatch(asked.stdout, /delete {3}\.env/);
      assert.match(asked.stdout, /\.env: Waymark does not copy files that are too large, contain secrets/);
      assert.equal((await undo(machine, '--agree')).code, 0);
      assert.equal(fs.readFileSync(path.join(workspace.root, 'a.txt'), 'utf8'), 'mine\n');
      assert.equal(fs.readFileSync(path.join(workspace.root, '.env'), 'utf8'), 'A=1\n');
    }));

  it('copies no secret that a person wrote to a file in the meantime', () =>
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
        ['let a;\n', before].map((text) => copies.has(blobHash(Buffer.from(text)))),
        [true, false],
      );
    }));

  it('happens once if two processes start it at the same time', () =>
    onMachine([command('for i in $(seq 1 100); do echo changed > f$i; done'), done], async (machine) => {
      const { workspace, log } = machine;
      for (let at = 1; at <= 100; at++) workspace.place(`f${at}`, 'original\n');
      await worked(machine);
      const ends = await Promise.all([undo(machine), undo(machine)]);
      const contents = new Set(workspace.names().map((name) => fs.readFileSync(workspace.at(name), 'utf8')));
      assert.deepEqual([...contents], ['original\n'], JSON.stringify(ends));
      assert.equal(fs.readFileSync(journalOf(log), 'utf8').match(/"type":"undone"/g)?.length, 1);
    }));

  it('changes nothing if the record is damaged, and says so', () =>
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

  for (const sandbox of ['auto', 'off'])
    it(`shows what a background process changes after its command, asks, and undoes it (sandbox ${sandbox})`, async () => {
      const waits = (name: string): string => `while [ ! -e .git/${name} ]; do sleep 0.02; done`;
      const changes = 'rm important.txt; echo evil >> lib.js; echo new > planted.sh; echo 1 > done-1';
      const server = `(${waits('go-1')}; ${changes}; ${waits('go-2')}; echo late > late.txt; echo 2 > done-2) > /dev/null 2>&1 & echo ok`;
      let place: Machine['workspace'];
      let journal = '';
      const letItWork = async (nth: number): Promise<void> => {
        // The changes of the command itself are recorded by then.
        const noted = (): number => fs.readFileSync(journal, 'utf8').match(/"type":"changed"/g)?.length ?? 0;
        await until('the note of the command', () => noted() >= nth);
        place.place(`.git/go-${nth}`, '');
        await until('the work of the process', () => (place.bytes(`done-${nth}`)?.length ?? 0) > 0);
      };
      const answers = [
        command(server),
        async () => {
          await letItWork(1);
          return command('echo later > later.txt');
        },
        async () => {
          await letItWork(2);
          return done;
        },
      ];
      await onMachine(answers, async (machine) => {
        const { workspace, log } = machine;
        place = workspace;
        journal = journalOf(log);
        workspace.place('important.txt', 'precious\n');
        workspace.place('lib.js', 'code\n');
        workspace.place('.git/HEAD', 'ref: refs/heads/main\n');
        const { code, stderr } = await machine.run('Serve.', '--confirm', 'never', '--sandbox', sandbox);
        assert.equal(code, 0, stderr);
        const shown = (await machine.start(['changes', log]).ended).stdout;
        for (const name of ['important.txt', 'lib.js', 'planted.sh', 'late.txt'])
          assert.match(shown, new RegExp(`^[ADM] {2}${name} .*between steps`, 'm'), shown);
        assert.match(
          shown,
          /^Changed between steps, by a hook, a background process of the agent or another program: /m,
        );
        assert.match(shown, /step 1: May have left a process running\./);
        const asked = await undo(machine);
        assert.equal(asked.code, 3, asked.stdout + asked.stderr);
        assert.match(asked.stderr, /may be another program's or your own\. Nothing was changed/);
        assert.equal(workspace.bytes('lib.js')?.toString(), 'code\nevil\n');
        assert.equal((await undo(machine, '--agree')).code, 0);
        assert.equal(workspace.bytes('important.txt')?.toString(), 'precious\n');
        assert.equal(workspace.bytes('lib.js')?.toString(), 'code\n');
        assert.deepEqual(
          ['planted.sh', 'late.txt'].map((name) => workspace.bytes(name)),
          [undefined, undefined],
        );
      });
    });
});
