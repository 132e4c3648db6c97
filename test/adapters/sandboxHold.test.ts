import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { AgentTerminal } from '../../src/adapters/agentTerminal';
import { findSandbox } from '../../src/adapters/sandbox';
import { commandOptions, temporaryFolder, until } from '../contracts/terminal.contract';
import { accounts, sandboxed } from './support/sandboxedCommands';

/** Puts one of two scripts into the place of a third, as often as it can, until the file `stop` is there. */
const swapper = `
const fs = require('node:fs');
for (let count = 0; ; count++) {
  fs.linkSync(count % 2 ? 'good.sh' : 'evil.sh', 'next.sh');
  fs.renameSync('next.sh', 'script.sh');
  if (count === 100) fs.writeFileSync('swapping', '');
}
`;
/** The same by a shell: a program of Node 24 holds an io_uring, beside which nothing is let out. */
const swap = 'for each in good evil; do ln $each.sh next.sh; mv next.sh script.sh; done';
const swappingShell = `while :; do ${swap}; touch swapping; done & while [ ! -e swapping ]; do sleep 0.05; done`;
const scripts = { 'swapper.js': swapper, 'good.sh': 'echo good\n', 'evil.sh': 'echo evil\n', 'script.sh': 'echo good\n' };
const said = (checked: string): string => checked.replace('echo ', '');

describe('while a command is checked and runs outside', function () {
  this.timeout(120_000);
  before(async function () { if ('none' in await findSandbox([temporaryFolder()])) this.skip(); }); // on this machine no sandbox can be made

  const terminals: AgentTerminal[] = [];
  afterEach(async () => { for (const terminal of terminals.splice(0)) await terminal.dispose(); });
  const open = (cwd = temporaryFolder()): AgentTerminal => {
    const terminal = new AgentTerminal({ cwd, folders: [cwd], wanted: 'on', outputFolder: temporaryFolder(), shell: '/bin/bash' });
    terminals.push(terminal);
    return terminal;
  };
  const withScripts = (): string => {
    const cwd = temporaryFolder();
    for (const [name, text] of Object.entries(scripts)) fs.writeFileSync(path.join(cwd, name), text);
    return cwd;
  };
  const attack = async (terminal: AgentTerminal, cwd: string): Promise<void> => {
    await terminal.run(`'${process.execPath}' swapper.js & while [ ! -e swapping ]; do sleep 0.05; done`, commandOptions());
    assert.ok(fs.existsSync(path.join(cwd, 'swapping')), 'nothing swaps');
  };

  for (const account of accounts) {
    it(`a background process of ${account.name} swaps nothing`, async () => {
      const tries = Array.from({ length: 25 }, () => ({ outside: 'bash script.sh; sleep 0.02; bash script.sh', checked: 'script.sh' }));
      const { results: [, ...ran] } = await sandboxed(account, [swappingShell, ...tries], { files: scripts });
      for (const { checked, output, refused } of ran) {
        assert.equal(refused, undefined);
        assert.equal(output, said(checked!).repeat(2));
      }
    });
  }

  it('would be fooled without that', async () => {
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

  // Each would have the system itself wake it: by a timer, by the use of a folder or a file, by input.
  const wakers = {
    timer: "import ctypes, struct\nlib = ctypes.CDLL(None)\ntimer = ctypes.c_void_p()\nlib.timer_create(1, struct.pack('<Qii', 0, 18, 0) + bytes(48), ctypes.byref(timer))\nlib.timer_settime(timer, 0, struct.pack('<qqqq', 0, 10**7, 0, 10**7), None)",
    folder: "folder = os.open('.', os.O_RDONLY)\nfcntl.fcntl(folder, 10, 18)\nfcntl.fcntl(folder, fcntl.F_NOTIFY, 0x80000007)",
    lease: "leased = os.open('leased', os.O_RDWR | os.O_CREAT)\nfcntl.fcntl(leased, 10, 18)\nfcntl.fcntl(leased, fcntl.F_SETLEASE, fcntl.F_WRLCK)",
    input: "reading, writing = os.pipe()\nfcntl.fcntl(reading, fcntl.F_SETOWN, os.getpid())\nfcntl.fcntl(reading, 10, 18)\nfcntl.fcntl(reading, fcntl.F_SETFL, os.O_ASYNC)",
  };
  for (const [what, text] of Object.entries(wakers)) {
    it(`nothing leaves beside a program that a ${what} would wake`, async function () {
      const cwd = temporaryFolder();
      fs.writeFileSync(path.join(cwd, 'waker.py'), `import fcntl, os, signal, time\nsignal.signal(18, lambda *_: None)\n${text}\nopen('ready', 'w').close()\nwhile True: time.sleep(0.01)\n`);
      const terminal = open(cwd);
      if ((await terminal.run('python3 -c "import ctypes"', commandOptions())).exitCode !== 0) this.skip(); // there is no Python
      await terminal.run('python3 waker.py & while [ ! -e ready ] && kill -0 $!; do sleep 0.05; done', commandOptions());
      assert.ok(fs.existsSync(path.join(cwd, 'ready')), 'it did not begin');
      await assert.rejects(terminal.hold(), /^Error: The command was not run: “python3?[^”]*” in the sandbox can go on although it is stopped/);
      await terminal.run('kill -9 $!; wait', commandOptions());
      (await terminal.hold()).release();
      assert.equal((await terminal.run('echo awake', commandOptions())).output, 'awake\n');
    });
  }

  it('a program that lends its memory to its children can be stopped', async function () {
    const cwd = temporaryFolder();
    fs.writeFileSync(path.join(cwd, 'spawns.py'), "import os\nfor count in range(10**9):\n  open('count', 'w').write(str(count))\n  os.waitpid(os.posix_spawn('/bin/true', ['true'], {}), 0)\n");
    const terminal = open(cwd);
    if ((await terminal.run('python3 -c "import os; os.posix_spawn"', commandOptions())).exitCode !== 0) this.skip(); // there is no Python
    await terminal.run('python3 spawns.py & while [ ! -s count ]; do sleep 0.05; done', commandOptions());
    for (let count = 0; count < 10; count++) {
      const hold = await terminal.hold();
      const before = fs.readFileSync(path.join(cwd, 'count'), 'utf8');
      await terminal.outside.run('sleep 0.05', commandOptions());
      assert.equal(fs.readFileSync(path.join(cwd, 'count'), 'utf8'), before);
      hold.release();
    }
  });

  it('sandboxes of other sessions in the same folders swap nothing either, and go on', async () => {
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
