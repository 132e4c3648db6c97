import assert from 'node:assert/strict';
import { createTerminal, type PtyTerminal } from '../../../../src/adapters/terminal/ptyTerminal';
import { process as processes } from '../../../../src/core/tools/hermes/process';
import { terminal } from '../../../../src/core/tools/hermes/terminal';
import { temporaryFolder } from '../../../contracts/terminal.contract';
import { toolBench, type ToolBench } from '../../../support/toolBench';

describe('terminal', () => {
  let shell: PtyTerminal;
  let bench: ToolBench;
  before(() => {
    shell = createTerminal({ cwd: temporaryFolder(), outputFolder: temporaryFolder(), shell: '/bin/bash' });
    bench = toolBench(shell);
    bench.place('sub dir/file', 'x');
  });
  after(async () => {
    await shell.dispose();
    bench.stop();
  });

  it('keeps folder and variables, but not those of a command with its own folder', async () => {
    await bench.use(terminal, { command: `cd '${bench.root}' && KEPT=yes` });
    assert.match(
      (await bench.use(terminal, { command: 'ls; INNER=1', workdir: 'sub dir' })).content,
      /^file\n\[exit code 0\]$/,
    );
    assert.match(
      (await bench.use(terminal, { command: 'echo "$KEPT ${INNER-none}"; ls -d *' })).content,
      /^yes none\nsub dir\n/,
    );
  });

  it('fails with the command, and keeps what a late one printed', async () => {
    assert.equal((await bench.use(terminal, { command: 'false' })).failed, true);
    const late = await bench.use(terminal, { command: 'echo begun; sleep 60', timeout: 0.3 });
    assert.equal(late.timedOut, true);
    assert.match(
      late.content,
      /^begun\n\[stopped after 0\.3 s without finishing; give a longer timeout, or set background/,
    );
  });

  it('is judged with the folder it goes to, and allowed with it', () => {
    const call = terminal.bind({ command: 'rm -rf x', workdir: "/it's" });
    assert.equal(call.touches.command, "cd -- '/it'\\''s' && rm -rf x");
    assert.notEqual(call.allowKey, terminal.bind({ command: 'rm -rf x' }).allowKey);
  });

  it('leaves a command running, which process can see, wait for and end', async () => {
    const begun = await bench.use(terminal, { command: 'echo ready; sleep 300', background: true });
    const pid = Number(/Process (\d+) keeps running/.exec(begun.content)?.[1]);
    assert.ok(pid > 1, begun.content);
    assert.match((await bench.use(processes, { action: 'list' })).content, new RegExp(`${pid} Running`));
    assert.match((await bench.use(processes, { action: 'poll', pid })).content, /^running\n/);
    assert.match((await bench.use(processes, { action: 'kill', pid })).content, /exit code 0/);
    await bench.use(processes, { action: 'wait', pid });
    assert.match((await bench.use(processes, { action: 'poll', pid })).content, /^over\n/);
  });

  it('says how a background command ended when it is waited for', async () => {
    const begun = await bench.use(terminal, { command: 'sleep 0.5; exit 7', background: true });
    const pid = Number(/Process (\d+)/.exec(begun.content)?.[1]);
    assert.match((await bench.use(processes, { action: 'wait', pid })).content, /exit code 7/);
  });

  it('leaves a program running that it waits for in vain, although that program heeds interrupts', async () => {
    const program = `node -e "process.on('SIGINT', () => process.exit(0)); console.log('up'); setTimeout(() => {}, 60000)"`;
    const begun = await bench.use(terminal, { command: program, background: true });
    const pid = Number(/Process (\d+)/.exec(begun.content)?.[1]);
    await bench.use(terminal, { command: 'sleep 1' });
    assert.match(
      (await bench.use(processes, { action: 'wait', pid, timeout: 0.5 })).content,
      /still running after 0\.5 s/,
    );
    assert.match((await bench.use(terminal, { command: 'sleep 60', timeout: 0.5 })).content, /stopped after 0\.5 s/);
    assert.match((await bench.use(processes, { action: 'poll', pid })).content, /^running\n/);
    await bench.use(processes, { action: 'kill', pid });
  });

  it('returns if what was typed ends without Enter', async () => {
    const program = `node -e "require('readline').createInterface(process.stdin, process.stdout).question('Sure? ', (a) => { console.log('got ' + a); process.exit(); })"`;
    await bench.use(terminal, { command: program, pty: true });
    const typed = await bench.use(processes, { action: 'write', data: 'n', timeout: 20 });
    assert.match(typed.content, /waiting for input/);
    assert.match((await bench.use(processes, { action: 'submit', data: '' })).content, /got n/);
  });

  it('types into a command that waits for input', async () => {
    const asks = await bench.use(terminal, { command: 'read -p "Name? " name; echo "Hello $name"', pty: true });
    assert.match(asks.content, /waiting for input; answer with process/);
    assert.match((await bench.use(processes, { action: 'submit', data: 'Ada' })).content, /Hello Ada/);
  });

  it('judges what is typed and what is run', () => {
    assert.equal(processes.bind({ action: 'submit', data: 'rm -rf /' }).touches.command, 'rm -rf /\n');
    assert.equal(processes.bind({ action: 'kill', pid: 5 }).touches.command, 'kill 5');
    for (const bad of [
      { action: 'kill' },
      { action: 'poll' },
      { action: 'write' },
      { action: 'kill', pid: -1 },
      { action: 'kill', pid: 1.5 },
    ])
      assert.throws(() => processes.bind(bad), /Invalid input/);
  });
});
