// Runs test/conformance and writes what became of each behaviour of the reference to docs/conformance.md; exits 1 where one fails.
//   npm run conformance
//   npm run conformance -- --grep AF-    shows some and writes nothing
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { parseArgs } from 'node:util';
import { at, root } from './repository.mjs';

const {
  values: { grep },
} = parseArgs({ options: { grep: { type: 'string' } } });
fs.mkdirSync(at('out'), { recursive: true });
const folder = fs.mkdtempSync(at('out', 'conformance-'));
process.once('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
const file = `${folder}/cases.json`;
const { stderr } = spawnSync(
  process.execPath,
  [at('scripts/unit.mjs'), ...(grep ? ['--grep', grep] : []), 'conformance'],
  {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, WAYMARK_TEST_CASES: file },
    stdio: ['ignore', 'ignore', 'pipe'],
  },
);
if (!fs.existsSync(file)) {
  console.error(`The suite did not run.\n${stderr}`);
  process.exit(1);
}

/** One row for each id: a case in several variants holds where all of them do. */
const rows = new Map();
for (const { path, state, error } of JSON.parse(fs.readFileSync(file, 'utf8'))) {
  const [, id, words] = path.map((title) => /^([A-Z]+-V?\d+b?) (.*)$/.exec(title)).find(Boolean) ?? [];
  if (!id) continue;
  const row =
    rows.get(id) ??
    rows.set(id, { id, words, result: state === 'pending' ? 'not applicable' : 'pass', errors: [] }).get(id);
  if (words === 'No case was written yet.') row.result = 'missing';
  if (state !== 'failed') continue;
  row.result = 'fail';
  row.errors.push(`${path.slice(2).join(' ')} ${error}`.trim());
}

const families = ['MSA-', 'MSA-V', 'HER-', 'OH-', 'AF-'];
const familyOf = ({ id }) => families.indexOf(id.replace(/\d.*$/, ''));
const all = [...rows.values()].sort((a, b) => familyOf(a) - familyOf(b) || a.id.localeCompare(b.id));
const count = (result) => all.filter((row) => row.result === result).length;
const sums = ['pass', 'fail', 'not applicable', 'missing']
  .filter(count)
  .map((result) => `${count(result)} ${result}`)
  .join(', ');
const width = Math.max(...all.map(({ id }) => id.length));
for (const { id, result, words, errors } of all) {
  console.log(`${id.padEnd(width)}  ${result.padEnd(14)}  ${words}`);
  for (const error of errors) console.log(error.replace(/^/gm, `${' '.repeat(width)}  ! `));
}
console.log(`\n${sums}`);

const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
if (!grep) {
  fs.writeFileSync(
    at('docs/conformance.md'),
    [
      '# Conformance',
      '',
      'What the one loop does as the systems do that its profiles are named after: mini-swe-agent (MSA, and MSA-V for the fork that asks for candidates), Hermes Agent (HER), the OpenHands SDK (OH) and AgentFoundation (AF). Each row is a case in `test/conformance/` that runs through the public loop with a scripted model and a real shell; where the original has a defect, the case shows the corrected behaviour. `npm run conformance` writes this page.',
      '',
      `${sums}.`,
      '',
      '| Case | Result | What is shown |',
      '| --- | --- | --- |',
      ...all.map(({ id, result, words }) => `| ${id} | ${result} | ${cell(words)} |`),
      '',
    ].join('\n'),
  );
}
process.exitCode = count('fail') + count('missing') > 0 ? 1 : 0;
