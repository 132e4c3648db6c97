// Runs test/conformance and test/designs and writes the result for each behaviour of the reference, and for each
// statement of the documents, to docs/conformance.md; exits 1 if one fails.
//   npm run conformance
//   npm run conformance -- --grep AF-    shows some and writes nothing
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { parseArgs } from 'node:util';
import { at, root } from '../repository.mjs';

const {
  values: { grep },
} = parseArgs({ options: { grep: { type: 'string' } } });
fs.mkdirSync(at('out'), { recursive: true });
const folder = fs.mkdtempSync(at('out', 'conformance-'));
process.once('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
const file = `${folder}/cases.json`;
const { stderr } = spawnSync(
  process.execPath,
  [at('scripts/unit.mjs'), ...(grep ? ['--grep', grep] : []), 'conformance', 'designs'],
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

const families = ['MSA-', 'MSA-V', 'HER-', 'OH-', 'AF-'];
/** The documents from which the statements of test/designs are taken, by id prefix. */
const documents = {
  'MINI1-': 'mini-swe-agent 1, with candidates and a verifier',
  'MINI2-': 'mini-swe-agent 2',
  'HERMES-': 'Hermes Agent',
  'HANDS-': 'OpenHands',
  'GRAPH-': 'AgentFoundation',
  'LINE-': 'The command lines of the originals',
};
const lettersOf = (id) => id.replace(/\d+b?$/, '');
const isStatement = (id) => Object.hasOwn(documents, lettersOf(id));

/** What is not run by a statement is shown by another table. */
function stateOf(id, state) {
  if (state !== 'pending') return 'pass';
  return isStatement(id) ? 'elsewhere' : 'not applicable';
}

/** One row per id: a case with several variants passes if all of them do. */
const rows = new Map();
for (const { path, state, error } of JSON.parse(fs.readFileSync(file, 'utf8'))) {
  const [, id, words] = path.map((title) => /^([A-Z]+\d?-V?\d+b?) (.*)$/.exec(title)).find(Boolean) ?? [];
  if (!id) continue;
  const row = rows.get(id) ?? rows.set(id, { id, words, result: stateOf(id, state), errors: [] }).get(id);
  if (words === 'No case was written yet.') row.result = 'missing';
  if (state !== 'failed') continue;
  row.result = 'fail';
  row.errors.push(`${path.slice(2).join(' ')} ${error}`.trim());
}

const order = [...Object.keys(documents), ...families];
const familyOf = ({ id }) => order.indexOf(lettersOf(id));
const all = [...rows.values()].sort((a, b) => familyOf(a) - familyOf(b) || a.id.localeCompare(b.id));
const count = (result) => all.filter((row) => row.result === result).length;
const sums = ['pass', 'fail', 'elsewhere', 'not applicable', 'missing']
  .filter(count)
  .map((result) => `${count(result)} ${result}`)
  .join(', ');
const width = Math.max(...all.map(({ id }) => id.length));
for (const { id, result, words, errors } of all) {
  console.log(`${id.padEnd(width)}  ${result.padEnd(14)}  ${words}`);
  for (const error of errors) console.log(error.replace(/^/gm, `${' '.repeat(width)}  ! `));
}
console.log(`\n${sums}`);

function statementRow({ id, result, words }) {
  const [says, ours = ''] = words.split(' · ');
  return `| ${id} | ${result} | ${cell(says)} | ${cell(ours)} |`;
}

const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
if (!grep) {
  fs.writeFileSync(
    at('docs/conformance.md'),
    [
      '# Conformance',
      '',
      `${sums}. \`npm run conformance\` writes this page.`,
      '',
      '## What the documents say',
      '',
      'Each statement comes from one of the documents that describe the four designs, and was written before looking at the code. `test/designs/` demonstrates it with a run of the built command line against a model server. If Waymark differs on purpose, the last column says how and why. "Elsewhere" means that another case shows the statement.',
      '',
      ...Object.entries(documents).flatMap(([letters, title]) => [
        `### ${title}`,
        '',
        '| Statement | Result | The document says that | Waymark |',
        '| --- | --- | --- | --- |',
        ...all.filter(({ id }) => lettersOf(id) === letters).map(statementRow),
        '',
      ]),
      '## What the originals do',
      '',
      'These cases compare the loop with the systems that its profiles are named after: mini-swe-agent (MSA, and MSA-V for the fork with candidates), Hermes Agent (HER), the OpenHands SDK (OH) and AgentFoundation (AF). Each row is a case in `test/conformance/` that runs the public loop with a scripted model and a real shell. If the original has a defect, the case shows the corrected behaviour.',
      '',
      '| Case | Result | Behaviour |',
      '| --- | --- | --- |',
      ...all
        .filter(({ id }) => !isStatement(id))
        .map(({ id, result, words }) => `| ${id} | ${result} | ${cell(words)} |`),
      '',
    ].join('\n'),
  );
}
process.exitCode = count('fail') + count('missing') > 0 ? 1 : 0;
