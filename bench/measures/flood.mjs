import { besides } from '../besides.mjs';

/** A command that prints 50 MB of two-byte lines: when is it answered, and what does it cost? */
export async function measureFlood({ model, quick }) {
  const flood = { tool: 'run_command', input: { command: 'yes | head -c 50000000' }, expect: 'y\ny\n' };
  const both = await besides(
    model,
    [{ tool: 'run_command', input: { command: 'echo warm' }, expect: 'warm' }, flood],
    quick ? 3 : 9,
  );
  return [
    { measure: 'a command that prints 50 MB: answered', unit: 'ms', aim: 250, ...both(({ gaps }) => gaps[1]) },
    { measure: 'a command that prints 50 MB: peak memory', unit: 'MB', aim: 120, ...both(({ rssMb }) => rssMb) },
  ];
}
