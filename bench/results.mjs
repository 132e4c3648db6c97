// Results, part by part: an interrupted bench loses none of the finished parts, and resumes with the rest.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { at, root } from '../scripts/repository.mjs';

/** Where `npm run bench` stores its results, and scripts/tables/performance.mjs reads them. */
export const usualResults = at('out/bench/results.json');

/**
 * Returns results by name of the part: { takenAt, commit, node, cpus, platform, load, seconds, quick, rows, problem }.
 * Empty if the file does not exist.
 */
export function readResults(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}

export function keepResult(file, name, result) {
  const results = { ...readResults(file), [name]: result };
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(`${file}.new`, `${JSON.stringify(results, null, 2)}\n`);
  fs.renameSync(`${file}.new`, file);
}

/** Returns the checked-out commit: parts measured at another one are measured again. */
export function commitNow() {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}
