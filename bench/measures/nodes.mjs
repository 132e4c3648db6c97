import { besides } from '../besides.mjs';
import { median } from '../statistics.mjs';
import { echoes } from './steps.mjs';
import { nodeOf } from '../../scripts/host/nodes.mjs';

const sandboxes = ['auto', 'off'];

/**
 * Measures the same 200 steps under each Node that Waymark supports, with and without the sandbox; then one run of
 * 5,000 steps.
 */
export async function measureNodes({ model, quick }) {
  const rows = [];
  for (const version of [20, 22, 24])
    for (const sandbox of sandboxes) {
      const around = { node: await nodeOf(version), flags: ['--sandbox', sandbox] };
      const both = await besides(model, echoes(quick ? 50 : 200), quick ? 3 : 5, around);
      const name = `Node ${version}, sandbox ${sandbox}, ${quick ? 50 : 200} steps`;
      const step = both(({ gaps }) => median(gaps));
      const start = both(({ startMs }) => startMs);
      const row = (words, unit, aim, pick) => rows.push({ measure: `${name}: ${words}`, unit, aim, ...both(pick) });
      row('median per step', 'ms', 1.3 * step.durable, ({ gaps }) => median(gaps));
      row('start to first request', 'ms', 1.8 * start.floor, ({ startMs }) => startMs);
      row('total CPU time', 'ms', undefined, ({ cpuMs }) => cpuMs);
      row('exit time', 'ms', 30, ({ exitMs }) => exitMs);
      row('peak memory', 'MB', 85, ({ rssMb }) => rssMb);
    }
  if (quick) return rows;
  const long = await besides(model, echoes(5000), 1);
  const step = long(({ gaps }) => median(gaps));
  rows.push(
    { measure: '5,000 steps, one run: median per step', unit: 'ms', aim: 1.3 * step.durable, ...step },
    { measure: '5,000 steps: median of the last 50', unit: 'ms', ...long(({ gaps }) => median(gaps.slice(-50))) },
    { measure: '5,000 steps: peak memory', unit: 'MB', ...long(({ rssMb }) => rssMb) },
  );
  return rows;
}
