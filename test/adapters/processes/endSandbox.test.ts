import { strict as assert } from 'node:assert';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chainFrom, childPids, endSandbox, processEntry } from '../../../src/adapters/processes/processTree';

const inSandbox = ['--unshare-pid', '--die-with-parent', '--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev'];
const isGone = (pid: number): boolean => [undefined, 'Z', 'X'].includes(processEntry(pid)?.state);

/** Returns all descendants of a process. */
function below(pid: number): number[] {
  const children = childPids(pid);
  return [...children, ...children.flatMap(below)];
}

/** Resolves when the condition is true. The test's timeout ends the wait. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe('ending a sandbox', () => {
  const started: ChildProcess[] = [];

  after(() => {
    for (const child of started) child.kill('SIGKILL');
  });

  function start(program: string, ...words: string[]): ChildProcess {
    const child = spawn(program, words, { stdio: 'ignore' });
    started.push(child);
    return child;
  }

  it('ends all its processes, including those that left their shell’s process tree', async function () {
    this.timeout(60_000);
    const canRun = spawnSync('bwrap', [...inSandbox, 'true']).status === 0;
    if (!canRun) {
      console.log('      skipped: bubblewrap does not run here');
      return this.skip();
    }
    const script = 'setsid sh -c "sleep 1000 & sleep 1000" & sleep 1000 & sleep 1000';
    const { pid } = start('bwrap', ...inSandbox, 'sh', '-c', script);
    await until(() => below(pid!).length >= 7);
    const living = [pid!, ...below(pid!)];
    assert.equal(await endSandbox(chainFrom(pid!)), true);
    assert.deepEqual(
      living.filter((each) => !isGone(each)),
      [],
    );
  });

  it('ends no process outside a sandbox', async function () {
    this.timeout(60_000);
    if (process.platform !== 'linux') return this.skip();
    const { pid } = start('sh', '-c', 'sleep 1000; true');
    await until(() => childPids(pid!).length === 1);
    assert.equal(await endSandbox(chainFrom(pid!)), false);
    assert.equal(isGone(pid!), false);
  });
});
