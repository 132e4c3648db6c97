// Runs test/security/incidents and writes the result for each incident of the reference to docs/incidents.md; exits 1
// if one is not prevented.
//   npm run incidents
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { at, root } from '../repository.mjs';

fs.mkdirSync(at('out'), { recursive: true });
const folder = fs.mkdtempSync(at('out', 'incidents-'));
process.once('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
const [cases, rows] = [`${folder}/cases.json`, `${folder}/rows.json`];
const { stderr } = spawnSync(process.execPath, [at('scripts/unit.mjs'), 'security/incidents'], {
  cwd: root,
  encoding: 'utf8',
  env: { ...process.env, WAYMARK_TEST_CASES: cases, WAYMARK_INCIDENTS: rows },
  stdio: ['ignore', 'ignore', 'pipe'],
});
if (!fs.existsSync(cases) || !fs.existsSync(rows)) {
  console.error(`The suite did not run.\n${stderr}`);
  process.exit(1);
}

const ran = JSON.parse(fs.readFileSync(cases, 'utf8'));
const incidents = JSON.parse(fs.readFileSync(rows, 'utf8'))
  .sort((a, b) => a.row - b.row)
  .map((incident) => {
    const own = ran
      .map(({ path, ...rest }) => ({ ...rest, title: path.at(-1) }))
      .filter(({ title }) => title.startsWith(`${incident.row} ${incident.id}: `));
    const failed = own.filter(({ state }) => state !== 'passed' && state !== 'pending');
    const untried = own.length > 0 && own.every(({ state }) => state === 'pending');
    const failsOrHasNoTest = own.length === 0 || failed.length > 0;
    const stateOfPassed = untried ? 'not tried' : (incident.open?.state ?? 'holds');
    return { ...incident, failed, state: failsOrHasNoTest ? 'fails' : stateOfPassed };
  });

const count = (state) => incidents.filter((incident) => incident.state === state).length;
const sums = ['holds', 'partly', 'when built', 'not tried', 'fails']
  .filter(count)
  .map((state) => `${count(state)} ${state}`)
  .join(', ');
for (const { row, id, state, failed } of incidents) {
  console.log(`${String(row).padStart(2)}  ${state.padEnd(10)}  ${id}`);
  for (const { title, error } of failed) console.log(`    ! ${title}\n      ${error ?? ''}`);
}
console.log(`\n${sums}`);

const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
fs.writeFileSync(
  at('docs/incidents.md'),
  [
    '# Incidents',
    '',
    'What happened to other coding agents, and what protects against it in Waymark. `test/security/incidents/` replays each row: a hostile repository in a temporary folder, a model that obeys everything it reads there, and an assertion on what ran, was written or was requested, or that a person was asked and told the effect. If possible, the test then approves the same trick and checks that it does harm, to show that it would not have failed anyway. `npm run incidents` writes this page.',
    '',
    `${sums}. “Partly”: a part is not protected, as the row says. “When built”: Waymark does not have the affected feature yet; the tests cover today’s protection. “Not tried”: the machine that wrote this page lacks a prerequisite. Rows that begin with “Waymark” happened to Waymark itself.`,
    '',
    '| Row | Incident | What happened | What protects | Test | State |',
    '| --- | --- | --- | --- | --- | --- |',
    ...incidents.map(
      ({ row, id, happened, protects, file, open, state }) =>
        `| ${row} | ${cell(id)} | ${cell(happened)} | ${cell(protects)} | [${file}](../test/security/incidents/${file}) | ${state}${open ? `: ${cell(open.why)}` : ''} |`,
    ),
    '',
  ].join('\n'),
);
process.exitCode = count('fails') > 0 ? 1 : 0;
