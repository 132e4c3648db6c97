import os from 'node:os';
import path from 'node:path';
import type { Surroundings } from '../../core/agent/prompt';
import { gitState } from '../git/gitState';
import { headCommit } from '../git/headCommit';
import { childEnvironment } from '../processes/childEnvironment';

/**
 * Returns what prompts may say about this machine. Includes only environment variables that the agent's shell may see.
 */
export function surroundingsOf({
  root,
  otherFolders = [],
  shell = path.basename(process.env['SHELL'] ?? 'sh'),
  mayAct = true,
}: Partial<Surroundings> & Pick<Surroundings, 'root'>): Surroundings {
  const machine = { system: os.type(), release: os.release(), version: os.version(), machine: os.machine() };
  return {
    root,
    otherFolders,
    shell,
    mayAct,
    platform: process.platform,
    machine,
    env: childEnvironment(process.env),
    commit: () => headCommit(root).catch(() => undefined),
    today: localDate(new Date()),
    ...(mayAct && { git: () => gitState(root) }),
  };
}

/** The user's local date, as 2026-11-22. */
function localDate(now: Date): string {
  const twoDigits = (number: number): string => String(number).padStart(2, '0');
  return `${now.getFullYear()}-${twoDigits(now.getMonth() + 1)}-${twoDigits(now.getDate())}`;
}
