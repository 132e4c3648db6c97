// Injects faults into the built command line and prints per kind which rules held and which were violated:
//   npm run chaos [-- KIND …]      CHAOS_SEED=7 FAULTS_RUNS=100 (per kind) CHAOS_JOBS=2 (in parallel)
//   CHAOS_PATIENCE=900 (timeout of a run in seconds, for a busy machine)
import { ensureBuilt } from '../cli/support/commandLine';
import { tryKind, type ChaosResult } from './chaos';
import { faultKinds, type FaultKind } from './kinds';

const named = process.argv.slice(2);
const unknown = named.filter((name) => !faultKinds.some((kind) => kind.name === name));
if (unknown.length > 0) {
  console.error(`There is no kind ${unknown.join(', ')}. The kinds: ${faultKinds.map(({ name }) => name).join(', ')}.`);
  process.exit(1);
}
const seed = Number(process.env['CHAOS_SEED'] ?? Math.floor(Math.random() * 1_000_000));
const runs = Number(process.env['FAULTS_RUNS'] ?? 20);
const jobs = Number(process.env['CHAOS_JOBS'] ?? 1);
ensureBuilt();

/** After Ctrl-C, no more runs start, and the table shows those that were made. */
let isStopped = false;
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => (isStopped = true));

/** Progress of a kind, so that an interrupted run reports something. */
const inWords = (results: readonly ChaosResult[]): string =>
  `${results.length} tries, ${results.filter(({ hit }) => hit).length} hit, ${results.filter(({ broken }) => broken.length > 0).length} broken`;

/** Makes the runs of one kind, some of them in parallel. */
async function tryOften(kind: FaultKind): Promise<ChaosResult[]> {
  const seeds = Array.from({ length: runs }, (_unused, index) => seed + index);
  const results: ChaosResult[] = [];
  const inTurn = async (): Promise<void> => {
    for (let next = seeds.shift(); next !== undefined && !isStopped; next = seeds.shift()) {
      const result = await tryKind(kind, next);
      results.push(result);
      if (results.length % 25 === 0) console.log(`${kind.name}  ${inWords(results)}`);
      if (result.broken.length === 0) continue;
      console.log(`${kind.name}  broken  CHAOS_SEED=${next} FAULTS_RUNS=1 npm run chaos -- ${kind.name}`);
      for (const words of result.broken) console.log(`    ${words}`);
    }
  };
  await Promise.all(Array.from({ length: jobs }, inTurn));
  return results;
}

const rows: string[][] = [['kind', 'runs', 'hit', 'held', 'broken', 'what']];
for (const kind of faultKinds.filter(({ name }) => named.length === 0 || named.includes(name))) {
  const missing = kind.missing?.();
  const results = missing === undefined ? await tryOften(kind) : [];
  const broken = results.filter((result) => result.broken.length > 0);
  if (broken.length > 0) process.exitCode = 1;
  const hit = results.filter((result) => result.hit).length;
  const counts = [results.length, hit, results.length - broken.length, broken.length].map(String);
  rows.push([kind.name, ...counts, missing === undefined ? kind.what : `not tried: ${missing}`]);
}
const widths = rows[0]!.map((_title, column) => Math.max(...rows.map((row) => row[column]!.length)));
console.log(`\nSeed ${seed}`);
for (const row of rows)
  console.log(
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
