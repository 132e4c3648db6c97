// Entry point that VS Code calls inside its extension host. Runs every test/host/*.test.ts and writes the report and
// the figures to files, because the workbench's log mixes lines of many sources.
import Mocha from 'mocha';
import * as fs from 'node:fs';
import { findSourceMap } from 'node:module';
import { format } from 'node:util';

/** Runs the tests that `load` declares. Rejects if a test failed, which reports the failure to VS Code. */
export async function runSuites(load: () => void | Promise<void>): Promise<void> {
  const { WAYMARK_TEST_REPORT: report, WAYMARK_TEST_RESULT: result, WAYMARK_TEST_GREP: grep } = process.env;
  if (report)
    Object.assign(Mocha.reporters.Base, {
      consoleLog: (...parts: unknown[]) => fs.appendFileSync(report, `${format(...parts)}\n`),
    });

  const mocha = new Mocha({
    ui: 'bdd',
    color: false,
    timeout: 120_000,
    reporter: 'spec',
    forbidOnly: true,
    ...(grep && { grep }),
  });
  mocha.suite.emit('pre-require', globalThis as unknown as Mocha.MochaGlobals, 'tests', mocha);
  await load();

  const failing: { name: string; file: string; error: string }[] = [];
  await new Promise<void>((resolve, reject) => {
    const runner = mocha.run((failures) => {
      if (result) fs.writeFileSync(result, JSON.stringify({ ...runner.stats, failing }));
      if (failures > 0) reject(new Error(`${failures} failed`));
      else resolve();
    });
    runner.prependListener('fail', (test: Mocha.Runnable, error: Error) => {
      error.stack = mapped(error.stack ?? '');
      failing.push({ name: test.titlePath().join(' › '), file: '', error: error.stack.slice(0, 1500) });
    });
  });
}

/** The host has its own `Error.prepareStackTrace`, so Node leaves stacks in bundle positions. */
function mapped(stack: string): string {
  return stack.replace(
    /(\/[^\s():]+\.c?js):(\d+):(\d+)/g,
    (whole: string, file: string, line: string, column: string) => {
      const entry = findSourceMap(file)?.findEntry(Number(line) - 1, Number(column) - 1);
      if (!entry || !('originalSource' in entry)) return whole;
      return `${entry.originalSource.replace(/^file:\/\//, '')}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
    },
  );
}
