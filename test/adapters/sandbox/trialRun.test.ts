import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { findSandbox } from '../../../src/adapters/sandbox/findSandbox';
import { temporaryFolder } from '../../contracts/terminal.contract';
import { withBubblewrap } from '../support/sandboxedCommands';

describe('the test whether a sandbox works', function () {
  this.timeout(60_000);
  before(async function () {
    if ('none' in (await findSandbox([temporaryFolder()]))) this.skip(); // this machine does not support a sandbox
  });

  /** A bubblewrap of which the first `times` runs do this. The file lists its runs, one line each. */
  const failing = (times: number, what: string): { environment: NodeJS.ProcessEnv; runs: string } => {
    const folder = temporaryFolder();
    const runs = path.join(folder, 'runs');
    const script = `#!/bin/sh\necho run >> '${runs}'\nif [ $(wc -l < '${runs}') -le ${times} ]; then ${what}; fi\nexec BWRAP "$@"\n`;
    return { environment: withBubblewrap(script), runs };
  };
  const find = async (environment: NodeJS.ProcessEnv) => findSandbox([temporaryFolder()], { environment });
  const unknown = "echo 'bwrap: Something went wrong' >&2; exit 1";

  it('runs again after a failure for an unknown reason', async () => {
    const { environment } = failing(1, unknown);
    assert.ok('sandbox' in (await find(environment)));
  });

  it('gives the reason if it fails every time', async () => {
    const { environment, runs } = failing(100, unknown);
    const found = await find(environment);
    // Without root's rights, less is tried as well.
    const ways = process.getuid!() === 0 ? 1 : 2;
    assert.match('none' in found ? found.none : '', /^bubblewrap does not work here \(bwrap: Something went wrong\)/);
    assert.equal(fs.readFileSync(runs, 'utf8').split('\n').length - 1, 2 * ways);
  });

  for (const [what, end] of [
    ['it', 'kill -KILL $$'],
    ['a program inside', 'exit 137'],
  ] as const)
    it(`does not conclude that there is no sandbox if the system killed ${what}`, async () => {
      const { environment } = failing(1, end);
      const first = await find(environment);
      assert.equal('none' in first && first.exhausted, true);
      assert.ok('sandbox' in (await find(environment)), 'the next command can have one');
    });
});
