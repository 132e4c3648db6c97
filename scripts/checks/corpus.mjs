// Judges the labelled commands of a file, prints how often the analyzer is wrong, by shell and by family, and fails if
// a target is missed: dangerous commands rated below high ≤ 1 %, rated low ≤ 0.2 %, harmless ones rated high ≤ 3 %, 99
// % of them judged within 5 ms.
//   node scripts/checks/corpus.mjs [FILE.jsonl] [--wrong] [--if-there]
// Fails if the file does not exist, since nothing was measured; with --if-there it succeeds.
import * as esbuild from 'esbuild';
import fs from 'node:fs';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { at, root } from '../repository.mjs';

const AIMS = { missed: 0.01, critical: 0.002, nagged: 0.03, p99: 5 };
const { values, positionals } = parseArgs({
  options: { wrong: { type: 'boolean' }, 'if-there': { type: 'boolean' } },
  allowPositionals: true,
});
const file = positionals[0] ?? at('../shared/corpus/commands.dev.jsonl');
if (!fs.existsSync(file)) {
  console.error(`There is no corpus at ${file}, so nothing was measured. Name a file: npm run corpus -- FILE.jsonl`);
  process.exit(values['if-there'] ? 0 : 1);
}

fs.mkdirSync(at('out'), { recursive: true });
const out = fs.mkdtempSync(at('out', 'corpus-'));
process.once('exit', () => fs.rmSync(out, { recursive: true, force: true }));
await esbuild.build({
  absWorkingDir: root,
  entryPoints: { assess: 'src/core/shell/assessCommand.ts', parser: 'src/adapters/scripts/powerShellParser.ts' },
  outdir: out,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  format: 'esm',
  platform: 'node',
  logLevel: 'warning',
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
});
const [{ assessCommand }, { loadPowerShell }] = await Promise.all(
  ['assess', 'parser'].map((name) => import(pathToFileURL(`${out}/${name}.mjs`).href)),
);
const powershell = await loadPowerShell();

const order = ['low', 'medium', 'high'];
/** Parses a line of the file. Ends the program if it is not a labelled command. */
function labelled(line, index) {
  let row;
  try {
    row = JSON.parse(line);
  } catch {
    // Reported below.
  }
  if (typeof row?.command === 'string' && order.includes(row.expected)) return { ...row, tags: row.tags ?? [] };
  console.error(`Line ${index + 1} of ${file} must be like {"command":"jj log","expected":"low"}; or medium, high.`);
  process.exit(1);
}
const accepted = (row) =>
  row.level === row.expected ||
  (row.borderline && Math.abs(order.indexOf(row.level) - order.indexOf(row.expected)) === 1);
const rows = fs
  .readFileSync(file, 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line, index) => labelled(line, index))
  .map((row) => {
    const shell = row.tags.find((tag) => tag.startsWith('shell:'))?.slice(6) ?? 'bash';
    // Temporary files that the commands name count as new.
    const context = { shell, powershell, temporaryFile: () => 'none' };
    // The first run pays for compiling; of five more the median counts, since other programs compete for the CPU.
    const { level, reasons } = assessCommand(row.command, context);
    const times = Array.from({ length: 5 }, () => {
      const started = performance.now();
      assessCommand(row.command, context);
      return performance.now() - started;
    }).sort((a, b) => a - b);
    const judged = {
      ...row,
      shell,
      family: row.tags.slice(0, 2).join(' ') || 'without tags',
      level,
      reasons,
      took: times[2],
    };
    return { ...judged, right: accepted(judged) };
  });

const share = (part, whole) => (whole.length === 0 ? 0 : part.length / whole.length);
const percent = (number) => `${(number * 100).toFixed(2)} %`;
const measure = (own) => {
  const [low, medium, high] = order.map((level) => own.filter((row) => row.expected === level));
  const wrong = (list, ...levels) => list.filter((row) => levels.includes(row.level) && !row.right);
  const times = own.map((row) => row.took).sort((a, b) => a - b);
  return {
    low,
    medium,
    high,
    missed: wrong(high, 'low', 'medium'),
    critical: wrong(high, 'low'),
    nagged: wrong(low, 'high'),
    median: times[times.length >> 1] ?? 0,
    p99: times[Math.floor(times.length * 0.99)] ?? 0,
  };
};
const below = [];
for (const shell of ['all shells', ...new Set(rows.map((row) => row.shell))]) {
  const own = rows.filter((row) => shell === 'all shells' || row.shell === shell);
  const { low, medium, high, missed, critical, nagged, median, p99 } = measure(own);
  console.log(`${shell}: ${own.length} commands`);
  console.log(
    `  high rated below high  ${percent(share(missed, high))} (${missed.length} of ${high.length}), rated low ${percent(share(critical, high))} (${critical.length})`,
  );
  console.log(`  low rated high         ${percent(share(nagged, low))} (${nagged.length} of ${low.length})`);
  console.log(
    `  exact                  ${[
      ['low', low],
      ['medium', medium],
      ['high', high],
    ]
      .map(
        ([level, list]) =>
          `${level} ${percent(
            share(
              list.filter((row) => row.right),
              list,
            ),
          )}`,
      )
      .join(', ')}`,
  );
  console.log(`  time                   median ${median.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`);
  const failing = Object.entries({
    missed: share(missed, high),
    critical: share(critical, high),
    nagged: share(nagged, low),
    p99,
  })
    .filter(([name, value]) => value > AIMS[name])
    .map(([name]) => name);
  // The PowerShell grammar is weak and cmd.exe has none: for these, harmless commands may be rated high, but dangerous
  // ones never below.
  const counted =
    shell === 'bash' || shell === 'all shells'
      ? failing
      : failing.filter((name) => name === 'missed' || name === 'critical');
  if (counted.length > 0) below.push(`${shell}: ${counted.join(', ')}`);
}
console.log('by family: commands, right, missed, nagged');
for (const family of [...new Set(rows.map((row) => row.family))].sort()) {
  const own = rows.filter((row) => row.family === family);
  const { missed, nagged } = measure(own);
  console.log(
    `  ${family.padEnd(32)} ${String(own.length).padStart(4)}  ${percent(
      share(
        own.filter((row) => row.right),
        own,
      ),
    ).padStart(9)}  ${String(missed.length).padStart(3)}  ${String(nagged.length).padStart(3)}`,
  );
}
if (values.wrong)
  for (const row of rows.filter((one) => !one.right))
    console.log(
      `${row.shell} ${row.expected} → ${row.level}: ${JSON.stringify(row.command).slice(0, 140)}  ${row.reasons.join(' ')}`,
    );
if (below.length > 0) {
  console.error(`The analyser misses its aims: ${below.join('; ')}.`);
  process.exit(1);
}
