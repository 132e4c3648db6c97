// Fills the tables of docs/performance.md with the latest results of `npm run bench` and `npm run bench -- --window`,
// missed targets first.
//   node scripts/tables/performance.mjs [--json FILE]
import fs from 'node:fs';
import { parseArgs } from 'node:util';
import { readResults, usualResults } from '../../bench/results.mjs';
import { isMissed, markdownTable } from '../../bench/table.mjs';
import { at } from '../repository.mjs';

const {
  values: { json: file = usualResults },
} = parseArgs({ options: { json: { type: 'string' } } });

const page = at('docs/performance.md');
const results = Object.entries(readResults(file)).map(([name, result]) => ({ name, ...result }));
if (results.length === 0) {
  console.error(`${file} contains no results. Run npm run bench first.`);
  process.exit(1);
}

const isOfWindow = ({ name }) => name.startsWith('window-') || name === 'activation';
const rowsOf = (some) => some.flatMap(({ rows }) => rows);
const reached = (some) => rowsOf(some).filter((row) => !isMissed(row));
const broken = results.filter(({ problem }) => problem !== undefined);
const words = {
  when: conditions(),
  missed: [
    markdownTable(rowsOf(results).filter(isMissed)),
    ...broken.map(({ name, problem }) => `Not fully measured: ${name}. ${problem.split(/\n| Screenshot:/)[0]}`),
  ].join('\n\n'),
  commandLine: markdownTable(reached(results.filter((result) => !isOfWindow(result)))),
  window: markdownTable(reached(results.filter(isOfWindow))),
};

const text = fs.readFileSync(page, 'utf8');
const filled = text.replace(
  /(<!-- measured:(\w+) -->\n)[\s\S]*?(<!-- \/measured -->)/g,
  (_all, open, name, close) => `${open}\n${words[name]}\n\n${close}`,
);
fs.writeFileSync(page, filled);
console.log(`${page}: ${rowsOf(results).length} rows, ${rowsOf(results).filter(isMissed).length} missed.`);

/** Returns when and where it was measured, and how busy the machine was. */
function conditions() {
  const days = [...new Set(results.map(({ takenAt }) => dayOf(takenAt)))];
  const nodes = [...new Set(results.map(({ node }) => node.replace(/^v/, '')))];
  const machines = [...new Set(results.map(({ platform, cpus }) => `${platform}, ${cpus} cores`))];
  const loads = results.map(({ load }) => load);
  const span = [Math.min(...loads), Math.max(...loads)].map((load) => load.toFixed(1)).join(' to ');
  const short = results.filter(({ quick }) => quick).map(({ name }) => name);
  return [
    `Measured on ${days.join(' and ')} on ${machines.join(' and ')}, Node ${nodes.join(' and ')}; load before each part: ${span}.`,
    ...(short.length > 0 ? [`Measured with --quick (few runs): ${short.join(', ')}.`] : []),
  ].join(' ');
}

function dayOf(takenAt) {
  return new Date(takenAt).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
}
