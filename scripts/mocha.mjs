// Runs bundled test files with mocha and, where WAYMARK_TEST_RESULT names a file, writes the figures there.
//   node --enable-source-maps scripts/mocha.mjs [--grep TEXT] FILE …
import Mocha from 'mocha';
import fs from 'node:fs';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({ options: { grep: { type: 'string' } }, allowPositionals: true });
const mocha = new Mocha({
  ui: 'bdd', timeout: 30_000, forbidOnly: true, reporter: process.env.MOCHA_REPORTER ?? 'dot', ...(values.grep && { grep: values.grep }),
});
for (const file of positionals) mocha.addFile(file);
await mocha.loadFilesAsync();
const runner = mocha.run(failures => {
  if (process.env.WAYMARK_TEST_RESULT) fs.writeFileSync(process.env.WAYMARK_TEST_RESULT, JSON.stringify(runner.stats));
  // A handle that a test left open must not keep the run alive.
  process.exit(failures > 0 ? 1 : 0);
});
