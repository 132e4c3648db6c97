import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import path from 'node:path';
import { until } from '../cli/support/commandLine';
import { freshForEach, type TemporaryWorkspace } from '../support/temporaryWorkspace';

const repository = process.env['REPOSITORY']!;

/** A script that writes its test results, and then does something else. */
const tested = (figures: string, then = ''): string =>
  `require('node:fs').writeFileSync(process.env.WAYMARK_TEST_RESULT, '${figures}'); ${then}`;

describe('the closing line of npm test', () => {
  let place: TemporaryWorkspace;
  freshForEach((fresh) => {
    place = fresh;
  });

  /** Runs stages of one script each, one after the other, in their own process. */
  function stages(scripts: Readonly<Record<string, string>>) {
    for (const [name, script] of Object.entries(scripts)) place.place(`${name}.cjs`, script);
    const list = Object.keys(scripts).map((name) => ({ name, lane: 1, tests: true, commands: [[`${name}.cjs`]] }));
    place.place(
      'program.mjs',
      `import { runStages } from ${JSON.stringify(path.join(repository, 'scripts/runStages.mjs'))};
      const isWell = await runStages(${JSON.stringify(list)}, { root: import.meta.dirname, node: process.execPath });
      process.exit(isWell ? 0 : 1);`,
    );
    return started(place.at('program.mjs'));
  }

  function started(...args: readonly string[]) {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    const ended = new Promise<{ code: number | null; output: string; last: string }>((resolve) =>
      child.on('close', (code) => resolve({ code, output, last: output.trimEnd().split('\n').at(-1)! })),
    );
    return { child, ended };
  }

  it('counts the tests of all stages', async () => {
    const { code, last } = await stages({
      one: tested('{"passes":3,"failures":0}'),
      two: tested('{"passes":2,"failures":0}'),
    }).ended;
    assert.deepEqual([code, last], [0, '5 passed, 0 failed']);
  });

  it('counts the other stages if one has no valid result, and runs the following stages', async () => {
    const { code, last, output } = await stages({
      one: tested('{"passes":3,"failures":0}'),
      two: tested('{"passes":'),
      three: tested('{"passes":4,"failures":0}'),
    }).ended;
    assert.deepEqual([code, last], [1, '7 passed, 1 failed'], output);
    assert.match(output, /^FAIL  two .*\n.*SyntaxError/m);
    assert.match(output, /^Failed: two,/m);
  });

  it('names a file that could not be loaded before the failed tests', async () => {
    place.place('good.test.mjs', "describe('a suite', () => { it('fails', () => { throw new Error('wrong'); }); });");
    place.place('bad.test.mjs', "import './missing.mjs';");
    const { code, last, output } = await stages({
      two: `import(${JSON.stringify(path.join(repository, 'scripts/testParts.mjs'))}).then(async ({ runParts }) => {
        const parts = [['good.test.mjs'], ['bad.test.mjs']].map((files) => files.map((file) => __dirname + '/' + file));
        const sourceOf = (file) => file.replace(/^.*\\//, '');
        process.exitCode = await runParts(parts, { workers: 1, folder: __dirname, sourceOf });
      });`,
    }).ended;
    assert.equal(code, 1);
    assert.equal(last, '0 passed, 2 failed', output);
    assert.match(output, /^FAIL  two .*\n {8}did not run to the end: bad\.test\.mjs\n {8}a suite › fails$/m);
    assert.match(
      output,
      /^Test files that did not run to the end:\n  bad\.test\.mjs\n[^]*missing\.mjs[^]*^Failed tests:\n  a suite › fails/m,
    );
  });

  it('counts tests until it was interrupted, including the running stage, and names what did not run', async () => {
    const { child, ended } = stages({
      one: tested('{"passes":3,"failures":0}'),
      two: tested('{"passes":2,"failures":0}', "console.log('at work'); setInterval(() => {}, 1000);"),
      three: tested('{"passes":4,"failures":0}'),
    });
    await until('the second stage', () => place.bytes('out/stages/two.json')?.toString().endsWith('}') === true);
    child.kill('SIGTERM');
    const { code, last, output } = await ended;
    assert.deepEqual([code, last], [143, '5 passed, 1 failed'], output);
    assert.match(output, /^Cut off after .*\nNot run to the end: two\nNot run: three$/m);
  });

  it('says that no stage was started', async () => {
    const { code, last, output } = await started(path.join(repository, 'scripts/test.mjs'), '--only', 'nothing').ended;
    assert.deepEqual([code, last], [1, '0 passed, 1 failed']);
    assert.match(output, /There is no stage nothing\..*\n[^]*^No stage was begun\.$/m);
  });
});
