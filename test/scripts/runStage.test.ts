import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { MOST_TRIED_AGAIN, runStage, tryAgain, type StageResult } from '../../scripts/stage/runStage.mjs';

describe('a stage of npm test', () => {
  let root: string;
  beforeEach(() => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), 'wm-stage-'));
  });
  afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

  /** Runs a stage with one script that writes `figures`, prints a line and exits with `code`. */
  function stage({ tests, figures, code }: { tests: boolean; figures?: object; code: number }): Promise<StageResult> {
    const write = figures
      ? `require('node:fs').writeFileSync(process.env.WAYMARK_TEST_RESULT, '${JSON.stringify(figures)}');`
      : '';
    fs.writeFileSync(
      path.join(root, 'script.cjs'),
      `${write}\nconsole.log('found something');\nprocess.exitCode = ${code};\n`,
    );
    return runStage({ name: 'trial', tests, commands: [['script.cjs']] }, { root, node: process.execPath });
  }
  const counts = ({ ok, passed, failed }: StageResult): object => ({ ok, passed, failed });

  it('counts the tests that ran', async () => {
    assert.deepEqual(counts(await stage({ tests: true, figures: { passes: 3, failures: 0 }, code: 0 })), {
      ok: true,
      passed: 3,
      failed: 0,
    });
  });
  it('reports slow tests', async () => {
    const slowest = [{ name: 'suite › test', ms: 1200 }];
    const result = await stage({ tests: true, figures: { passes: 3, failures: 0, slowest }, code: 0 });
    assert.deepEqual(result.slowest, slowest);
  });
  it('fails with the number of failed tests', async () => {
    assert.deepEqual(counts(await stage({ tests: true, figures: { passes: 1, failures: 2 }, code: 1 })), {
      ok: false,
      passed: 1,
      failed: 2,
    });
  });
  it('fails if no test ran, even if its command succeeded', async () => {
    assert.deepEqual(counts(await stage({ tests: true, figures: { passes: 0, failures: 0 }, code: 0 })), {
      ok: false,
      passed: 0,
      failed: 1,
    });
  });
  it('fails if its command wrote no result', async () => {
    assert.deepEqual(counts(await stage({ tests: true, code: 0 })), { ok: false, passed: 0, failed: 1 });
  });
  it('fails when its command fails after all tests passed', async () => {
    assert.deepEqual(counts(await stage({ tests: true, figures: { passes: 3, failures: 0 }, code: 1 })), {
      ok: false,
      passed: 3,
      failed: 1,
    });
  });
  it('is ended when it prints nothing for too long, and counts the tests until then', async () => {
    const write = `require('node:fs').writeFileSync(process.env.WAYMARK_TEST_RESULT, '{"passes":5,"failures":0}');`;
    fs.writeFileSync(path.join(root, 'script.cjs'), `${write} console.log('begun'); setInterval(() => {}, 1000);`);
    const stuck = { name: 'stuck', tests: true, commands: [['script.cjs']] };
    const result = await runStage(stuck, { root, node: process.execPath, silenceMs: 2000 });
    assert.deepEqual(counts(result), { ok: false, passed: 5, failed: 1 });
    assert.match(result.output, /begun\n\nIt printed nothing for 2 s, so it was ended/);
  });
  it('continues as long as it prints something', async () => {
    const talk = 'let said = 0; setInterval(() => { console.log(said); if (++said === 12) process.exit(0); }, 500);';
    fs.writeFileSync(path.join(root, 'script.cjs'), talk);
    const talking = { name: 'talking', commands: [['script.cjs']] };
    assert.equal((await runStage(talking, { root, node: process.execPath, silenceMs: 4000 })).ok, true);
  });

  describe('with a failed test', () => {
    const failing = [{ name: 'suite › test', file: 'a.test.ts', error: 'Error: no' }];
    const first = { passes: 3, failures: 1, failing };

    /**
     * Runs a stage whose first attempt has the figures `first`, and retries with a script that has `second` and exits
     * with `code`.
     */
    async function twice(second: object, code: number, figures: object = first): Promise<StageResult> {
      const tried = await stage({ tests: true, figures, code: 1 });
      const written = `require('node:fs').writeFileSync(process.env.WAYMARK_TEST_RESULT, '${JSON.stringify(second)}');`;
      fs.writeFileSync(
        path.join(root, 'again.cjs'),
        `${written}\nconsole.log(process.argv[2]);process.exitCode = ${code};\n`,
      );
      const again = (files: readonly string[]): string[][] => [['again.cjs', ...files]];
      const known = { name: 'trial', tests: true, commands: [['script.cjs']], again };
      return tryAgain(known, tried, { root, node: process.execPath });
    }

    it('passes and reports the test as flaky if its file passes alone', async () => {
      const result = await twice({ passes: 2, failures: 0 }, 0);
      assert.deepEqual(counts(result), { ok: true, passed: 4, failed: 0 });
      assert.deepEqual(result.flaky, ['suite › test']);
    });
    it('fails if its file fails again, and shows both attempts', async () => {
      const result = await twice({ passes: 1, failures: 1, failing }, 1);
      assert.deepEqual(counts(result), { ok: false, passed: 3, failed: 1 });
      assert.match(result.output, /found something\n\nAgain:\na\.test\.ts/);
    });
    it('distinguishes a test that then passes from one that fails again', async () => {
      const failed = [...failing, { ...failing[0]!, name: 'suite › other test' }];
      const result = await twice({ passes: 1, failures: 1, failing }, 1, { passes: 3, failures: 2, failing: failed });
      assert.deepEqual(counts(result), { ok: false, passed: 4, failed: 1 });
      assert.deepEqual(result.failing, failing);
      assert.deepEqual(result.flaky, ['suite › other test']);
    });
    it('fails without a second attempt after a crash or too many failures', async () => {
      const crashed = [{ file: 'b.test.ts', error: 'SyntaxError: no' }];
      const afterCrash = await twice({ passes: 2, failures: 0 }, 0, { ...first, crashed });
      assert.deepEqual(counts(afterCrash), { ok: false, passed: 3, failed: 2 });
      assert.deepEqual([afterCrash.crashed, afterCrash.failing], [crashed, failing]);
      const failures = MOST_TRIED_AGAIN + 1;
      const tooMany = Array.from({ length: failures }, () => failing[0]);
      const many = await twice({ passes: 2, failures: 0 }, 0, { passes: 3, failures, failing: tooMany });
      assert.deepEqual(counts(many), { ok: false, passed: 3, failed: failures });
    });
  });
  it('counts as one failure with its output if a check without tests fails', async () => {
    const result = await stage({ tests: false, code: 1 });
    assert.deepEqual(counts(result), { ok: false, passed: 0, failed: 1 });
    assert.match(result.output, /found something/);
  });
});
