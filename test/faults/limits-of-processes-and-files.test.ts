import { strict as assert } from 'node:assert';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { accounts, nodeForAll } from '../adapters/support/sandboxedCommands';
import { cliFile, ensureBuilt, onMachine } from '../cli/support/commandLine';
import { temporaryFolder } from '../contracts/terminal.contract';
import { afterLongOutput, reply, toolCall, type Answer } from '../support/modelServer';
import { withoutInjection } from './support/program';

interface Outcome {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly printed: string;
  /** Names in the working folder afterwards. */
  readonly left: readonly string[];
}

interface Limited {
  /** Arguments of prlimit. */
  readonly limits: readonly string[];
  readonly node?: string;
  readonly account?: number;
  readonly options?: readonly string[];
  /** Command that the model runs; a short one by default. */
  readonly command?: string;
}

/** Number of threads of Node itself: Node 20 loads modules in four additional ones. */
const ownThreads = Number(process.versions.node.split('.')[0]) < 22 ? 11 : 7;

const works = (program: string, ...args: string[]): boolean =>
  spawnSync(program, args, { stdio: 'ignore' }).status === 0;

let accountsUsed = 0;
/** An account without other processes, so that its whole process limit is available. */
const freshAccount = (): number => 41_000 + (process.pid % 1000) * 20 + accountsUsed++;

function prefixFor({ limits, account }: Limited): string[] {
  const become =
    account === undefined ? [] : ['setpriv', `--reuid=${account}`, `--regid=${account}`, '--clear-groups', '--'];
  return [...become, 'prlimit', ...limits, '--'];
}

/**
 * Runs one command under the real limits of the system. A run that hangs is killed after two minutes and reported by
 * its signal.
 */
const ranUnder = (limited: Limited): Promise<Outcome> =>
  onMachine(
    [toolCall('run_command', { command: limited.command ?? 'echo ran > file' }), reply('Done.', afterLongOutput)],
    async ({ args, environment, workspace, log }) => {
      const { account, node = process.execPath, options = [] } = limited;
      if (account !== undefined)
        for (const folder of [workspace.root, path.dirname(log)])
          execFileSync('chown', ['-R', `${account}:${account}`, folder]);
      const [program, ...more] = [
        ...prefixFor(limited),
        node,
        cliFile,
        ...args('Try.', '--confirm', 'never', ...options),
      ];
      const child = spawn(program!, more, { cwd: workspace.root, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
      const deadline = setTimeout(() => child.kill('SIGKILL'), 120_000);
      let printed = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => {
          printed += text;
        });
      return new Promise((resolve) => {
        child.on('close', (code, signal) => {
          clearTimeout(deadline);
          resolve({ code, signal, printed, left: fs.readdirSync(workspace.root) });
        });
      });
    },
  );

function toldWithoutStack({ signal, printed }: Outcome): void {
  assert.equal(signal, null, printed);
  assert.doesNotMatch(printed, /^\s+at .+:\d+:\d+\)?$/m);
}

describe('a limit of the machine', function () {
  this.timeout(300_000);
  before(function () {
    if (process.platform !== 'linux' || !works('prlimit', '--version')) this.skip(); // prlimit is not installed
    ensureBuilt();
  });

  describe('for processes', () => {
    before(function () {
      const canBecome = process.getuid?.() === 0 && works('setpriv', '--reuid=65534', '--clear-groups', '--', 'true');
      const isReachable = accounts.some(({ id }) => id !== undefined);
      if (!canBecome || !isReachable) this.skip(); // root is exempt from the limit and cannot switch to another account here
    });

    const under = (count: number, ...options: string[]): Promise<Outcome> =>
      ranUnder({ limits: [`--nproc=${count}`], account: freshAccount(), node: nodeForAll(), options });

    it('is reported if Node.js itself would be aborted', async () => {
      const count = ownThreads + 1;
      const outcome = await under(count);
      toldWithoutStack(outcome);
      assert.match(
        outcome.printed,
        new RegExp(
          `There are too few processes to start: this account may have ${count} processes and threads \\(ulimit -u\\)`,
        ),
      );
      assert.deepEqual([outcome.code, outcome.left], [1, []]);
    });

    it('of 40 lets a run work', async () => {
      const outcome = await under(40);
      toldWithoutStack(outcome);
      assert.deepEqual([outcome.code, outcome.left], [0, ['file']], outcome.printed);
    });

    for (const sandbox of ['auto', 'off'])
      it(`is reported to the model if it is reached when a shell starts, with the sandbox ${sandbox}`, () => {
        const account = freshAccount();
        let pid: number | undefined;
        const limited = (): Answer => {
          // An account may lower the limits of its own programs.
          const [become, ...rest] = [...prefixFor({ limits: [`--pid=${pid}`, '--nproc=1'], account })];
          execFileSync(become!, rest.slice(0, -1));
          return toolCall('run_command', { command: 'echo ran > file' });
        };
        const answers = [toolCall('run_command', { command: 'exit 0' }), limited, reply('Done.')];
        return onMachine(answers, async ({ args, environment, workspace, log, server }) => {
          for (const folder of [workspace.root, path.dirname(log)])
            execFileSync('chown', ['-R', `${account}:${account}`, folder]);
          const [program, ...more] = [
            ...prefixFor({ limits: [], account }),
            nodeForAll(),
            cliFile,
            ...args('Try.', '--confirm', 'never', '--sandbox', sandbox),
          ];
          const child = spawn(program!, more, { cwd: workspace.root, env: environment, stdio: 'ignore' });
          ({ pid } = child);
          const code = await new Promise((resolve) => child.on('close', resolve));
          const told = server.requests.at(-1)!.body.messages.at(-1)!['content'] as string;
          assert.match(told, /The shell could not be started \(.+\)\. End other programs, or raise the limits/);
          assert.deepEqual([code, workspace.names()], [0, []]);
        });
      });

    // If ripgrep could start only some of its threads, it waited forever for the others.
    for (const count of [6, 7, 8, 9].map((more) => ownThreads + more)) {
      it(`of ${count} leaves no search for files waiting`, () => {
        const folder = temporaryFolder();
        const account = freshAccount();
        fs.writeFileSync(path.join(folder, 'AGENTS.md'), 'Use tabs.\n');
        fs.chownSync(folder, account, account);
        const [program, ...more] = [
          ...prefixFor({ limits: [`--nproc=${count}`], account }),
          nodeForAll(),
          cliFile,
          ...['skills', '--cwd', folder],
        ];
        const environment = { PATH: process.env['PATH'], HOME: folder, XDG_STATE_HOME: path.join(folder, 'state') };
        const { status, signal, stdout, stderr } = spawnSync(program!, more, {
          encoding: 'utf8',
          env: environment,
          timeout: 120_000,
          killSignal: 'SIGKILL',
        });
        assert.deepEqual([status, signal], [0, null], stdout + stderr);
        assert.match(stdout, /AGENTS\.md/);
      });
    }
  });

  describe('for address space', () => {
    it('of 4 GB lets a run work', async () => {
      const outcome = await ranUnder({ limits: ['--as=4000000000'] });
      toldWithoutStack(outcome);
      assert.deepEqual([outcome.code, outcome.left], [0, ['file']], outcome.printed);
    });

    it('is reported if Node.js itself would be aborted', async () => {
      const status = "console.log(require('fs').readFileSync('/proc/self/status', 'utf8'))";
      const { stdout } = spawnSync(process.execPath, ['-e', status], { encoding: 'utf8' });
      const used = Number(/^VmSize:\s+(\d+) kB$/m.exec(stdout)![1]) * 1024;
      const outcome = await ranUnder({ limits: [`--as=${used + 350_000_000}`] });
      toldWithoutStack(outcome);
      assert.match(
        outcome.printed,
        /There is too little address space to start: \d+ MB are allowed \(ulimit -v\), and \d+ MB are needed\./,
      );
      assert.deepEqual([outcome.code, outcome.left], [1, []]);
    });
  });

  it('for file size is reported if the log cannot grow', async () => {
    const outcome = await ranUnder({ limits: ['--fsize=2000'] });
    toldWithoutStack(outcome);
    assert.match(
      outcome.printed,
      /log cannot be written \(EFBIG: file too large\)\..* Raise the file size limit.*ulimit -f/,
    );
    assert.deepEqual([outcome.code, outcome.left], [1, []]);
  });

  it('for file size is reported if no temporary file can be written', async () => {
    const outcome = await ranUnder({ limits: ['--fsize=20000'] });
    toldWithoutStack(outcome);
    assert.match(
      outcome.printed,
      /No folder for temporary files can be written .* Raise the file size limit .*ulimit -f/,
    );
    assert.doesNotMatch(outcome.printed, /Free some space|set TMPDIR/);
  });

  for (const [what, command] of [
    ['prints', 'seq 1 60000'],
    ['writes', 'head -c 300000 /dev/zero > big'],
  ] as const) {
    for (const sandbox of ['auto', 'off']) {
      it(`for file size is reported if it truncates what a command ${what}, with the sandbox ${sandbox}`, async () => {
        const outcome = await ranUnder({ limits: ['--fsize=180000'], command, options: ['--sandbox', sandbox] });
        toldWithoutStack(outcome);
        assert.match(outcome.printed, /The file size limit is 180,000 bytes \(ulimit -f\)/);
        assert.match(outcome.printed, /Waymark was started with that limit\. Raise the limit there/);
        assert.doesNotMatch(outcome.printed, /three quarters of the free disk space/);
      });
    }
  }

  it('for file size is attributed to the command that set it', async () => {
    const command = 'ulimit -f 100; head -c 300000 /dev/zero > big';
    const outcome = await ranUnder({ limits: [], command });
    assert.match(outcome.printed, /The file size limit is 102,400 bytes \(ulimit -f\)/);
    assert.match(outcome.printed, /A command of this session set that limit\./);
  });

  describe('for open files', () => {
    for (const count of [28, 40, 96]) {
      it(`of ${count} is reported, or the run works`, async () => {
        const outcome = await ranUnder({ limits: [`--nofile=${count}`] });
        toldWithoutStack(outcome);
        assert.match(outcome.printed, /Done\.|Too many files are open/);
      });
    }

    it('is reported as the limit of the whole machine if it is', async function () {
      if (withoutInjection() !== undefined) this.skip(); // system calls cannot be made to fail here
      const opened = (more: readonly string[] = []): { readonly said: string; readonly files: string[] } => {
        const trace = path.join(temporaryFolder(), 'trace');
        const under = ['-f', '-qq', '-o', trace, '-e', 'trace=openat', ...more];
        const { stdout, stderr } = spawnSync('strace', [...under, process.execPath, cliFile, 'assess', 'ls'], {
          encoding: 'utf8',
          env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1', UV_THREADPOOL_SIZE: '1' },
        });
        const calls = fs.readFileSync(trace, 'utf8').matchAll(/openat\([^,]+, "([^"]+)".* = \d+$/gm);
        return { said: stdout + stderr, files: [...calls].map(([, file]) => file!) };
      };
      // The entry file is already open; its parts follow, which Node 20 opens in another thread.
      const parts = [...new Set(opened().files)].filter((file) => file.startsWith(`${path.dirname(cliFile)}/cli/`));
      assert.ok(parts.length > 5, parts.join('\n'));
      for (const from of [0, 1, 3, 5]) {
        const failing = parts.slice(from).flatMap((file) => ['-P', file]);
        const { said } = opened([...failing, '-e', 'inject=openat:error=ENFILE']);
        assert.match(said, /^Too many files are open \(ENFILE\).* The whole machine has too many open: end other/m);
        assert.doesNotMatch(said, /ulimit/);
      }
    });

    it('is reported if Node.js 20 cannot open Waymark’s own files', async function () {
      const others = (process.env['PATH'] ?? '').split(path.delimiter).map((folder) => path.join(folder, 'node'));
      const isTwenty = (program: string): boolean =>
        spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout?.startsWith('v20.') === true;
      const node = others.find(isTwenty);
      if (node === undefined) this.skip(); // Node 20 is not installed
      const outcome = await ranUnder({ limits: ['--nofile=18'], node });
      toldWithoutStack(outcome);
      assert.match(outcome.printed, /^Too many files are open \(EMFILE\).* Raise the limit.*, .*"ulimit -n 1024"/m);
      assert.deepEqual([outcome.code, outcome.left], [1, []]);
    });
  });
});

describe('a part of the program that cannot be loaded', () => {
  before(ensureBuilt);

  /** A part that a command loads, and the static imports of the main part, which every command needs. */
  const parts: Readonly<Record<string, (chunks: string) => string>> = {
    'of one command': (chunks) => fs.readdirSync(chunks).find((name) => /^assess-.*\.js$/.test(name))!,
    'of all commands': (chunks) => {
      const main = fs.readdirSync(chunks).find((name) => /^main-.*\.js$/.test(name))!;
      return /from\s*"\.\/([^"]+\.js)"/.exec(fs.readFileSync(path.join(chunks, main), 'utf8'))![1]!;
    },
    'of all commands, as a script': () => 'program.cjs',
  };
  const damages = { gone: fs.rmSync, 'cut off': (file: string) => fs.truncateSync(file, 20) };

  for (const [how, [part, damage]] of Object.entries(parts).flatMap(([whose, part]) =>
    Object.entries(damages).map(
      ([how, damage]) => [whose === 'of one command' ? how : `${how}, ${whose}`, [part, damage]] as const,
    ),
  )) {
    it(`is reported with a message: ${how}`, () => {
      const own = path.join(temporaryFolder(), 'dist');
      fs.cpSync(path.dirname(cliFile), own, { recursive: true });
      const chunks = path.join(own, 'cli');
      damage(path.join(chunks, part(chunks)));
      const { status, stderr } = spawnSync(process.execPath, [path.join(own, 'cli.js'), 'assess', 'ls'], {
        encoding: 'utf8',
      });
      assert.match(stderr, /^A part of Waymark could not be loaded \(.+\)\. Install Waymark again, and try again\.\n$/);
      assert.equal(status, 1);
    });
  }

  for (const [how, damage] of Object.entries(damages))
    it(`runs no command without approval in auto mode if it judges commands: ${how}`, () => {
      const folder = temporaryFolder();
      const own = path.join(folder, 'dist');
      fs.cpSync(path.dirname(cliFile), own, { recursive: true });
      fs.symlinkSync(path.join(path.dirname(path.dirname(cliFile)), 'node_modules'), path.join(folder, 'node_modules'));
      damage(path.join(own, 'cli/command.cjs'));
      const work = path.join(folder, 'work');
      fs.mkdirSync(work);
      const script = path.join(folder, 'script.jsonl');
      const call = { tool: 'run_command', input: { command: 'echo a > made.txt' } };
      fs.writeFileSync(script, `${JSON.stringify({ say: 'A file.', call })}\n`);
      const words = ['run', 'Go.', '--script', script, '--cwd', work, '--trust-folder', '--mode', 'auto'];
      const { status, stderr } = spawnSync(process.execPath, [path.join(own, 'cli.js'), ...words], {
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], HOME: folder, XDG_STATE_HOME: path.join(folder, 'state') },
      });
      assert.deepEqual([status, fs.readdirSync(work)], [3, []], stderr);
      assert.match(stderr, /The command analyzer failed/);
    });
});
