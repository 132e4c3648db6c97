import { spawnSync } from 'node:child_process';
import { besides } from '../besides.mjs';
import { median, quantile } from '../statistics.mjs';

/**
 * Measures runs of several lengths with one `echo` per step: time per step, its growth, startup, memory, size of the
 * first request.
 */
export async function measureSteps({ model, quick }) {
  const sizes = quick
    ? [
        [5, 5],
        [50, 3],
        [200, 3],
      ]
    : [
        [5, 15],
        [50, 9],
        [200, 9],
        [1000, 5],
      ];
  const rows = [];
  for (const [steps, runs] of sizes) {
    const both = await besides(model, echoes(steps), runs);
    const each = (words, aim, pick) =>
      rows.push({ measure: `${steps.toLocaleString('en')} steps: ${words}`, unit: 'ms', aim, ...both(pick) });
    const step = both(({ gaps }) => median(gaps));
    // 1.3 times the floor with a durable log.
    rows.push({
      measure: `${steps.toLocaleString('en')} steps: median per step`,
      unit: 'ms',
      aim: 1.3 * step.durable,
      ...step,
    });
    each('total CPU time', undefined, ({ cpuMs }) => cpuMs);
    each('exit time', 30, ({ exitMs }) => exitMs);
    each('95th percentile per step', undefined, ({ gaps }) => quantile(gaps, 0.95));
    if (steps >= 200)
      rows.push({
        measure: `${steps.toLocaleString('en')} steps: last 50 compared with the first 50`,
        unit: '×',
        ...both(({ gaps }) => median(gaps.slice(-50)) / median(gaps.slice(5, 55))),
      });
    if (steps >= 1000) each('median of the last 50', 5, ({ gaps }) => median(gaps.slice(-50)));
    if (steps >= 200)
      rows.push({
        measure: `${steps.toLocaleString('en')} steps: peak memory`,
        unit: 'MB',
        aim: steps === 200 ? 85 : undefined,
        ...both(({ rssMb }) => rssMb),
      });
    if (steps === 5) {
      const start = both(({ startMs }) => startMs);
      rows.push({ measure: 'Process start to first request', unit: 'ms', aim: 1.8 * start.floor, ...start });
      rows.push({
        measure: 'Size of the first request',
        unit: 'bytes',
        aim: 6000,
        ...both(({ firstBytes }) => firstBytes),
      });
    }
  }
  rows.push({
    measure: 'Empty Node process (for comparison)',
    unit: 'ms',
    floor: median(Array.from({ length: 9 }, bareNodeMs)),
  });
  return rows;
}

/** Returns this many calls, each a different `echo`. */
export const echoes = (count) =>
  Array.from({ length: count }, (_, step) => ({
    tool: 'run_command',
    input: { command: `echo step-${step}` },
    expect: `step-${step}`,
  }));

function bareNodeMs() {
  const started = performance.now();
  spawnSync(process.execPath, ['-e', '0']);
  return performance.now() - started;
}
