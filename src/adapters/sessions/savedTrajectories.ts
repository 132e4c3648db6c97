import fs from 'node:fs';
import path from 'node:path';
import type { History } from '../../core/log/projection';
import { isCompleted, sharegpt } from '../../core/trajectory/formats/sharegpt';

/** The files to which Hermes Agent appends conversations, one line each. */
const files = { completed: 'trajectory_samples.jsonl', failed: 'failed_trajectories.jsonl' } as const;

/**
 * Appends a conversation to the matching file in a folder, as a line in the format of Hermes Agent. Returns the file.
 * Secrets are masked.
 */
export function saveTrajectory(history: History, folder: string, session: string, version: string): string {
  const [written] = sharegpt.write!(history, { session, version });
  const file = path.join(folder, isCompleted(history) ? files.completed : files.failed);
  fs.mkdirSync(folder, { recursive: true });
  // A single write of a whole line: several runs may append to the same file.
  fs.appendFileSync(file, written!.text, { mode: 0o600 });
  return file;
}
