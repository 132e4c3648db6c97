import assert from 'node:assert/strict';
import { createTerminal, type PtyTerminal } from '../../../../src/adapters/terminal/ptyTerminal';
import { finishWithMessage } from '../../../../src/core/tools/openhands/finish';
import { terminalWithInput } from '../../../../src/core/tools/openhands/terminal';
import { temporaryFolder } from '../../../contracts/terminal.contract';
import { toolBench, type ToolBench } from '../../../support/toolBench';

describe('terminal under the names of OpenHands', () => {
  let shell: PtyTerminal;
  let bench: ToolBench;
  before(() => {
    shell = createTerminal({ cwd: temporaryFolder(), outputFolder: temporaryFolder(), shell: '/bin/bash' });
    bench = toolBench(shell);
  });
  after(async () => {
    await shell.dispose();
    bench.stop();
  });

  it('keeps the shell until it is reset, which leads back to the workspace, unless a command is given with it', async () => {
    await bench.use(terminalWithInput, { command: 'cd /; KEPT=yes' });
    assert.match((await bench.use(terminalWithInput, { command: 'echo $KEPT; pwd' })).content, /^yes\n\/\n/);
    assert.equal(
      (await bench.use(terminalWithInput, { command: 'echo ${KEPT-gone}; pwd', reset: true })).content,
      'gone\n/\n[exit code 0 (folder: /)]',
    );
    assert.match((await bench.use(terminalWithInput, { command: '', reset: true })).content, /This is a new shell/);
    assert.equal((await bench.use(terminalWithInput, { command: 'pwd' })).content, `${bench.root}\n[exit code 0]`);
  });

  it('types a line or a key into what waits', async () => {
    await shell.run('true', { timeoutMs: 5000, tty: false, signal: new AbortController().signal });
    const asks = 'printf "Name? " >/dev/tty; read name </dev/tty; echo "Hello $name"';
    assert.match(
      (await bench.use(terminalWithInput, { command: asks })).content,
      /waiting for input; answer with is_input/,
    );
    assert.match((await bench.use(terminalWithInput, { command: 'Ada', is_input: true })).content, /Hello Ada/);
    await bench.use(terminalWithInput, { command: asks });
    const ended = await bench.use(terminalWithInput, { command: 'C-c', is_input: true });
    assert.equal(ended.failed, true);
    assert.doesNotMatch(ended.content, /Hello/);
    await assert.rejects(bench.use(terminalWithInput, { command: '', is_input: false }), /No command is waiting/);
  });

  it('is judged by what it runs or types; a key harms nothing', () => {
    assert.equal(terminalWithInput.bind({ command: 'npm test' }).allowKey, 'npm test');
    assert.equal(terminalWithInput.bind({ command: 'rm -rf /', is_input: true }).touches.command, 'rm -rf /');
    assert.equal(terminalWithInput.bind({ command: 'C-c', is_input: true }).touches.command, ':');
    assert.equal(terminalWithInput.bind({ command: 'rm -rf x', reset: true }).touches.command, 'rm -rf x');
    assert.throws(() => terminalWithInput.bind({ command: 'x', is_input: true, reset: true }), /nothing to type into/);
  });
});

describe('finish with a message', () => {
  it('ends the task with it', async () => {
    const bench = toolBench();
    assert.equal((await bench.use(finishWithMessage, { message: 'Fixed.' })).content, 'Fixed.');
    assert.equal(finishWithMessage.effect, 'ends');
    bench.stop();
  });
});
