import os from 'node:os';
import path from 'node:path';
import type { Surroundings } from '../core/agent/prompt';
import { headCommit } from './headCommit';
import { childEnvironment } from './terminal/childEnvironment';

/** What prompts may say about this machine. Of the environment only what the agent's shell may see as well. */
export function surroundingsOf({ root, otherFolders = [], shell = path.basename(process.env['SHELL'] ?? 'sh'), mayAct = true }: Partial<Surroundings> & Pick<Surroundings, 'root'>): Surroundings {
  const machine = { system: os.type(), release: os.release(), version: os.version(), machine: os.machine() };
  return { root, otherFolders, shell, mayAct, platform: process.platform, machine, env: childEnvironment(process.env), commit: () => headCommit(root).catch(() => undefined) };
}
