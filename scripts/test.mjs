// `npm test`: downloads what is missing, then runs all checks, even after failures, so that one run shows everything
// that is wrong. A failed test runs once more at the end, alone; if it then passes, it is listed as flaky and does not
// fail the run, except with --strict.
//   npm test -- [--only types,unit] [--grep TEXT] [--strict] [folder or file of tests …]
import { parseArgs } from 'node:util';
import { ensurePackages } from './host/packages.mjs';
import { ensureChromium } from './host/chromium.mjs';
import { ensureTools } from './host/tools.mjs';
import { root } from './repository.mjs';
import { runStages } from './runStages.mjs';
import { chooseStages } from './stages.mjs';

process.on('uncaughtException', (error) => {
  console.error(error.stack);
  process.exit(1);
});
const tellThatNothingRan = () => console.log('\nNo stage was begun.\n0 passed, 1 failed');
process.once('exit', tellThatNothingRan);

const {
  values: { only = '', grep, strict = false },
  positionals: places,
} = parseArgs({
  options: { only: { type: 'string' }, grep: { type: 'string' }, strict: { type: 'boolean' } },
  allowPositionals: true,
});
const stages = chooseStages(only.split(',').filter(Boolean), places);
const [{ node }] = await Promise.all([ensureTools(), ensureChromium(), ensurePackages(root)]);
process.off('exit', tellThatNothingRan);
const isWell = await runStages(stages, { root, node, grep, strict });
process.exit(isWell ? 0 : 1);
