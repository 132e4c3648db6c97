// Desktop VS Code, if there is a screen.
import fs from 'node:fs';
import path from 'node:path';
import { cacheFolder } from './cache.mjs';
import { report } from './report.mjs';

export function hasScreen() {
  return (
    process.platform === 'darwin' ||
    process.platform === 'win32' ||
    Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY)
  );
}

/**
 * Returns the `code` command, unless it is that of a remote window, which cannot load an extension under development.
 */
export function codeCommand() {
  if (!hasScreen() || process.env.VSCODE_IPC_HOOK_CLI) return undefined;
  const name = process.platform === 'win32' ? 'code.cmd' : 'code';
  return (process.env.PATH ?? '')
    .split(path.delimiter)
    .map((folder) => path.join(folder, name))
    .find((file) => fs.existsSync(file));
}

/**
 * Returns the executable of a desktop VS Code: VSCODE_EXECUTABLE, else a download into the cache, else undefined. Does
 * not wait long if there is no network.
 */
export async function desktopExecutable() {
  if (process.env.VSCODE_EXECUTABLE) return process.env.VSCODE_EXECUTABLE;
  const reachable = await fetch('https://update.code.visualstudio.com/api/releases/stable', {
    signal: AbortSignal.timeout(4000),
  }).then(
    (response) => response.ok,
    () => false,
  );
  if (!reachable) return undefined;
  const { downloadAndUnzipVSCode, SilentReporter } = await import('@vscode/test-electron');
  try {
    report('fetching desktop VS Code');
    return await downloadAndUnzipVSCode({
      cachePath: path.join(cacheFolder(), 'desktop'),
      reporter: new SilentReporter(),
      timeout: 15_000,
    });
  } catch (error) {
    report(`desktop VS Code could not be fetched: ${error.message}`);
    return undefined;
  }
}

/** Runs a host suite in desktop VS Code; returns the same as `runHostSuite`. */
export async function runDesktopSuite({ executable, extension, entry, artifacts, workspace, grep }) {
  const { runTests } = await import('@vscode/test-electron');
  fs.mkdirSync(artifacts, { recursive: true });
  const [resultFile, reportFile] = ['result.json', 'report.txt'].map((name) => path.join(artifacts, name));
  fs.rmSync(resultFile, { force: true });
  fs.writeFileSync(reportFile, '');
  let problem;
  try {
    await runTests({
      vscodeExecutablePath: executable,
      extensionDevelopmentPath: extension,
      extensionTestsPath: entry,
      extensionTestsEnv: {
        WAYMARK_TEST_RESULT: resultFile,
        WAYMARK_TEST_REPORT: reportFile,
        ...(grep && { WAYMARK_TEST_GREP: grep }),
      },
      launchArgs: [
        workspace,
        '--disable-extensions',
        '--disable-workspace-trust',
        '--skip-welcome',
        '--skip-release-notes',
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ],
    });
  } catch (error) {
    problem = error.message ?? String(error);
  }
  const stats = fs.existsSync(resultFile) ? JSON.parse(fs.readFileSync(resultFile, 'utf8')) : undefined;
  if (!stats || stats.tests === 0) problem ??= 'No test ran.';
  return { stats, report: fs.readFileSync(reportFile, 'utf8'), problem };
}
