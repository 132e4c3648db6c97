import path from 'node:path';
import { makeFolder, writeDurably } from '../../adapters/storage/durableFile';
import { junitText } from '../../core/batch/junit';
import { taskOutcome } from '../../core/batch/taskOutcome';
import type { History } from '../../core/log/projection';
import { secrets } from '../../core/secrets/secrets';

/**
 * Writes the end of a run as a JUnit report with one test: it passes where the run
 * is done. `began`: milliseconds since 1970.
 */
export function writeRunReport(
  file: string,
  task: string,
  history: History,
  { began }: { readonly began: number },
): void {
  const { status, reason } = taskOutcome(history);
  const name = task.trim().split('\n', 1)[0] || 'Go on';
  const report = {
    name,
    seconds: (Date.now() - began) / 1000,
    kind: status,
    failure: status === 'done' ? undefined : reason || `The run ended as ${status}.`,
  };
  const place = path.resolve(file);
  makeFolder(path.dirname(place));
  writeDurably(place, [secrets.mask(junitText('waymark run', [report], Date.now()))]);
}
