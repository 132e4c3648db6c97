import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { seededRandom } from '../../src/core/model/sampling/seededRandom';
import { placeRandomFiles, randomCommand } from '../adapters/checkpoints/randomCommands';
import { wholeTree } from '../adapters/checkpoints/wholeTree';
import { ensureBuilt, onMachine, type Machine } from '../cli/support/commandLine';
import { reply, toolCall } from '../support/modelServer';
import { FileCalls } from './support/fileCalls';

/** FILES_SEED chooses other folders, FILES_TREES their number. FILES_CALLS=all hits every call instead of a few. */
const seed = Number(process.env['FILES_SEED'] ?? 20261123);
const trees = Number(process.env['FILES_TREES'] ?? 1);
const hitsEach = process.env['FILES_CALLS'] === 'all' ? Infinity : Number(process.env['FILES_CALLS'] ?? 6);

const treeOf = ({ workspace }: Machine): Record<string, string> => wholeTree(workspace.root, (name) => name === '.git');

interface Changed {
  readonly machine: Machine;
  readonly calls: FileCalls;
  readonly before: Record<string, string>;
  readonly after: Record<string, string>;
  readonly random: () => number;
  readonly story: string;
  /** Runs `waymark undo` or `waymark changes` on the log of the run. */
  command(name: 'undo' | 'changes', options?: readonly string[], more?: NodeJS.ProcessEnv): Promise<Ended>;
}

type Ended = Awaited<ReturnType<Machine['run']>>;

/** Random commands that leave `.git` alone: files of Git are neither listed nor undone. */
function commandsOf(random: () => number): string {
  const commands: string[] = [];
  while (commands.length < 8) {
    const command = randomCommand(random);
    if (!command.includes('.git &&')) commands.push(command);
  }
  return commands.join('\n');
}

/** A run whose only command changed a folder at random. */
function onChangedFolder(treeSeed: number, use: (changed: Changed) => Promise<void>): Promise<void> {
  const random = seededRandom(treeSeed);
  const command = commandsOf(random);
  return onMachine([toolCall('run_command', { command }), reply('Done.')], async (machine) => {
    placeRandomFiles(machine.workspace, random);
    const before = treeOf(machine);
    const ran = await machine.run('Change much.', '--confirm', 'never', '--sandbox', 'off');
    assert.equal(ran.code, 0, ran.stderr);
    const after = treeOf(machine);
    assert.notDeepEqual(after, before, `seed ${treeSeed} changes nothing`);
    await use({
      machine,
      calls: new FileCalls(path.dirname(machine.log)),
      before,
      after,
      random,
      story: `seed ${treeSeed}\n${command}\n`,
      command: (name, options = [], more = {}) => machine.start([name, machine.log, ...options], more).ended,
    });
  });
}

/** Files left behind after an interrupted restore was undone. */
function leftOver({ environment, workspace }: Machine): string[] {
  const restores = path.join(environment['XDG_STATE_HOME']!, 'waymark/checkpoints/restores');
  const drafts = workspace.names().filter((name) => path.basename(name).startsWith('.waymark-'));
  const intents = fs.existsSync(restores) ? fs.readdirSync(restores).filter((name) => name.endsWith('.json')) : [];
  return [...drafts, ...intents];
}

/** Chooses the calls to hit: all, or a few random ones. */
function callsToHit(count: number, random: () => number): number[] {
  const all = Array.from({ length: count }, (_, at) => at + 1);
  if (hitsEach >= count) return all;
  return Array.from({ length: hitsEach }, () => all[Math.floor(random() * count)]!);
}

describe('undoing changes in a random folder', function () {
  this.timeout(3_600_000); // each hit starts the command line twice
  before(function () {
    if (process.platform !== 'linux') this.skip();
    ensureBuilt();
  });

  for (let tree = 0; tree < trees; tree++) {
    it(`is all or nothing, whichever file system call it is killed at (folder ${tree + 1})`, () =>
      onChangedFolder(seed + tree, async ({ machine, calls, before, after, random, story, command }) => {
        const none = { call: 0 };
        const whole = await command('undo', [], calls.environment(none));
        assert.equal(whole.code, 0, story + whole.stdout + whole.stderr);
        assert.deepEqual(treeOf(machine), before, story);
        assert.ok(calls.count > 10, `${calls.count} calls of a restore were counted`);
        let isUndone = true;
        let killed = 0;
        for (const call of callsToHit(calls.count, random)) {
          const direction = isUndone ? ['--redo'] : [];
          const { code } = await command('undo', direction, calls.environment({ call }));
          const looked = await command('changes');
          assert.equal(looked.code, 0, looked.stderr);
          const now = treeOf(machine);
          const wasUndone = isUndone;
          isUndone = JSON.stringify(now) === JSON.stringify(before);
          const where = `${story}call ${call} of ${isUndone ? 'the undo' : 'the redo'}, exit ${code}`;
          if (!isUndone) assert.deepEqual(now, after, where);
          assert.deepEqual(leftOver(machine), [], where);
          if (code === null) killed++;
          // The record must match the files: otherwise the next restore finds nothing to do, and nothing is hit.
          else assert.notEqual(isUndone, wasUndone, `${where}: it was not killed, and did nothing`);
        }
        assert.ok(killed > 0, `${story}nothing was killed`);
      }));

    it(`keeps what the user saves meanwhile (folder ${tree + 1})`, () =>
      onChangedFolder(seed + tree, async ({ machine, calls, before, after, random, story, command }) => {
        const text = 'saved by a person at this moment\n';
        const plain = (name: string): boolean => [before[name], after[name]].every((held) => held?.startsWith('file'));
        const changed = Object.keys(after).filter((name) => plain(name) && before[name] !== after[name]);
        let saved = 0;
        for (let hit = 0; hit < Math.min(hitsEach, 20) && changed.length > 0; hit++) {
          const name = changed[Math.floor(random() * changed.length)]!;
          const file = machine.workspace.at(name);
          const held = fs.readFileSync(file);
          const call = 1 + Math.floor(random() * 30);
          const { code, stdout } = await command('undo', [], calls.environment({ call, saves: { file, text } }));
          const where = `${story}${name} saved at call ${call}, exit ${code}: ${stdout}`;
          const now = treeOf(machine);
          if (calls.hasSaved) saved++;
          if (calls.hasSaved) assert.equal(machine.workspace.bytes(name)?.toString(), text, where);
          const others = (of: Record<string, string>): Record<string, string> =>
            Object.fromEntries(Object.entries(of).filter(([each]) => each !== name));
          assert.deepEqual(others(now), others(code === 0 ? before : after), where);
          assert.deepEqual(leftOver(machine), [], where);
          if (code !== 0) {
            fs.writeFileSync(file, held);
            continue;
          }
          const wasBefore = before[name]!.split(' ').at(-1)!;
          fs.writeFileSync(file, Buffer.from(wasBefore, 'base64'));
          const back = await command('undo', ['--redo']);
          assert.equal(back.code, 0, where + back.stderr + back.stdout);
          assert.deepEqual(treeOf(machine), after, where);
        }
        assert.ok(saved > 0, `${story}nobody saved anything`);
      }));
  }
});

describe('undoing changes of a workspace folder that was deleted', function () {
  this.timeout(600_000);
  before(function () {
    if (process.platform !== 'linux') this.skip();
    ensureBuilt();
  });

  it('creates it with its permissions, or leaves nothing of it, whichever file system call it is killed at', () =>
    onMachine([toolCall('run_command', { command: 'rm -r "$PWD"' }), reply('Done.')], async (machine) => {
      const { workspace, log, start } = machine;
      const project = workspace.at('project');
      workspace.place('project/src/a.txt', 'a\n');
      fs.chmodSync(workspace.at('project/src'), 0o711);
      fs.chmodSync(project, 0o750);
      const before = wholeTree(workspace.root);
      const options = ['--cwd', project, '--trust-folder', '--confirm', 'never', '--sandbox', 'off'];
      const ran = await machine.run('Delete.', ...options);
      assert.equal(ran.code, 0, ran.stderr);
      assert.deepEqual(workspace.names(), []);
      const calls = new FileCalls(path.dirname(log));
      for (let call = 1, isUndone = false; !isUndone; call++) {
        const { code, stderr } = await start(['undo', log, '--agree'], calls.environment({ call })).ended;
        assert.equal((await start(['changes', log]).ended).code, 0);
        isUndone = workspace.names().length > 0;
        if (isUndone) assert.deepEqual(wholeTree(workspace.root), before, `call ${call}: ${stderr}`);
        else assert.equal(code, null, `call ${call}: ${stderr}`);
        assert.deepEqual(leftOver(machine), [], `call ${call}`);
      }
      assert.equal(fs.statSync(project).mode & 0o7777, 0o750);
    }));
});
