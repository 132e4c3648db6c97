import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { createTerminal, type PtyTerminal } from '../../src/adapters/terminal/ptyTerminal';
import { commandOptions, temporaryFolder, until } from '../contracts/terminal.contract';
import { exitCode } from '../../src/cli/run/exitCode';
import { scriptedModel } from '../../src/adapters/models/scriptedModel';
import { beginSession, workPlace } from '../support/realSession';
import { smallDisk, type SmallDisk } from './support/smallDisk';

describe('fault 44: a disk that is full when a command prints', () => {
  let disk: SmallDisk | undefined, terminal: PtyTerminal, cwd: string, notices: string[];

  beforeEach(function () {
    disk = smallDisk();
    if (!disk) {
      this.currentTest!.title += ' (a disk cannot be mounted here)';
      this.skip();
    }
    [cwd, notices] = [temporaryFolder(), []];
    terminal = createTerminal({
      cwd,
      outputFolder: path.join(disk.folder, 'outputs'),
      shell: '/bin/sh',
      onNotice: (text) => notices.push(text),
    });
  });
  afterEach(async () => {
    await terminal?.dispose();
    disk?.stop();
  });

  const command = 'echo line >> made.txt; echo ok';

  it('delays the command until there is room; it then runs normally', async () => {
    disk!.fill(0);
    const running = terminal.run(command, commandOptions());
    await until(() =>
      notices.some((text) => /disk is full: there is no space.*waits and then continues by itself/.test(text)),
    );
    assert.equal(fs.existsSync(path.join(cwd, 'made.txt')), false);
    disk!.free();
    const { end, exitCode, output, note } = await running;
    assert.deepEqual({ end, exitCode, output, note }, { end: 'exited', exitCode: 0, output: 'ok\n', note: undefined });
    assert.match(notices.at(-1)!, /space .* again; the run continues/);
  });

  it('does not delay stopping the run', async () => {
    disk!.fill(0);
    const stop = new AbortController();
    const running = terminal.run(command, commandOptions({ signal: stop.signal }));
    await until(() => notices.some((text) => text.includes('disk is full')));
    stop.abort();
    assert.deepEqual(
      [(await running).note, fs.existsSync(path.join(cwd, 'made.txt'))],
      ['The command was not started.', false],
    );
  });

  it('ends the run with what to do if nobody is there and the disk stays full, and the command did not run', async () => {
    disk!.fill(0);
    const place = workPlace();
    const { root } = place.workspace;
    const outputFolder = path.join(disk!.folder, 'outputs');
    const unattended = createTerminal({ cwd: root, outputFolder, shell: '/bin/sh', maxRoomWaitMs: 500 });
    try {
      const model = scriptedModel([{ call: { tool: 'run_command', input: { command } } }, { say: 'Never reached.' }]);
      const environment = { ...place.environment, terminal: unattended };
      const session = await beginSession({ ...place, environment }, model, 'Add a line.');
      const history = await session.rested();
      await session.close();
      const observed = history.find((event) => event.type === 'observation');
      assert.deepEqual([observed?.outcome, fs.existsSync(path.join(root, 'made.txt'))], ['error', false]);
      assert.match(observed!.content, /The disk is full.*The command was not started/i);
      const { code } = exitCode({ history, log: session.file, again: [] });
      assert.equal(code, 1);
      const end = history.at(-1);
      assert.ok(end?.type === 'finished' && end.status === 'failed', JSON.stringify(end));
      assert.match(JSON.stringify(end.problem), /disk is full.*no space for the output.*Free some space/);
    } finally {
      await unattended.dispose();
      await place.stop();
    }
  });

  for (const tty of [false, true]) {
    it(`is reported if it filled while the command ran${tty ? ' on a terminal' : ''}, and the exit code is kept`, async () => {
      const { exitCode, note } = await terminal.run(
        `head -c 400000 /dev/zero | tr '\\0' x; exit 7`,
        commandOptions({ tty }),
      );
      assert.deepEqual(
        [exitCode, note?.includes('The disk is full: parts of the output may be missing.')],
        [7, true],
        note,
      );
    });
  }
});
