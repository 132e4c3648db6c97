import fs from 'node:fs';
import path from 'node:path';
import type { History } from '../../core/log/history';
import { secrets } from '../../core/secrets/secrets';
import { secretsOfEnvironment } from '../../core/secrets/secretValues';
import { learnDotenvBelowAtOnce } from './dotenvSecrets';

/**
 * Learns what is secret where a run took place and here, in the environment and in the `.env` files at any depth of its
 * folder and `folders`, so that it is masked when the run leaves.
 */
export function registerSecrets(history: History, folders: readonly string[]): void {
  const cwd = history.find((event) => event.type === 'task_started')?.cwd;
  secrets.learn(...secretsOfEnvironment(process.env).filter((value) => !fs.existsSync(value)));
  learnDotenvBelowAtOnce([...folders, ...(cwd && path.isAbsolute(cwd) ? [cwd] : [])]);
}
