import { strict as assert } from 'node:assert';
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { reply, toolCall } from '../../support/modelServer';
import { cliFile, ensureBuilt, onMachine, type Machine } from '../support/commandLine';

const write = (path: string) => toolCall('write_file', { path, content: `${path}\n` });

/** Runs a command of the command line in the workspace. */
const waymark = ({ start }: Machine, ...words: string[]) => start(words).ended;

/** Starts a run whose log has no name of its own. */
const runStored = (machine: Machine, task: string, ...more: string[]) =>
  waymark(machine, 'run', task, '--base-url', machine.server.baseUrl, '--model', 'gpt-5', ...more);

interface Row {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly folder: string;
}

const rowsOf = async (machine: Machine, ...more: string[]): Promise<Row[]> =>
  JSON.parse((await waymark(machine, 'sessions', '--json', ...more)).stdout) as Row[];

describe('sessions by name on the command line', () => {
  before(ensureBuilt);

  it('a run that edited files says how to see and undo that, and those commands work as printed', () =>
    onMachine([write('a.txt'), reply('Written.')], async (machine) => {
      const { code, stderr } = await runStored(machine, 'Write it.');
      assert.equal(code, 0, stderr);
      const printed = /^1 changed file\. See it with "waymark (changes \S+)", undo with "waymark (undo \S+)"\.$/m.exec(
        stderr,
      );
      assert.ok(printed, stderr);
      assert.match((await waymark(machine, ...printed[1]!.split(' '))).stdout, /^A {2}a\.txt/m);
      assert.equal((await waymark(machine, ...printed[2]!.split(' '))).code, 0);
      assert.equal(machine.workspace.bytes('a.txt'), undefined);
      assert.deepEqual(
        (await rowsOf(machine)).map(({ status }) => status),
        ['submitted'],
        'An undo does not change how the run ended.',
      );
    }));

  it('counts what commands changed, also of a run that was stopped', function () {
    if (process.platform === 'win32') this.skip();
    const answers = [
      toolCall('run_command', { command: 'echo a > a.txt; echo b > b.txt' }),
      toolCall('run_command', { command: 'rm b.txt' }),
      reply('Done.'),
      toolCall('run_command', { command: 'echo c > c.txt' }),
    ];
    return onMachine(answers, async (machine) => {
      assert.match((await runStored(machine, 'Work.', '--confirm', 'never')).stderr, /^1 changed file\./m);
      const { code, stderr } = await runStored(machine, 'More.', '--confirm', 'never', '--max-steps', '1');
      assert.equal(code, 2, stderr);
      assert.match(stderr, /^1 changed file\./m);
    });
  });

  it('a run that edited nothing, and one with --json, print nothing for people', () =>
    onMachine([reply('Nothing to do.'), write('a.txt'), reply('Written.')], async (machine) => {
      assert.equal((await runStored(machine, 'Look.')).stderr, '');
      assert.equal((await runStored(machine, 'Write it.', '--json')).stderr, '');
    }));

  it('lists the sessions of the folder, newest first, and with --all those of other folders', () =>
    onMachine([reply('One.'), reply('Two.'), reply('Three.')], async (machine) => {
      await runStored(machine, 'First task');
      await runStored(machine, 'Second task');
      machine.workspace.place('other/file.txt', '');
      await runStored(machine, 'Elsewhere', '--cwd', 'other', '--trust-folder');
      const here = await rowsOf(machine);
      assert.deepEqual(
        here.map(({ title, status }) => [title, status]),
        [
          ['Second task', 'submitted'],
          ['First task', 'submitted'],
        ],
      );
      assert.deepEqual(
        (await rowsOf(machine, '--all')).map(({ title }) => title),
        ['Elsewhere', 'Second task', 'First task'],
      );
      const { stdout } = await waymark(machine, 'sessions');
      assert.match(stdout, new RegExp(`^${here[0]!.id} .* done .* 1 step {2}Second task$`, 'm'));
    }));

  it('says in the words of the window that a session needs approval', () =>
    onMachine([toolCall('run_command', { command: 'cat .env' })], async (machine) => {
      assert.equal((await runStored(machine, 'First task')).code, 3);
      assert.match((await waymark(machine, 'sessions')).stdout, / needs approval .* First task$/m);
    }));

  it('continues a session by its id and by "last", and writes no file into the folder', () =>
    onMachine([reply('One.'), reply('Two.'), reply('Three.')], async (machine) => {
      await runStored(machine, 'First task');
      const [{ id } = { id: '' }] = await rowsOf(machine);
      assert.equal((await runStored(machine, 'Go on.', '--log', id)).code, 0);
      assert.equal((await runStored(machine, 'Again.', '--log', 'last')).code, 0);
      assert.deepEqual(
        (await rowsOf(machine)).map((row) => row.id),
        [id],
      );
      assert.match((await waymark(machine, 'inspect', 'last')).stdout, /First task[\s\S]*Go on\.[\s\S]*Again\./);
      assert.deepEqual(fs.readdirSync(machine.workspace.root), []);
    }));

  it('says which folder has no session, and still creates a log file with a plain name', () =>
    onMachine([reply('One.')], async (machine) => {
      const { code, stderr } = await waymark(machine, 'changes', 'last');
      assert.equal(code, 1);
      assert.ok(stderr.includes(`began in ${machine.workspace.root}`), stderr);
      assert.equal((await runStored(machine, 'Task', '--log', 'mine')).code, 0);
      assert.ok(fs.readdirSync(machine.workspace.root).includes('mine'));
    }));
});

describe('waymark run --log, with a log that a crash left incomplete', () => {
  before(ensureBuilt);

  it('refuses a file of zeros, and says so', () =>
    onMachine([], async ({ run, log }) => {
      const zeros = Buffer.alloc(4096);
      fs.writeFileSync(log, zeros);
      const { code, stderr } = await run('Go on.');
      assert.equal(code, 1);
      assert.match(
        stderr,
        /^This log has no events, only zeros \(4,096 bytes\), as a crash leaves files behind\. The file is not changed\. /,
      );
      assert.deepEqual(fs.readFileSync(log), zeros);
    }));

  for (const [what, rest, words] of [
    ['zeros', Buffer.alloc(3000), /^The log ends with 3,000 bytes of zeros, .* it is kept in \S+\.torn-NUMBER\.$/m],
    ['a part of an event', Buffer.from('{"seq":'), /^The log ends with the beginning of an event \(7 bytes\), /m],
  ] as const)
    it(`says that it ends with ${what}, and continues`, () =>
      onMachine([reply('One.'), reply('Two.')], async ({ run, log, events }) => {
        assert.deepEqual((await run('Begin.')).stderr, '');
        const before = events().length;
        fs.appendFileSync(log, rest);
        const { code, stderr } = await run('Go on.');
        assert.equal(code, 0, stderr);
        assert.match(stderr, words);
        assert.ok(events().length > before);
        const [kept] = fs.readdirSync(path.dirname(log)).filter((name) => name.includes('.torn-'));
        assert.deepEqual(fs.readFileSync(path.join(path.dirname(log), kept!)), rest);
      }));
});

describe('waymark run -', () => {
  before(ensureBuilt);

  const words = 'The first line.\nThe second line: ü.\n';
  for (const [encoding, bytes] of [
    ['UTF-8', Buffer.from(words)],
    ['UTF-8 with a byte order mark and CRLF', Buffer.from(`\ufeff${words.replaceAll('\n', '\r\n')}`)],
    ['UTF-16', Buffer.from(`\ufeff${words}`, 'utf16le')],
    ['Latin-1', Buffer.from(words, 'latin1')],
  ] as const)
    it(`reads the task from standard input, in ${encoding}`, () =>
      onMachine([reply('Done.')], async ({ args, workspace, environment, events }) => {
        const child = spawn(process.execPath, [cliFile, ...args('-')], {
          cwd: workspace.root,
          env: environment,
          stdio: ['pipe', 'ignore', 'inherit'],
        });
        child.stdin!.end(bytes);
        assert.equal(await new Promise((resolve) => child.on('close', resolve)), 0);
        const task = events().find((event) => event.type === 'task_started')?.task;
        assert.equal(task, words);
      }));

  it('waits for the task in a pipe that does not block', () =>
    onMachine([reply('Done.')], async ({ args, workspace, environment, events }) => {
      const script = [
        'import fcntl, os, subprocess, sys, time',
        'output, input = os.pipe()',
        'fcntl.fcntl(output, fcntl.F_SETFL, fcntl.fcntl(output, fcntl.F_GETFL) | os.O_NONBLOCK)',
        'run = subprocess.Popen(sys.argv[1:], stdin=output, stdout=subprocess.DEVNULL)',
        'time.sleep(1)',
        'os.write(input, b"A late task.")',
        'os.close(input)',
        'sys.exit(run.wait())',
      ].join('\n');
      const words = ['-c', script, process.execPath, cliFile, ...args('-')];
      const child = spawn('python3', words, { cwd: workspace.root, env: environment, stdio: 'inherit' });
      assert.equal(await new Promise((resolve) => child.on('close', resolve)), 0);
      assert.equal(events().find((event) => event.type === 'task_started')?.task, 'A late task.');
    }));

  it('refuses words and files that are not UTF-8, instead of replacing their bytes', function () {
    if (process.platform !== 'linux') this.skip(); // Only /proc has the bytes of arguments.
    return onMachine([reply('Done.'), reply('Done.')], async ({ args, workspace, environment, log, start }) => {
      // Node.js itself cannot pass such a word.
      const printf = ['-c', 'exec "$@" "$(printf "Größe: \\377\\376 of a")"', 'sh'];
      const words = [...printf, process.execPath, cliFile, ...args('Task.')];
      const { status, stderr } = spawnSync('sh', words, { cwd: workspace.root, env: environment, encoding: 'utf8' });
      assert.equal(status, 1);
      assert.match(
        stderr,
        /^Word \d+ of the command is not UTF-8, at "Größe: �� of a"\. Nothing was done\. .* waymark run - < FILE\n$/,
      );
      assert.ok(!fs.existsSync(log));
      workspace.place(
        'tasks.jsonl',
        Buffer.from('{"id":"a","prompt":"b"}\n{"id":"c","prompt":"Gr\xf6\xdfe"}\n', 'latin1'),
      );
      workspace.place('part.txt', Buffer.from('Gr\xf6\xdfe', 'latin1'));
      for (const given of [
        ['batch', 'tasks.jsonl', '--script', 'tasks.jsonl'],
        ['run', 'Task.', '--script', 'tasks.jsonl'],
        args('Task.', '--profile', 'workgraph', '--input', 'part=@part.txt'),
      ]) {
        const ended = await start(given).ended;
        assert.equal(ended.code, 1, ended.stderr);
        assert.match(
          ended.stderr,
          /line [12] of \S+ has bytes that are not UTF-8\. Convert the file, for example with "iconv /,
        );
      }
      const valid = await start(args('The sign � is U+FFFD.')).ended;
      assert.deepEqual([valid.code, valid.stderr], [0, '']);
    });
  });

  it('stops reading a task that does not end, and says that standard input is a folder', () =>
    onMachine([], async ({ args, workspace, environment, log }) => {
      for (const [input, reason] of [
        ['/dev/zero', /^The task on standard input is longer than 20 megabytes\. /],
        [workspace.root, /^Standard input is a folder\. /],
      ] as const) {
        const opened = fs.openSync(input, 'r');
        const options = { cwd: workspace.root, env: environment, encoding: 'utf8' } as const;
        const words = ['--max-old-space-size=400', cliFile, ...args('-')];
        const { status, stderr } = spawnSync(process.execPath, words, { ...options, stdio: [opened, 'pipe', 'pipe'] });
        fs.closeSync(opened);
        assert.equal(status, 1);
        assert.match(stderr, reason);
      }
      assert.ok(!fs.existsSync(log));
    }));
});
