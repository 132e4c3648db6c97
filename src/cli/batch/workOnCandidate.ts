import readline from 'node:readline';
import { run } from '../run/run';
import type { CandidateJob } from './bestOf';

/**
 * The process of one candidate: reads its job from stdin and runs it. When the stream ends, the parent is dead, and the
 * run stops cleanly. Resolves to the exit code.
 */
export async function workOnCandidate(): Promise<number> {
  const lines = readline.createInterface({ input: process.stdin });
  const first = await new Promise<string | undefined>((resolve) => {
    lines.once('line', resolve);
    lines.once('close', () => resolve(undefined));
  });
  if (first === undefined)
    throw new Error('"waymark run --best-of" starts this command, which reads a task from standard input.');
  lines.once('close', () => {
    // A run that has begun handles the signal; before that there is nothing to clean up.
    if (!process.emit('SIGTERM', 'SIGTERM')) process.exit(130);
  });
  process.stdin.unref?.();
  const { task, options } = JSON.parse(first) as CandidateJob;
  return run(task, options);
}
