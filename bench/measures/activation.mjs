import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { bundleHostSuite } from '../../scripts/host/bundleHostSuite.mjs';
import { runHostSuite } from '../../scripts/host/hostSuite.mjs';
import { at, root } from '../../scripts/repository.mjs';

/**
 * Measures activation of the extension in a real VS Code's extension host, a new one each time, compared to an
 * extension that does nothing: most of the time is VS Code's own work. The target applies to what Waymark adds. Each
 * activation gives a single number, which other load can only increase, so the smallest counts.
 */
export async function measureActivation({ quick }) {
  const entry = await bundleHostSuite({ root, folder: at('bench/host'), outdir: at('out/bench-host') });
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-bench-'));
  try {
    const extensions = [
      ['waymark.floor', emptyExtension(path.join(folder, 'floor'))],
      ['waymark.waymark', root],
    ];
    const times = { 'waymark.floor': [], 'waymark.waymark': [] };
    for (let run = 0; run < (quick ? 1 : 5); run++) {
      for (const [id, extension] of run % 2 ? [...extensions].reverse() : extensions) {
        const file = path.join(folder, 'result.json');
        const { problem, report } = await runHostSuite({
          extension,
          entry,
          artifacts: at('out/bench-host/run'),
          server: { env: { WAYMARK_BENCH_EXTENSION: id, WAYMARK_BENCH_RESULT: file } },
        });
        if (problem) throw new Error(`The extension host did not measure ${id}: ${problem}\n${report}`);
        times[id].push(JSON.parse(fs.readFileSync(file, 'utf8')).activateMs);
      }
    }
    const [floor, value] = extensions.map(([id]) => Math.min(...times[id]));
    return [
      { measure: "Activation, including VS Code's part", unit: 'ms', value, floor },
      { measure: 'Activation: added by Waymark', unit: 'ms', aim: 50, value: value - floor },
    ];
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function emptyExtension(folder) {
  fs.mkdirSync(folder);
  fs.writeFileSync(
    path.join(folder, 'package.json'),
    JSON.stringify({
      name: 'floor',
      publisher: 'waymark',
      version: '0.0.1',
      type: 'module',
      engines: { vscode: '^1.101.0' },
      main: './extension.js',
      activationEvents: [],
    }),
  );
  fs.writeFileSync(path.join(folder, 'extension.js'), 'export function activate() {}\n');
  return folder;
}
