import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

export interface NodeProgram {
  readonly version: string;
  readonly file: string;
}

/**
 * The versions of Node on this machine that can run Waymark, one of each major version: that of the tests, those on
 * PATH, and those that WAYMARK_TEST_NODES lists, with the separator of PATH between.
 */
export function nodes(): NodeProgram[] {
  const onPath = (process.env['PATH'] ?? '').split(path.delimiter).map((folder) => path.join(folder, 'node'));
  const named = (process.env['WAYMARK_TEST_NODES'] ?? '').split(path.delimiter).filter(Boolean);
  const found = new Map<number, NodeProgram>();
  for (const file of [process.execPath, ...named, ...onPath, '/usr/bin/node']) {
    if (!fs.existsSync(file)) continue;
    const version = spawnSync(file, ['--version'], { encoding: 'utf8' }).stdout?.trim() ?? '';
    const major = Number(/^v(\d+)\./.exec(version)?.[1]);
    if (major >= 20 && !found.has(major)) found.set(major, { version, file });
  }
  return [...found.values()];
}
