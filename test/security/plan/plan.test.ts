import { findSandbox } from '../../../src/adapters/sandbox/findSandbox';
import { temporaryFolder } from '../../contracts/terminal.contract';
import { HostileWorld } from '../incidents/hostileWorld';
import { attacks } from './attacks';
import { assertRunsNothing, canBeTried } from './trap';

for (const wanted of ['off', 'on'] as const) {
  describe(`plan mode runs no program of the repository, the sandbox ${wanted}`, function () {
    this.timeout(120_000);
    before(async function () {
      if (wanted === 'on' && 'none' in (await findSandbox([temporaryFolder()]))) this.skip(); // this machine does not support a sandbox
    });

    for (const attack of attacks) {
      it(`${attack.name}: ${attack.command}`, async function () {
        if (!canBeTried(attack)) this.skip(); // the program that the trap needs is not installed
        const world = new HostileWorld();
        try {
          await assertRunsNothing(world, attack, wanted);
        } finally {
          await world.end();
        }
      });
    }
  });
}
