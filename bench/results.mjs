// What was measured, part by part: a bench that is cut off loses none of the parts that ended, and goes on with the rest.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { at, root } from '../scripts/repository.mjs';

/** Where `npm run bench` keeps what it found, and where scripts/tables/performance.mjs looks for it. */
export const usualResults = at('out/bench/results.json');

/** By name of the part: { takenAt, commit, node, cpus, platform, load, seconds, quick, rows, problem }. Empty where there is no file. */
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

/** The commit that is checked out: a part that was measured at another one is measured again. */
export function commitNow() {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}
