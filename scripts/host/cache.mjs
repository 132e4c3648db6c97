// The folder outside the repository for downloads: Node, code-server, Chromium.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { report } from './report.mjs';

export function cacheFolder() {
  return (
    process.env.WAYMARK_HOST_CACHE ||
    path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'waymark-host')
  );
}

/**
 * Fills `folder` unless it exists. Works in a sibling folder that is renamed at the end, so an interrupted run leaves
 * nothing incomplete, and of two concurrent runs the second drops its copy.
 */
export async function once(folder, fill) {
  if (fs.existsSync(folder)) return folder;
  report(`preparing ${folder}, once`);
  fs.mkdirSync(path.dirname(folder), { recursive: true });
  const building = fs.mkdtempSync(`${folder}.`);
  const discard = () => fs.rmSync(building, { recursive: true, force: true });
  process.once('exit', discard);
  try {
    await fill(building);
    try {
      fs.renameSync(building, folder);
    } catch (error) {
      if (!fs.existsSync(folder)) throw error;
    }
  } finally {
    process.off('exit', discard);
    discard();
  }
  return folder;
}
