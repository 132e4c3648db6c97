import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import { startTask } from '../../../src/adapters/batch/taskProcess';
import { removeLeftovers } from '../../../src/cli/batch/taskEnd';
import { temporaryWorkspace } from '../../support/temporaryWorkspace';

const nobody = 65_534;

describe('the copy of a task', () => {
  it('does not end the batch if this account cannot remove it', function () {
    if (process.platform === 'win32') return this.skip();
    const workspace = temporaryWorkspace();
    const isRoot = process.getuid!() === 0;
    workspace.place('copy/made/file', 'by root of a container');
    fs.chmodSync(workspace.at('copy/made'), 0o555);
    try {
      if (isRoot) process.seteuid!(nobody);
      try {
        removeLeftovers(workspace.at('copy'), { code: null, signal: 'SIGKILL', stderr: '', timedOut: true });
      } finally {
        if (isRoot) process.seteuid!(0);
      }
      assert.ok(fs.existsSync(workspace.at('copy/made/file')), 'it could not be removed');
    } finally {
      fs.chmodSync(workspace.at('copy/made'), 0o755);
      workspace.stop();
    }
  });
});

describe('a task process', () => {
  it('starts no timer if it is stopped after it has ended', async () => {
    const onTold = (): void => undefined;
    const task = startTask({ program: ['-e', '0'], job: {}, timeoutMs: 60_000, memory: 64, onTold });
    await task.ended;
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    task.stop();
    assert.equal(timers(), before);
  });
});
