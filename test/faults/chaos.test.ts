import { strict as assert } from 'node:assert';
import { tryKind } from '../chaos/chaos';
import { faultKinds, type FaultKind } from '../chaos/kinds';
import { ensureBuilt } from '../cli/support/commandLine';

/** `npm run chaos` runs more of each kind, for minutes or hours, and prints a table. */
const wanted = process.env['FAULTS_RUNS'];
const runsOf = ({ name }: FaultKind): number => Number(wanted ?? (name === 'kill' ? 3 : 1));
const seed = Number(process.env['CHAOS_SEED'] ?? 20_261_122);

describe('a run printed line by line while faults happen', function () {
  this.timeout(600_000); // each attempt starts the command line twice
  before(ensureBuilt);

  for (const kind of faultKinds) {
    it(`keeps its output and continues: ${kind.what}`, async function () {
      const missing = kind.missing?.();
      if (missing !== undefined) {
        this.test!.title += ` (${missing})`;
        this.skip();
      }
      for (let index = 0; index < runsOf(kind); index++) {
        const { broken } = await tryKind(kind, seed + index);
        assert.deepEqual(broken, [], `CHAOS_SEED=${seed + index} FAULTS_RUNS=1 npm run chaos -- ${kind.name}`);
      }
    });
  }
});
