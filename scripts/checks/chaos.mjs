// Starts test/chaos/main.ts.
//   npm run chaos [-- KIND …]      CHAOS_SEED=7 FAULTS_RUNS=100 CHAOS_JOBS=2
import { runTestProgram } from '../testProgram.mjs';

await runTestProgram('test/chaos/main.ts');
