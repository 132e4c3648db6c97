// Runs a suite inside the extension host of code-server: the page is told which extension to load and which file to
// run.
import fs from 'node:fs';
import path from 'node:path';
import { launchBrowser } from './browser.mjs';
import { startServer } from './server.mjs';

/**
 * `extension`: folder of the extension under development; `entry`: a file that exports `run()`; both absolute.
 * `artifacts`: folder for the suite's report, its result and the logs. Returns { stats, report, problem }: mocha's
 * stats (undefined if the suite never ended), its output, and why it did not pass (undefined if it did).
 */
export async function runHostSuite({
  extension,
  entry,
  artifacts,
  timeoutMs = 600_000,
  grep,
  server: serverOptions = {},
}) {
  fs.mkdirSync(artifacts, { recursive: true });
  const resultFile = path.join(artifacts, 'result.json');
  const reportFile = path.join(artifacts, 'report.txt');
  fs.rmSync(resultFile, { force: true });
  fs.writeFileSync(reportFile, '');

  const server = await startServer({
    ...serverOptions,
    testDriver: true,
    env: {
      ...serverOptions.env,
      WAYMARK_TEST_RESULT: resultFile,
      WAYMARK_TEST_REPORT: reportFile,
      ...(grep && { WAYMARK_TEST_GREP: grep }),
    },
  });
  let browser;
  let problem;
  const workbench = [];
  try {
    browser = await launchBrowser();
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    page.on('pageerror', (error) => workbench.push(`pageerror ${error}`));
    const code = await new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`The suite was not done after ${timeoutMs / 1000} s.`)),
        timeoutMs,
      );
      timer.unref();
      page.on('crash', () => reject(new Error('The page crashed.')));
      void (async () => {
        // The workbench looks for these two on `window` when it starts.
        await page.exposeFunction('codeAutomationLog', (type, args) =>
          workbench.push(`${type} ${args.map(String).join(' ')}`),
        );
        await page.exposeFunction('codeAutomationExit', resolve);
        await page.goto(suiteUrl(server, extension, entry));
      })().catch(reject);
    });
    if (code !== 0) problem = `The suite ended with code ${code}.`;
  } catch (error) {
    problem = error instanceof Error ? error.message : String(error);
    await browser
      ?.contexts()[0]
      ?.pages()[0]
      ?.screenshot({ path: path.join(artifacts, 'failure.png') })
      .catch(() => {});
  } finally {
    await browser?.close().catch(() => {});
    fs.writeFileSync(path.join(artifacts, 'workbench.log'), workbench.join('\n'));
    fs.copyFileSync(server.logFile, path.join(artifacts, 'server.log'));
    await server.stop();
  }

  const stats = fs.existsSync(resultFile) ? JSON.parse(fs.readFileSync(resultFile, 'utf8')) : undefined;
  // A hang, a crash or an empty suite must not look like a pass.
  if (!stats) problem ??= 'The suite wrote no result: it never started, or the extension host ended.';
  else if (stats.tests === 0 && !grep) problem ??= 'The suite has no test.';
  else if (stats.failures > 0) problem ??= `${stats.failures} failed.`;
  return { stats, report: fs.readFileSync(reportFile, 'utf8'), problem };
}

function suiteUrl(server, extension, entry) {
  const remote = (file) => `vscode-remote://${server.authority}${file}`;
  const payload = [
    ['extensionDevelopmentPath', remote(extension)],
    ['extensionTestsPath', remote(entry)],
    ['skipWelcome', 'true'],
    ['skipReleaseNotes', 'true'],
  ];
  return `${server.folderUrl}&${new URLSearchParams({ payload: JSON.stringify(payload) })}`;
}
