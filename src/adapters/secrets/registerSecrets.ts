import fs from 'node:fs';
import path from 'node:path';
import type { History } from '../../core/log/projection';
import { secrets } from '../../core/secrets/secrets';
import { secretsOfEnvironment } from '../../core/secrets/secretValues';
import { learnDotenvBelowAtOnce } from './dotenvSecrets';

/**
 * Learns the secrets of the place where a run happened and of this one, from the environment and from the `.env` files
 * at any depth of its folder and `folders`, so that they are masked when the run is exported.
 */
export function registerSecrets(history: History, folders: readonly string[]): void {
  const cwd = history.find((event) => event.type === 'task_started')?.cwd;
  secrets.learn(...secretsOfEnvironment(process.env).filter((value) => !fs.existsSync(value)));
  learnDotenvBelowAtOnce([...folders, ...(cwd && path.isAbsolute(cwd) ? [cwd] : [])]);
}
