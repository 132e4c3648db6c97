import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { temporaryWorkspace } from '../support/temporaryWorkspace';

describe('npm run bench', () => {
  it('finds that updates sent to the panel per token do not grow with the length of the run', function () {
    this.timeout(60_000);
    const folder = temporaryWorkspace();
    const file = folder.at('result.json');
    try {
      const first = bench('--only', 'panel', '--json', file);
      assert.equal(first.status, 0, first.stderr);
      const { value, aim } = resultsIn(file)['panel']!.rows.find((row) => row.aim !== undefined)!;
      assert.ok(value <= aim! && value > 0.9, `${value} times as much after 5,000 events`);

      const again = bench('--only', 'panel', '--json', file, '--continue');
      assert.equal(again.status, 0, again.stderr);
      assert.doesNotMatch(again.stderr, /\(panel: /, 'what is known is not measured again');
    } finally {
      folder.stop();
    }
  });

  it('starts no part without time left, and names the skipped parts', () => {
    const folder = temporaryWorkspace();
    try {
      const { status, stdout } = bench('--only', 'panel', '--json', folder.at('result.json'), '--within', '0');
      assert.equal(status, 0);
      assert.match(stdout, /Skipped for lack of time: panel\./);
    } finally {
      folder.stop();
    }
  });

  it('lists the available measures', () => {
    const { status, stderr } = bench('--only', 'weather');
    assert.equal(status, 1);
    assert.match(stderr, /no measure weather\. Measures: bundles, steps,/);
  });
});

const bench = (...words: string[]) =>
  spawnSync(process.execPath, [path.join(process.env['REPOSITORY']!, 'bench/bench.mjs'), ...words], {
    encoding: 'utf8',
  });

const resultsIn = (file: string) =>
  JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, { rows: { value: number; aim?: number }[] }>;
