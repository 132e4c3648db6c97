import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runStage, type StageResult } from '../../scripts/runStage.mjs';

describe('a stage of npm test', () => {
  let root: string;
  beforeEach(() => { root = fs.mkdtempSync(path.join(os.tmpdir(), 'wm-stage-')); });
  afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

  /** Runs a stage of one script that writes `figures`, prints a line and ends with `code`. */
  function stage({ tests, figures, code }: { tests: boolean; figures?: object; code: number }): Promise<StageResult> {
    const write = figures ? `require('node:fs').writeFileSync(process.env.WAYMARK_TEST_RESULT, '${JSON.stringify(figures)}');` : '';
    fs.writeFileSync(path.join(root, 'script.cjs'), `${write}\nconsole.log('found something');\nprocess.exitCode = ${code};\n`);
    return runStage({ name: 'trial', tests, commands: [['script.cjs']] }, { root, node: process.execPath });
  }
  const counts = ({ ok, passed, failed }: StageResult): object => ({ ok, passed, failed });

  it('counts what ran', async () => {
    assert.deepEqual(counts(await stage({ tests: true, figures: { passes: 3, failures: 0 }, code: 0 })), { ok: true, passed: 3, failed: 0 });
  });
  it('fails with the number of tests that failed', async () => {
    assert.deepEqual(counts(await stage({ tests: true, figures: { passes: 1, failures: 2 }, code: 1 })), { ok: false, passed: 1, failed: 2 });
  });
  it('fails when no test ran, though its command ended well', async () => {
    assert.deepEqual(counts(await stage({ tests: true, figures: { passes: 0, failures: 0 }, code: 0 })), { ok: false, passed: 0, failed: 1 });
  });
  it('fails when its command wrote no figures', async () => {
    assert.deepEqual(counts(await stage({ tests: true, code: 0 })), { ok: false, passed: 0, failed: 1 });
  });
  it('fails when its command fails after all tests passed', async () => {
    assert.deepEqual(counts(await stage({ tests: true, figures: { passes: 3, failures: 0 }, code: 1 })), { ok: false, passed: 3, failed: 1 });
  });
  it('is one failure when a check without tests finds something, and tells what', async () => {
    const result = await stage({ tests: false, code: 1 });
    assert.deepEqual(counts(result), { ok: false, passed: 0, failed: 1 });
    assert.match(result.output, /found something/);
  });
});
