import os from 'node:os';
import path from 'node:path';
import type { Surroundings } from '../../core/agent/prompt';
import { gitState } from '../git/gitState';
import { headCommit } from '../git/headCommit';
import { childEnvironment } from '../processes/childEnvironment';

/** What prompts may say about this machine. Of the environment only what the agent's shell may see as well. */
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

/** The day where the person is, as 2026-11-22. */
function localDate(now: Date): string {
  const twoDigits = (number: number): string => String(number).padStart(2, '0');
  return `${now.getFullYear()}-${twoDigits(now.getMonth() + 1)}-${twoDigits(now.getDate())}`;
}
