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
    measure: `Command that prints 50 MB: ${words}`,
    unit,
    aim,
    ...both(pick),
  });
  return [
    { measure: 'Command that prints 50 MB: time to result', unit: 'ms', aim: 1.3 * answered.floor, ...answered },
    each('total CPU time', 'ms', 600, ({ cpuMs }) => cpuMs),
    each('peak memory', 'MB', 110, ({ rssMb }) => rssMb),
  ];
}
