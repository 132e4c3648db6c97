import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { bundleHostSuite } from '../../scripts/host/bundleHostSuite.mjs';
import { runHostSuite } from '../../scripts/host/hostSuite.mjs';
import { at, root } from '../../scripts/repository.mjs';
import { median } from '../statistics.mjs';

/** How long `activate` takes inside a real VS Code's extension host, each time in a new one. */
export async function measureActivation({ quick }) {
  const entry = await bundleHostSuite({ root, folder: at('bench/host'), outdir: at('out/bench-host') });
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-bench-'));
  try {
    const times = [];
    for (let run = 0; run < (quick ? 1 : 3); run++) {
      const file = path.join(folder, `${run}.json`);
      const { problem, report } = await runHostSuite({ extension: root, entry, artifacts: at('out/bench-host/run'), server: { env: { WAYMARK_BENCH_RESULT: file } } });
      if (problem) throw new Error(`The extension host did not measure: ${problem}\n${report}`);
      times.push(JSON.parse(fs.readFileSync(file, 'utf8')));
    }
    return [
      { measure: 'activation in an extension host', unit: 'ms', aim: 50, value: median(times.map(({ activateMs }) => activateMs)) },
    ];
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
