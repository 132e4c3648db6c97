import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { reply, toolCall, type Answer } from '../support/modelServer';
import { temporaryFolder } from '../contracts/terminal.contract';
import { cliFile, codeFolderOf, ensureBuilt, onMachine, type Machine } from './support/commandLine';

describe('the compiled code cache', () => {
  before(ensureBuilt);

  /** The files by name, each with an identity that distinguishes it from a replacement. */
  const keptBy = ({ environment }: Machine): Map<string, number> => {
    const folder = codeFolderOf(environment);
    return new Map(
      fs.readdirSync(folder).map((name) => [path.join(folder, name), fs.statSync(path.join(folder, name)).ino]),
    );
  };
  const runs = async ({ start, args }: Machine, log: string): Promise<void> => {
    const { code, stderr } = await start(args('Say something.').map((word) => (word.endsWith('.jsonl') ? log : word)))
      .ended;
    assert.equal(code, 0, stderr);
  };

  const namesIn = (kept: ReadonlyMap<string, number>): string[] =>
    [...kept.keys()].map((file) => path.basename(file).split('-')[0]!).sort();

  /** Such a run loads all three files, however soon the model answers. */
  const answersOfRun: readonly Answer[] = [toolCall('run_command', { command: 'echo it' }), reply('Here it is.')];

  /** On a machine where Waymark was never used, with answers for `count` runs. */
  const onNewMachine = (count: number, use: (machine: Machine) => Promise<void>): Promise<void> =>
    onMachine(Array<readonly Answer[]>(count).fill(answersOfRun).flat(), async (machine) => {
      fs.rmSync(codeFolderOf(machine.environment), { recursive: true, force: true });
      await use(machine);
    });

  it('is written by the first run, is readable only by its owner, and is reused by the next run', () =>
    onNewMachine(2, async (machine) => {
      await runs(machine, machine.log.replace(/jsonl$/, '1.jsonl'));
      const first = keptBy(machine);
      assert.deepEqual(namesIn(first), ['command', 'program', 'run']);
      for (const file of first.keys()) assert.equal(fs.statSync(file).mode & 0o777, 0o600);
      await runs(machine, machine.log.replace(/jsonl$/, '2.jsonl'));
      assert.deepEqual(keptBy(machine), first);
    }));

  it('is not kept by Node in the folder for temporary files, where others may write', () =>
    onMachine([], async ({ environment }) => {
      const asked = "import module from 'node:module'; module.enableCompileCache = () => console.log('turned on');";
      const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(asked)}`;
      const options = { env: { ...environment, NODE_OPTIONS }, encoding: 'utf8' } as const;
      assert.match(spawnSync(process.execPath, [cliFile, '--version'], options).stdout, /^\d+\.\d+\.\d+\n$/);
    }));

  it('is written again by a first run that loads more code after it was written, as on a slow machine', () => {
    let state = '';
    const kept = (): number[] => {
      const folder = path.join(state, 'waymark/code');
      if (!fs.existsSync(folder)) return [];
      return fs.readdirSync(folder).map((name) => fs.statSync(path.join(folder, name)).size);
    };
    const sum = (sizes: readonly number[]): number => sizes.reduce((before, size) => before + size, 0);
    let early = 0;
    const whenKept = async () => {
      while (kept().length < 3) await new Promise((resolve) => setTimeout(resolve, 50));
      early = sum(kept());
      return toolCall('run_command', { command: 'echo more' });
    };
    return onMachine([whenKept, reply('Here it is.')], async (machine) => {
      fs.rmSync(codeFolderOf(machine.environment), { recursive: true, force: true });
      state = machine.environment['XDG_STATE_HOME']!;
      await runs(machine, machine.log);
      assert.equal(kept().length, 3);
      assert.ok(sum(kept()) > early, `${early} bytes early, ${sum(kept())} at the end`);
    });
  });

  const damages: Record<string, (bytes: Buffer) => Buffer> = {
    'is damaged': (bytes) => {
      bytes[Math.floor(bytes.length / 2)]! ^= 0xff;
      return bytes;
    },
    'is truncated': (bytes) => bytes.subarray(0, bytes.length / 2),
    'is empty': () => Buffer.alloc(0),
  };
  for (const [how, damage] of Object.entries(damages))
    it(`is rebuilt if it ${how}`, () =>
      onNewMachine(2, async (machine) => {
        await runs(machine, machine.log.replace(/jsonl$/, '1.jsonl'));
        const before = keptBy(machine);
        for (const file of before.keys()) fs.writeFileSync(file, damage(fs.readFileSync(file)));
        await runs(machine, machine.log.replace(/jsonl$/, '2.jsonl'));
        for (const [file, inode] of keptBy(machine)) assert.notEqual(inode, before.get(file), file);
      }));

  it('is not used if others can write to its folder or if its files are links', () =>
    onNewMachine(3, async (machine) => {
      await runs(machine, machine.log.replace(/jsonl$/, '1.jsonl'));
      const before = keptBy(machine);
      const folder = path.dirname([...before.keys()][0]!);
      fs.chmodSync(folder, 0o777);
      await runs(machine, machine.log.replace(/jsonl$/, '2.jsonl'));
      assert.deepEqual(keptBy(machine), before, 'nothing is kept in a folder that others may write');
      fs.chmodSync(folder, 0o700);
      for (const file of before.keys()) {
        fs.renameSync(file, `${file}.moved`);
        fs.symlinkSync(`${file}.moved`, file);
      }
      await runs(machine, machine.log.replace(/jsonl$/, '3.jsonl'));
      for (const file of before.keys()) assert.ok(fs.lstatSync(file).isFile(), `${file} was taken through a link`);
    }));

  it('is not written with NODE_DISABLE_COMPILE_CACHE=1', () =>
    onNewMachine(1, async (machine) => {
      const { code, stderr } = await machine.start(machine.args('Say something.'), { NODE_DISABLE_COMPILE_CACHE: '1' })
        .ended;
      assert.equal(code, 0, stderr);
      assert.equal(fs.existsSync(codeFolderOf(machine.environment)), false);
    }));

  it('is neither read nor written in a folder that depends on the current directory', () => {
    for (const XDG_STATE_HOME of ['', 'state']) {
      const folder = temporaryFolder();
      const planted = path.join(folder, XDG_STATE_HOME, 'waymark');
      fs.mkdirSync(planted, { recursive: true, mode: 0o700 });
      // A session was run there.
      fs.writeFileSync(path.join(planted, 'log.key'), '0'.repeat(32), { mode: 0o600 });
      const environment = { PATH: process.env['PATH'], HOME: temporaryFolder(), XDG_STATE_HOME };
      const { status, stderr } = spawnSync(process.execPath, [cliFile, '--version'], { cwd: folder, env: environment });
      assert.deepEqual([status, String(stderr)], [0, '']);
      assert.deepEqual(fs.readdirSync(planted), ['log.key']);
    }
  });

  for (const [what, home] of [
    ['below a file', (folder: string) => path.join(folder, 'file/home')],
    ['missing', (folder: string) => path.join(folder, 'missing')],
  ] as const)
    it(`does not prevent a command from starting if the home folder is ${what}`, () => {
      const folder = temporaryFolder();
      fs.writeFileSync(path.join(folder, 'file'), '');
      const environment = { PATH: process.env['PATH'], HOME: home(folder) };
      const { status, stderr } = spawnSync(process.execPath, [cliFile, '--version'], { env: environment });
      assert.deepEqual([status, String(stderr)], [0, '']);
    });

  it('does not prevent a run if it cannot be written', () =>
    onNewMachine(1, async (machine) => {
      fs.writeFileSync(path.join(machine.environment['XDG_STATE_HOME']!, 'waymark/code'), '');
      await runs(machine, machine.log);
    }));

  it('is not written by help and version on a machine that had no session', () => {
    const environment = { PATH: process.env['PATH'], HOME: temporaryFolder() };
    for (const word of ['--help', '--version', 'help']) {
      const { status, stderr } = spawnSync(process.execPath, [cliFile, word], { env: environment });
      assert.deepEqual([status, String(stderr)], [0, '']);
      assert.deepEqual(fs.readdirSync(environment.HOME), [], word);
    }
  });

  it('is written again as a whole by a run that first loads the code of runs or of commands', () =>
    onNewMachine(3, async (machine) => {
      // After a run that kept nothing, another command keeps what it loads.
      await machine.start(machine.args('Say something.'), { NODE_DISABLE_COMPILE_CACHE: '1' }).ended;
      assert.equal((await machine.start(['--version']).ended).code, 0);
      const ofVersion = keptBy(machine);
      assert.deepEqual(namesIn(ofVersion), ['program']);
      await runs(machine, machine.log.replace(/jsonl$/, '1.jsonl'));
      const ofRun = keptBy(machine);
      assert.deepEqual(namesIn(ofRun), ['command', 'program', 'run']);
      for (const [file, inode] of ofVersion) assert.notEqual(ofRun.get(file), inode, file);
      // As after a run without commands.
      fs.rmSync([...ofRun.keys()].find((file) => path.basename(file).startsWith('command-'))!);
      await runs(machine, machine.log.replace(/jsonl$/, '2.jsonl'));
      const ofCommand = keptBy(machine);
      assert.deepEqual([...ofCommand.keys()], [...ofRun.keys()]);
      for (const [file, inode] of ofRun) assert.notEqual(ofCommand.get(file), inode, file);
    }));
});
