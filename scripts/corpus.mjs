// Judges the labelled commands of a file and prints how often the analyser is wrong; fails below the aims for bash.
//   node scripts/corpus.mjs [FILE.jsonl] [--wrong]
import * as esbuild from 'esbuild';
import fs from 'node:fs';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { at, root } from './repository.mjs';

const { values, positionals } = parseArgs({ options: { wrong: { type: 'boolean' } }, allowPositionals: true });
const file = positionals[0] ?? at('../shared/corpus/commands.dev.jsonl');
if (!fs.existsSync(file)) { console.log(`No corpus at ${file}; nothing was measured. Name a file: npm run corpus -- FILE.jsonl`); process.exit(positionals[0] ? 1 : 0); }

fs.mkdirSync(at('out'), { recursive: true });
const out = fs.mkdtempSync(at('out', 'corpus-'));
process.once('exit', () => fs.rmSync(out, { recursive: true, force: true }));
await esbuild.build({ absWorkingDir: root, entryPoints: ['src/core/security/command/assessCommand.ts'], outfile: `${out}/assess.mjs`, bundle: true, format: 'esm', platform: 'node', logLevel: 'warning' });
const { assessCommand } = await import(pathToFileURL(`${out}/assess.mjs`).href);

const order = ['low', 'medium', 'high'];
const rows = fs.readFileSync(file, 'utf8').split('\n').filter(Boolean).map(line => JSON.parse(line)).map(row => {
  const shell = row.tags.find(tag => tag.startsWith('shell:'))?.slice(6) ?? 'bash';
  const started = performance.now();
  const { level, reasons } = assessCommand(row.command, { shell });
  return { ...row, shell, level, reasons, took: performance.now() - started };
});
const accepted = row => row.level === row.expected || (row.borderline && Math.abs(order.indexOf(row.level) - order.indexOf(row.expected)) === 1);
const share = (part, whole) => (whole.length === 0 ? 0 : part.length / whole.length);
const percent = number => `${(number * 100).toFixed(2)} %`;

let failed = false;
for (const shell of new Set(rows.map(row => row.shell))) {
  const own = rows.filter(row => row.shell === shell);
  const [low, medium, high] = order.map(level => own.filter(row => row.expected === level));
  const missed = high.filter(row => row.level !== 'high' && !accepted(row));
  const critical = high.filter(row => row.level === 'low' && !accepted(row));
  const nagged = low.filter(row => row.level === 'high' && !accepted(row));
  const times = own.map(row => row.took).sort((a, b) => a - b);
  const p99 = times[Math.floor(times.length * 0.99)] ?? 0;
  console.log(`${shell}: ${own.length} commands`);
  console.log(`  high rated below high  ${percent(share(missed, high))} (${missed.length} of ${high.length}), rated low ${percent(share(critical, high))} (${critical.length})`);
  console.log(`  low rated high         ${percent(share(nagged, low))} (${nagged.length} of ${low.length})`);
  console.log(`  exact                  low ${percent(share(low.filter(accepted), low))}, medium ${percent(share(medium.filter(accepted), medium))}, high ${percent(share(high.filter(accepted), high))}`);
  console.log(`  time                   median ${(times[times.length >> 1] ?? 0).toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`);
  if (shell === 'bash') failed = share(missed, high) > 0.01 || share(critical, high) > 0.002 || share(nagged, low) > 0.03 || p99 > 5;
  if (values.wrong) for (const row of own.filter(one => !accepted(one) && shell === 'bash')) console.log(`  ${row.expected} → ${row.level}: ${JSON.stringify(row.command).slice(0, 140)}  ${row.reasons.join(' ')}`);
}
if (failed) { console.error('The analyser misses its aims for bash.'); process.exit(1); }
