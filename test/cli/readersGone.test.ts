import { strict as assert } from 'node:assert';
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { smallDisk } from '../faults/support/smallDisk';
import { afterLongOutput, reply, toolCall, type Answering } from '../support/modelServer';
import { freshForEach, temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace';
import { cliFile, ensureBuilt, onMachine, processesIn, until, type Machine } from './support/commandLine';
import { sitDown } from './support/sitDown';

/** A run that prints repeatedly and does not end by itself while its output is read. */
const busy: readonly Answering[] = Array.from({ length: 100 }, (_, index) =>
  toolCall('run_command', { command: `sleep 0.2; echo tick ${index}` }, { text: `Step ${index}.` }),
);

/** 128 plus the number of SIGHUP. */
const endedByHangUp = 129;

const never: Answering = { ...reply('Too late.'), delayMs: 600_000 };

/** Asserts that a run leaves nothing behind after its reader or terminal is closed. */
async function leavesNothing({ workspace, log }: Machine, temporary: TemporaryWorkspace): Promise<void> {
  await until('the end of its processes', () => processesIn(workspace.root).length === 0);
  assert.equal(fs.existsSync(`${log}.lock`), false, 'the lock is left');
  assert.deepEqual(temporary.names(), [], 'temporary files are left');
  assert.deepEqual(workspace.names(), [], 'something is left in the workspace');
  const mounts = fs.readFileSync('/proc/self/mounts', 'utf8');
  assert.equal(mounts.includes(workspace.root) || mounts.includes(temporary.root), false, 'a mount point is left');
}

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

const lastEvent = ({ events }: Machine): string => {
  const last = events().at(-1)!;
  return last.type === 'finished' ? `${last.status}: ${last.summary}` : last.type;
};

interface NodeProgram {
  readonly version: string;
  readonly file: string;
}

/**
 * The versions of Node on this machine that can run Waymark, one of each major version: that of the tests, those on
 * PATH, and those that WAYMARK_TEST_NODES lists, with the separator of PATH between.
 */
function nodes(): NodeProgram[] {
  const onPath = (process.env['PATH'] ?? '').split(path.delimiter).map((folder) => path.join(folder, 'node'));
  const named = (process.env['WAYMARK_TEST_NODES'] ?? '').split(path.delimiter).filter(Boolean);
  const found = new Map<number, NodeProgram>();
  for (const file of [process.execPath, ...named, ...onPath, '/usr/bin/node']) {
    if (!fs.existsSync(file)) continue;
    const version = spawnSync(file, ['--version'], { encoding: 'utf8' }).stdout?.trim() ?? '';
    const major = Number(/^v(\d+)\./.exec(version)?.[1]);
    if (major >= 20 && !found.has(major)) found.set(major, { version, file });
  }
  return [...found.values()];
}

interface Shelled {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a line of bash in which "$@" is the program. */
const inBash = (
  { workspace, environment }: Machine,
  temporary: TemporaryWorkspace,
  line: string,
  args: readonly string[],
): Promise<Shelled> =>
  new Promise((resolve) => {
    const child = spawn('bash', ['-c', line, 'bash', process.execPath, cliFile, ...args], {
      cwd: workspace.root,
      env: { ...environment, TMPDIR: temporary.root },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const printed = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'] as const)
      child[stream].setEncoding('utf8').on('data', (text: string) => {
        printed[stream] += text;
      });
    child.on('close', (code) => resolve({ code, ...printed }));
  });

describe('a run whose terminal is closed', function () {
  this.timeout(180_000);
  before(function () {
    if (process.platform !== 'linux') this.skip();
    ensureBuilt();
  });

  /**
   * A terminal in which the user's bash starts the program. When the terminal is closed, bash and the system each send
   * SIGHUP, which `nohup` ignores. A second bash, which outlives both, records the exit code.
   */
  function atTerminal(
    { environment, workspace }: Machine,
    temporary: TemporaryWorkspace,
    { node, args, nohup }: { readonly node: string; readonly args: readonly string[]; readonly nohup: boolean },
  ) {
    const { spawn: openPty } = createRequire(path.join(process.env['REPOSITORY']!, 'package.json'))(
      'node-pty',
    ) as typeof import('node-pty');
    const notes = temporaryWorkspace();
    const line = `trap '${nohup ? '' : ':'}' HUP; "$@"; echo $? > "${notes.at('code')}"`;
    const terminal = openPty('bash', ['--noprofile', '--norc', '-i'], {
      cwd: workspace.root,
      env: { ...environment, TMPDIR: temporary.root, TERM: 'xterm' } as Record<string, string>,
      cols: 200,
      rows: 50,
    });
    terminal.write(`${['bash', '-c', line, 'bash', node, cliFile, ...args].map(quoted).join(' ')}\r`);
    let seen = '';
    terminal.onData((text) => {
      seen += text;
    });
    return {
      async reads(words: RegExp) {
        await until(`“${words.source}” in ${JSON.stringify(seen)}`, () => words.test(seen));
      },
      /** Closes the side of the terminal that belongs to the window. */
      hangUp: () => (terminal as unknown as { _socket: { destroy(): void } })._socket.destroy(),
      async ends() {
        await until('the end of the run', () => (notes.bytes('code')?.length ?? 0) > 0);
        const code = Number(notes.bytes('code')!.toString());
        notes.stop();
        return code;
      },
    };
  }

  interface Moment {
    readonly when: string;
    readonly answers: readonly Answering[];
    readonly until: RegExp;
    readonly nohup?: boolean;
    readonly options?: readonly string[];
    readonly code?: number;
    readonly last: RegExp;
  }
  const slow = toolCall('run_command', { command: 'sleep 600' }, { text: 'It takes long.' });
  const closed = /^stopped: The terminal was closed\./;
  const moments: readonly Moment[] = [
    { when: 'stops cleanly while it waits for the model', answers: [never], until: /●/, last: closed },
    { when: 'stops cleanly while a command runs', answers: [slow], until: /takes long/, last: closed },
    {
      when: 'stops cleanly while a command runs without a sandbox',
      answers: [slow],
      until: /takes long/,
      options: ['--sandbox', 'off'],
      last: closed,
    },
    {
      when: 'leaves a question open, as with Ctrl-D',
      answers: [toolCall('ask_user', { question: 'Which colour?' })],
      until: /Which colour\?/,
      code: 3,
      last: /^question_asked$/,
    },
    {
      when: 'stops cleanly under nohup, at the next line that it prints',
      answers: busy,
      until: /Step 2\./,
      nohup: true,
      last: closed,
    },
  ];

  for (const { version, file } of nodes())
    for (const { when, answers, until: words, nohup = false, options = [], code = 130, last } of moments) {
      it(`${when}, on Node ${version.split('.')[0]!.slice(1)}`, () =>
        onMachine(answers, async (machine) => {
          const temporary = temporaryWorkspace();
          const terminal = atTerminal(machine, temporary, {
            node: file,
            args: machine.args('Work.', ...options),
            nohup,
          });
          await terminal.reads(words);
          await until('a request', () => machine.server.requests.length > 0);
          terminal.hangUp();
          const ended = await terminal.ends();
          // A late SIGHUP may arrive after everything is done and Node has removed its listeners. An abort of Node
          // would be 134.
          assert.ok([code, endedByHangUp].includes(ended), `${ended}`);
          assert.match(lastEvent(machine), last);
          await leavesNothing(machine, temporary);
          temporary.stop();
        }));
    }
});

/** Sends a signal at the moment the log is locked: many modules are loaded after that. */
const signalledAtLock = (signal: NodeJS.Signals): string => `const fs = require('fs');
  let isSent = false;
  for (const name of ['openSync', 'linkSync', 'writeFileSync', 'renameSync']) {
    const real = fs[name];
    fs[name] = (...given) => {
      const made = real.apply(fs, given);
      if (!isSent && given.slice(0, 2).some((one) => String(one).endsWith('.jsonl.lock'))) {
        isSent = true;
        process.kill(process.pid, '${signal}');
      }
      return made;
    };
  }`;

describe('a run that is ended while it starts', function () {
  this.timeout(180_000);
  before(function () {
    if (process.platform !== 'linux') this.skip();
    ensureBuilt();
  });

  for (const { version, file } of nodes())
    for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const)
      it(`by ${signal} leaves no lock, on Node ${version.split('.')[0]!.slice(1)}`, () =>
        onMachine([never], async (machine) => {
          const { environment, workspace, log, args } = machine;
          const hook = temporaryWorkspace();
          hook.place('hook.cjs', signalledAtLock(signal));
          const child = spawn(file, ['--require', hook.at('hook.cjs'), cliFile, ...args('Work.')], {
            cwd: workspace.root,
            // Loading takes long, so that modules are still missing when the signal arrives.
            env: { ...environment, NODE_DISABLE_COMPILE_CACHE: '1' },
            stdio: 'ignore',
          });
          const code = await new Promise((resolve) => child.on('close', resolve));
          assert.equal(code, 130);
          assert.equal(fs.existsSync(`${log}.lock`), false, 'the lock is left');
          hook.stop();
        }));

  const push = 'Push to the main branch.\n';
  const hooks = JSON.stringify({ hooks: { PreToolUse: [{ matcher: 'Write', hooks: [{ command: 'true' }] }] } });
  for (const [name, end] of [
    ['Ctrl-C', (person) => person.types('\x03')],
    ['SIGTERM', async (person) => person.kill('SIGTERM')],
  ] as const satisfies readonly [string, (person: ReturnType<typeof sitDown>) => Promise<void>][])
    for (const [what, changes, question, second] of [
      [
        'two changed files',
        { 'AGENTS.md': push, '.cursorrules': 'Write long functions.\n' },
        /Use the current version\?/,
        /teaches[^]*teaches/,
      ],
      [
        'hooks and a changed file',
        { '.agent/hooks.json': hooks, 'AGENTS.md': push },
        /Run them in their current version\?/,
        /teaches/,
      ],
    ] as const)
      it(`ends at the first question about ${what}, before the run starts, with ${name}`, () =>
        onMachine([reply('Ready.'), reply('Too late.')], async (machine) => {
          const { workspace, log, server } = machine;
          workspace.place('AGENTS.md', 'Tabs, never spaces.\n');
          workspace.place('.cursorrules', 'Write short functions.\n');
          await machine.run('Begin.');
          for (const [file, text] of Object.entries(changes)) workspace.place(file, text);
          const next = `${log}.next.jsonl`;
          const person = sitDown(machine, 'Go.', '--log', next);
          await person.reads(question);
          await end(person);
          assert.equal(await person.leaves(), 130);
          assert.doesNotMatch(person.seen(), second);
          assert.equal(server.requests.length, 1, 'nothing was begun');
          assert.equal(fs.existsSync(`${next}.lock`), false, 'the lock is left');
        }));
});

describe('a run whose output cannot be written', function () {
  this.timeout(180_000);
  let temporary: TemporaryWorkspace;
  before(function () {
    if (process.platform !== 'linux') this.skip();
    ensureBuilt();
  });
  freshForEach((fresh) => {
    temporary = fresh;
  });

  for (const [name, options] of [
    ['a transcript', []],
    ['events', ['--json']],
  ] as const) {
    it(`stops cleanly and says so if the disk is full: ${name}`, () =>
      onMachine(busy, async (machine) => {
        const { code, stderr } = await inBash(
          machine,
          temporary,
          '"$@" > /dev/full',
          machine.args('Work.', ...options),
        );
        assert.equal(code, 130, stderr);
        assert.match(stderr, /^The disk is full: the output cannot be written\.$/m);
        assert.doesNotMatch(stderr, /^ +at /m);
        assert.match(lastEvent(machine), /^stopped: The disk is full: the output cannot be written\./);
        await leavesNothing(machine, temporary);
      }));

    it(`stops cleanly if its reader closes the pipe: ${name}`, () =>
      onMachine(busy, async (machine) => {
        const { stdout, stderr } = await inBash(
          machine,
          temporary,
          '"$@" | head -n 3; echo "code ${PIPESTATUS[0]}"',
          machine.args('Work.', ...options),
        );
        assert.match(stdout, /^code 130$/m);
        assert.doesNotMatch(stderr, /^ +at /m);
        assert.match(lastEvent(machine), /^stopped: Nobody reads the output any more\./);
        await leavesNothing(machine, temporary);
      }));
  }

  it('stops cleanly if the disk fills up during the run, and all lines before that are complete', async function () {
    const disk = smallDisk();
    if (!disk) {
      this.test!.title += ' (a disk cannot be mounted here)';
      return this.skip();
    }
    try {
      const long = Array.from({ length: 20 }, (_, index) =>
        toolCall('run_command', { command: `echo ${index}; seq 2000` }),
      );
      await onMachine(long, async (machine) => {
        disk.fill(60_000);
        const { code, stderr } = await inBash(
          machine,
          temporary,
          `"$@" > '${disk.folder}/events.jsonl'`,
          machine.args('Work.', '--json'),
        );
        assert.equal(code, 130, stderr);
        assert.match(lastEvent(machine), /^stopped: The disk is full/);
        const lines = fs.readFileSync(path.join(disk.folder, 'events.jsonl'), 'utf8').split('\n').slice(0, -1);
        assert.deepEqual(
          lines.map((line) => (JSON.parse(line) as { seq: number }).seq),
          lines.map((_, index) => index),
        );
        assert.ok(lines.length > 3);
        await leavesNothing(machine, temporary);
      });
    } finally {
      disk.stop();
    }
  });

  it('fails if only the end of its output cannot be written', async function () {
    const disk = smallDisk();
    if (!disk) {
      this.test!.title += ' (a disk cannot be mounted here)';
      return this.skip();
    }
    try {
      await onMachine(
        [
          () => {
            disk.fill(0);
            return reply('Done. '.repeat(3000));
          },
        ],
        async (machine) => {
          const { code, stderr } = await inBash(
            machine,
            temporary,
            `"$@" > '${disk.folder}/events.jsonl'`,
            machine.args('Work.', '--json'),
          );
          assert.ok(code === 1 || code === 130, `${code} ${stderr}`);
          assert.match(stderr, /The disk is full: the output cannot be written\./);
          await leavesNothing(machine, temporary);
        },
      );
    } finally {
      disk.stop();
    }
  });

  const finish = toolCall('finish', { summary: 'It is done.' });
  // A run reports on stderr whether it has a sandbox, so that something is printed.
  for (const [name, line] of [
    ['closed', '"$@" 2>&-'],
    ['full', '"$@" 2> /dev/full'],
    ['a pipe that nobody reads', '{ "$@" 2>&1 >&3 3>&- | true; exit "${PIPESTATUS[0]}"; } 3>&1'],
  ] as const) {
    it(`continues silently if stderr is ${name}`, () =>
      onMachine([toolCall('run_command', { command: 'echo hello' }), finish], async (machine) => {
        const { code, stdout } = await inBash(machine, temporary, line, machine.args('Work.'));
        assert.equal(code, 0, stdout);
        assert.match(stdout, /It is done\./);
        assert.match(lastEvent(machine), /^submitted/);
        await leavesNothing(machine, temporary);
      }));

    it(`reports that consent is needed by its exit code if stderr is ${name}`, () =>
      onMachine([toolCall('run_command', { command: 'rm -rf precious' })], async (machine) => {
        machine.workspace.place('precious/file.txt', 'x');
        const { code } = await inBash(machine, temporary, line, machine.args('Work.'));
        assert.equal(code, 3);
        assert.ok(machine.workspace.names().includes('precious'));
      }));
  }

  it('continues if both stdout and stderr are closed, because its log is kept', () =>
    onMachine([toolCall('run_command', { command: 'echo hello' }), finish], async (machine) => {
      assert.equal((await inBash(machine, temporary, '"$@" >&- 2>&- <&-', machine.args('Work.'))).code, 0);
      assert.match(lastEvent(machine), /^submitted/);
      await leavesNothing(machine, temporary);
    }));
});

describe('a command with long output', function () {
  this.timeout(180_000);
  before(function () {
    if (process.platform !== 'linux') this.skip();
    ensureBuilt();
  });

  it('says that the disk is full, and returns the same exit code if stderr is full as well', () =>
    onMachine([toolCall('run_command', { command: 'seq 20000' }), reply('Done.', afterLongOutput)], async (machine) => {
      const { log, workspace, run } = machine;
      await run('Count.', '--sandbox', 'off');
      const temporary = temporaryWorkspace();
      const commands = [
        ['inspect', log],
        ['inspect', log, '--json'],
        ['inspect', log, '--step', '1'],
        ['export', log, '--to', 'openai', '--out', '-'],
        ['assess', 'ls'],
        ['skills', '--json'],
        ['hooks'],
        ['mcp', '--json'],
        ['replay', log, '--cwd', workspace.root, '--sandbox', 'off'],
        ['--help'],
      ];
      for (const args of commands) {
        const full = await inBash(machine, temporary, '"$@" > /dev/full', args);
        const code = args[0] === 'replay' ? 130 : 1; // it has a copy of the folder, so it is stopped
        assert.deepEqual(
          [full.code, full.stderr.trim().split('\n').at(-1)],
          [code, 'The disk is full: the output cannot be written.'],
          args.join(' '),
        );
        assert.doesNotMatch(full.stderr, /^ +at /m);
        const quiet = await inBash(machine, temporary, '"$@" > /dev/full 2> /dev/full', args);
        assert.equal(quiet.code, code, args.join(' '));
      }
      assert.deepEqual(temporary.names(), []);
      temporary.stop();
    }));
});

describe('the source files of the command line', () => {
  it('print only through output.ts', () => {
    const folder = path.join(process.env['REPOSITORY']!, 'src/cli');
    const printing = fs
      .readdirSync(folder, { recursive: true, encoding: 'utf8' })
      // The entry point imports nothing, so that it can report a missing part.
      .filter((name) => name.endsWith('.ts') && name !== 'waymark.ts')
      .filter((name) =>
        /(?:process\.(?:stdout|stderr)\.write|console\.\w+)\(/.test(fs.readFileSync(path.join(folder, name), 'utf8')),
      );
    assert.deepEqual(printing, []);
  });
});
