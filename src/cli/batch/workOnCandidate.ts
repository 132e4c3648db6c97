import readline from 'node:readline';
import { run } from '../run/run';
import type { CandidateJob } from './bestOf';

/**
 * The process of one candidate: reads its job from stdin and works on it. Whoever began it is gone when that stream
 * ends, and then the run stops in order. Resolves to the exit code.
 */
export async function workOnCandidate(): Promise<number> {
  const lines = readline.createInterface({ input: process.stdin });
  const first = await new Promise<string | undefined>((resolve) => {
    lines.once('line', resolve);
    lines.once('close', () => resolve(undefined));
  });
  if (first === undefined)
    throw new Error('This command is started by waymark run --best-of and reads a task from its input.');
  lines.once('close', () => {
    // A run that has begun listens; before that there is nothing to end in order.
    if (!process.emit('SIGTERM', 'SIGTERM')) process.exit(130);
  });
  process.stdin.unref?.();
  const { task, options } = JSON.parse(first) as CandidateJob;
  return run(task, options);
}
