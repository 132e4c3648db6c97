// Runs test/host inside a real VS Code's extension host: code-server's, or with --desktop the desktop's. Needs a build.
//   node scripts/host-tests.mjs [--desktop] [--grep TEXT]
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { bundleHostSuite } from './host/bundleHostSuite.mjs';
import { desktopExecutable, runDesktopSuite } from './host/desktop.mjs';
import { runHostSuite } from './host/hostSuite.mjs';
import { at, root } from './repository.mjs';

const {
  values: { desktop = false, grep },
} = parseArgs({ options: { desktop: { type: 'boolean' }, grep: { type: 'string' } } });
const entry = await bundleHostSuite({ root, folder: at('test/host'), outdir: at('out/host') });
const artifacts = at('out/host', desktop ? 'desktop' : 'server');

// A second extension, which provides a language model.
const companion = at('test/host/modelProvider');
const { stats, report, problem } = desktop
  ? await inDesktop()
  : await runHostSuite({ extension: root, entry, artifacts, grep, server: { extensions: [companion] } });
process.stdout.write(report);
if (stats && process.env.WAYMARK_TEST_RESULT) fs.writeFileSync(process.env.WAYMARK_TEST_RESULT, JSON.stringify(stats));
if (problem) console.error(`${problem} Logs are in ${path.relative(root, artifacts)}.`);
process.exit(problem ? 1 : 0);

async function inDesktop() {
  const executable = await desktopExecutable();
  if (!executable)
    return {
      report: '',
      problem:
        'There is no desktop VS Code and none could be fetched. Name one in VSCODE_EXECUTABLE, or leave out --desktop.',
    };
  const workspace = fs.mkdtempSync(path.join(os.tmpdir(), 'wm-'));
  process.once('exit', () => fs.rmSync(workspace, { recursive: true, force: true }));
  return runDesktopSuite({ executable, extension: [root, companion], entry, artifacts, workspace, grep });
}
