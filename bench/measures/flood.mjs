import { besides } from '../besides.mjs';

/** Measures a command that prints 50 MB of two-byte lines: time to the result, and its cost. */
export async function measureFlood({ model, quick }) {
  const flood = { tool: 'run_command', input: { command: 'yes | head -c 50000000' }, expect: 'y\ny\n' };
  const both = await besides(
    model,
    [{ tool: 'run_command', input: { command: 'echo warm' }, expect: 'warm' }, flood],
    quick ? 3 : 9,
  );
  const answered = both(({ gaps }) => gaps[1]);
  const each = (words, unit, aim, pick) => ({
    measure: `a command that prints 50 MB: ${words}`,
    unit,
    aim,
    ...both(pick),
  });
  return [
    { measure: 'a command that prints 50 MB: answered', unit: 'ms', aim: 1.3 * answered.floor, ...answered },
    each('CPU until the process ends', 'ms', 600, ({ cpuMs }) => cpuMs),
    each('peak memory of the whole run', 'MB', 110, ({ rssMb }) => rssMb),
  ];
}
