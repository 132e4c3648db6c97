// Starts test/linear/fuzz.ts.
//   npm run fuzz [-- PATTERN …]    FUZZ_JOBS=2 FUZZ_SEED=7 FUZZ_LONG=3
import { runTestProgram } from '../testProgram.mjs';

await runTestProgram('test/linear/fuzz.ts');
