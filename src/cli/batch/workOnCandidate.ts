import { run } from '../run/run';
import type { CandidateJob } from './bestOf';
import { jobFromParent } from './taskJob';

/**
 * The process of one candidate: reads its job from stdin and runs it. If its parent dies, the run stops cleanly. Resolves
 * to the exit code.
 */
export async function workOnCandidate(): Promise<number> {
  const { task, options } = await jobFromParent<CandidateJob>({
    command: 'waymark run --best-of',
    onEnd() {
      // A run that has begun handles the signal; before that there is nothing to clean up.
      if (!process.emit('SIGTERM', 'SIGTERM')) process.exit(130);
    },
  });
  return run(task, options);
}
