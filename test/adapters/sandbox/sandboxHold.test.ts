import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { AgentTerminal, type AgentTerminalOptions } from '../../../src/adapters/terminal/agentTerminal';
import { findSandbox } from '../../../src/adapters/sandbox/findSandbox';
import { commandOptions, temporaryFolder, until } from '../../contracts/terminal.contract';
import { accounts, nodeForAll, sandboxed, withBubblewrap, withoutFilters } from '../support/sandboxedCommands';

/** Replaces a script with one of two others, as often as possible, until the file `stop` exists. */
const swapper = `
const fs = require('node:fs');
for (let count = 0; ; count++) {
  fs.linkSync(count % 2 ? 'good.sh' : 'evil.sh', 'next.sh');
  fs.renameSync('next.sh', 'script.sh');
  if (count === 100) fs.writeFileSync('swapping', '');
}
`;
/** The same with a shell, which waits for its children. */
const swap = 'for each in good evil; do ln $each.sh next.sh; mv next.sh script.sh; done';
const swappingShell = `while :; do ${swap}; touch swapping; done & while [ ! -e swapping ]; do sleep 0.05; done`;
const scripts = {
  'swapper.js': swapper,
  'good.sh': 'echo good\n',
  'evil.sh': 'echo evil\n',
  'script.sh': 'echo good\n',
};
/** Each starts swapping in the background and returns. */
const swappers = {
  'a shell': () => swappingShell,
  'a program of Node': () => `'${nodeForAll()}' swapper.js & while [ ! -e swapping ]; do sleep 0.05; done`,
};
const said = (checked: string): string => checked.replace('echo ', '');

describe('while a command is checked and runs outside', function () {
  this.timeout(120_000);
  before(async function () {
    if ('none' in (await findSandbox([temporaryFolder()]))) this.skip();
  }); // this machine does not support a sandbox

  const terminals: AgentTerminal[] = [];
  afterEach(async () => {
    for (const terminal of terminals.splice(0)) await terminal.dispose();
  });
  const open = (cwd = temporaryFolder(), more: Partial<AgentTerminalOptions> = {}): AgentTerminal => {
    const terminal = new AgentTerminal({
      cwd,
      folders: [cwd],
      wanted: 'on',
      outputFolder: temporaryFolder(),
      shell: '/bin/bash',
      ...more,
    });
    terminals.push(terminal);
    return terminal;
  };
  /** On a system that cannot filter system calls. */
  const openUnfiltered = (cwd: string, onNotice?: (text: string) => void): AgentTerminal => {
    const environment = { ...process.env, ...withBubblewrap(withoutFilters) };
    return open(cwd, { find: () => findSandbox([cwd], { environment }), ...(onNotice && { onNotice }) });
  };
  const needsPython = async (terminal: AgentTerminal, test: Mocha.Context): Promise<void> => {
    const { exitCode } = await terminal.run('python3 -c "import ctypes, fcntl, os; os.posix_spawn"', commandOptions());
    if (exitCode !== 0) test.skip(); // Python is not installed
  };
  const withScripts = (): string => {
    const cwd = temporaryFolder();
    for (const [name, text] of Object.entries(scripts)) fs.writeFileSync(path.join(cwd, name), text);
    return cwd;
  };
  const attack = async (terminal: AgentTerminal, cwd: string): Promise<void> => {
    await terminal.run(
      `'${process.execPath}' swapper.js & while [ ! -e swapping ]; do sleep 0.05; done`,
      commandOptions(),
    );
    assert.ok(fs.existsSync(path.join(cwd, 'swapping')), 'nothing swaps');
  };

  for (const account of accounts) {
    for (const [who, begin] of Object.entries(swappers)) {
      it(`${who} in the background swaps nothing for ${account.name}`, async function () {
        const tries = Array.from({ length: 25 }, () => ({
          outside: 'bash script.sh; sleep 0.02; bash script.sh',
          checked: 'script.sh',
        }));
        const {
          results: [node],
        } = await sandboxed(account, [`'${nodeForAll()}' --version`]);
        if (node!.exitCode !== 0) this.skip(); // the sandbox has its own folder at the path of the Node copy
        const {
          results: [began, ...ran],
        } = await sandboxed(account, [begin(), ...tries], { files: scripts });
        assert.equal(began!.exitCode, 0, began!.output);
        for (const { checked, output, refused } of ran) {
          assert.equal(refused, undefined);
          assert.equal(output, said(checked!).repeat(2));
        }
      });
    }
  }

  it('a script could be swapped if nothing were held', async () => {
    const cwd = withScripts();
    const terminal = open(cwd);
    await attack(terminal, cwd);
    let fooled = false;
    while (!fooled) {
      const checked = fs.readFileSync(path.join(cwd, 'script.sh'), 'utf8');
      const { output } = await terminal.outside.run('bash script.sh', commandOptions());
      fooled = output !== said(checked);
    }
  });

  /** Starts a Python program that calls `awake()` on SIGCONT, and `ready()` when it waits for it. */
  const beginWaker = async (terminal: AgentTerminal, cwd: string, text: string): Promise<void> => {
    const program = `import ctypes, fcntl, os, signal, struct, subprocess, sys, time
lib = ctypes.CDLL(None, use_errno=True)
def awake(*_): open('awake', 'a').close()
def ready(): open('ready', 'w').close()
def timer(number, nanoseconds):
  created = ctypes.c_void_p()
  lib.timer_create(1, struct.pack('<Qii', 0, number, 0) + bytes(48), ctypes.byref(created))
  lib.timer_settime(created, 0, struct.pack('<qqqq', 0, nanoseconds, 0, nanoseconds), None)
def wait():
  while True: time.sleep(0.01)
signal.signal(signal.SIGCONT, awake)
${text}
`;
    fs.writeFileSync(path.join(cwd, 'waker.py'), program);
    await terminal.run('python3 waker.py & while [ ! -e ready ] && kill -0 $!; do sleep 0.05; done', commandOptions());
    assert.ok(fs.existsSync(path.join(cwd, 'ready')), 'it did not begin');
  };
  const cannotBeHeld = async (terminal: AgentTerminal): Promise<void> => {
    await assert.rejects(
      terminal.hold(),
      // On a busy machine, a timer wakes it before it is found stopped.
      /^Error: The command was not run: “python3?[^”]*” in the sandbox (?:can continue although it is|could not be) stopped/,
    );
    await terminal.run('kill -9 $!; wait', commandOptions());
    (await terminal.hold()).release();
    assert.equal((await terminal.run('echo awake', commandOptions())).output, 'awake\n');
  };

  // Each tries to be woken by the system itself: by access to a folder or a file, or by input.
  const files = {
    folder: "used = os.open('.', os.O_RDONLY)\nSIGNAL\nfcntl.fcntl(used, fcntl.F_NOTIFY, 0x80000007)",
    lease:
      "used = os.open('leased', os.O_RDWR | os.O_CREAT)\nSIGNAL\nfcntl.fcntl(used, fcntl.F_SETLEASE, fcntl.F_WRLCK)",
    input:
      'used, writing = os.pipe()\nfcntl.fcntl(used, fcntl.F_SETOWN, os.getpid())\nSIGNAL\nfcntl.fcntl(used, fcntl.F_SETFL, os.O_ASYNC)',
  };
  const ask = (number: number): string => `fcntl.fcntl(used, 10, ${number})`;
  for (const [what, text] of Object.entries(files)) {
    it(`no command leaves the sandbox beside a program that a ${what} would wake, if no calls can be refused`, async function () {
      const cwd = temporaryFolder();
      const terminal = openUnfiltered(cwd);
      await needsPython(terminal, this);
      await beginWaker(terminal, cwd, `${text.replace('SIGNAL', ask(18))}\nready()\nwait()`);
      await cannotBeHeld(terminal);
    });

    it(`a program cannot request the waking signal for a ${what}, so it can be held`, async function () {
      const cwd = temporaryFolder();
      const terminal = open(cwd);
      await needsPython(terminal, this);
      const found = await terminal.find();
      if (!('sandbox' in found && found.sandbox.refusesCalls)) this.skip(); // this system cannot filter calls
      const asking = [18, 9]
        .map((number) => `try:\n  ${ask(number)}\n  sys.exit(1)\nexcept PermissionError: pass\n`)
        .join('');
      await beginWaker(
        terminal,
        cwd,
        `${text.replace('SIGNAL', `${asking}${ask(0)}\nsignal.signal(signal.SIGIO, awake)`)}\nready()\nwait()`,
      );
      const hold = await terminal.hold();
      fs.rmSync(path.join(cwd, 'awake'), { force: true });
      const use = { folder: 'touch other', lease: 'timeout 0.2 cat leased', input: 'true' };
      await terminal.outside.run(`${use[what as keyof typeof use]}; sleep 0.2`, commandOptions());
      assert.equal(fs.existsSync(path.join(cwd, 'awake')), false);
      hold.release();
    });
  }

  // An ending program wakes stopped ones: its children if they asked for it, and its process group when it becomes
  // orphaned.
  const endedWith = (child: string): string =>
    `if os.fork() == 0:\n  ${child}\n  ready()\n  wait()\ntimer(9, 30 * 10**9)\nwait()`;
  const timers = {
    'that a timer would wake': 'timer(18, 10**7)\nready()\nwait()',
    'that a timer would end, which wakes its children': endedWith('lib.prctl(1, signal.SIGCONT)'),
    'that a timer would end, which wakes its group': endedWith(
      'os.setpgid(0, 0)\n  signal.signal(signal.SIGHUP, awake)',
    ),
  };
  for (const [which, text] of Object.entries(timers)) {
    it(`no command leaves the sandbox beside a program ${which}`, async function () {
      const cwd = temporaryFolder();
      const terminal = open(cwd);
      await needsPython(terminal, this);
      await beginWaker(terminal, cwd, text);
      await cannotBeHeld(terminal);
    });
  }

  it('a notice explains missing call filtering, and nothing leaves the sandbox beside io_uring', async function () {
    const cwd = temporaryFolder();
    const notices: string[] = [];
    const terminal = openUnfiltered(cwd, (text) => notices.push(text));
    await needsPython(terminal, this);
    assert.deepEqual(
      notices.filter((text) => text.includes('io_uring')),
      [
        'The sandbox cannot refuse system calls on this system. While a program in it uses io_uring, as Node 24 does, or watches files by signals, no command can run outside the sandbox.',
      ],
    );
    const began = await terminal.run(
      'python3 -c "import ctypes; exit(ctypes.CDLL(None).syscall(425, 8, bytes(256)) < 0)"',
      commandOptions(),
    );
    if (began.exitCode !== 0) this.skip(); // the kernel has no io_uring
    await beginWaker(terminal, cwd, 'lib.syscall(425, 8, ctypes.create_string_buffer(256))\nready()\nwait()');
    await cannotBeHeld(terminal);
  });

  it('a program that shares its memory with its children can be paused', async function () {
    const cwd = temporaryFolder();
    fs.writeFileSync(
      path.join(cwd, 'spawns.py'),
      "import os\nfor count in range(10**9):\n  open('count', 'w').write(str(count))\n  os.waitpid(os.posix_spawn('/bin/true', ['true'], {}), 0)\n",
    );
    const terminal = open(cwd);
    await needsPython(terminal, this);
    await terminal.run('python3 spawns.py & while [ ! -s count ]; do sleep 0.05; done', commandOptions());
    for (let count = 0; count < 10; count++) {
      const hold = await terminal.hold();
      const before = fs.readFileSync(path.join(cwd, 'count'), 'utf8');
      await terminal.outside.run('sleep 0.05', commandOptions());
      assert.equal(fs.readFileSync(path.join(cwd, 'count'), 'utf8'), before);
      hold.release();
    }
  });

  it('sandboxes of other sessions in the same folders swap nothing either, and continue', async () => {
    const cwd = withScripts();
    const [other, terminal] = [open(cwd), open(cwd)];
    await other.run(swappingShell, commandOptions());
    for (let count = 0; count < 10; count++) {
      const hold = await terminal.hold();
      const checked = fs.readFileSync(path.join(cwd, 'script.sh'), 'utf8');
      const { output } = await terminal.outside.run('bash script.sh', commandOptions());
      hold.release();
      assert.equal(output, said(checked));
    }
    const inode = fs.statSync(path.join(cwd, 'script.sh')).ino;
    await until(() => fs.statSync(path.join(cwd, 'script.sh')).ino !== inode);
  });
});
