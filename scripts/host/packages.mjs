// The repository's own packages: installed exactly as the lock file says, only if they are not yet.
import fs from 'node:fs';
import path from 'node:path';
import { npm } from './npm.mjs';
import { report, seconds } from './report.mjs';

/**
 * Returns whether node_modules contains the versions in package-lock.json. Timestamps mean nothing after a checkout, so
 * it compares contents.
 */
export function packagesMatchLock(root) {
  const [lock, installed] = ['package-lock.json', 'node_modules/.package-lock.json'].map((name) =>
    readPackages(path.join(root, name)),
  );
  if (!lock || !installed) return false;
  return Object.entries(lock).every(
    ([place, { version, optional }]) =>
      place === '' || installed[place]?.version === version || (optional === true && !installed[place]),
  );
}

function readPackages(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/** Runs `npm ci` if needed. node-pty and esbuild include their binaries, so no install script has to run. */
export async function ensurePackages(root) {
  if (packagesMatchLock(root)) return;
  const started = Date.now();
  report('installing packages as package-lock.json says');
  await npm(['ci'], { cwd: root });
  report(`packages installed, ${seconds(started)}`);
}
